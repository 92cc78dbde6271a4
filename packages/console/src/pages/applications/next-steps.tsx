import { Circle, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { listConnectedAccounts, readCalls } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { PageLink } from '../../shell/links.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Card } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import styles from './next-steps.module.css'
import { WORDS } from './words.ts'

/** What to do with a new application. The steps are ticked from real data, and the list goes away after the first call. */
export function NextSteps({ appKey }: { appKey: string }): ReactNode {
  const accounts = useRead(functions, listConnectedAccounts, { params: { app_key: appKey }, query: { page_size: 1 } })
  const calls = useRead(functions, readCalls, { query: { app_key: appKey, page_size: 1 } })
  // The list is only help: it is not shown while it is not known to be right.
  if (accounts.data === undefined || calls.data === undefined) return null
  if (calls.data.calls.length > 0 || calls.data._cursor !== null) return null
  const search = { app_key: appKey }
  return (
    <Group title={WORDS.next.title} about={WORDS.next.about}>
      <Card padded={false}>
        <ol className={styles.steps}>
          <Step done title={WORDS.next.created} />
          <Step done={accounts.data.connected_accounts.length > 0} title={WORDS.next.connect} help={WORDS.next.connectHelp}>
            <PageLink page="accounts" search={search} className={buttonClass()}>
              {WORDS.next.toAccounts}
            </PageLink>
          </Step>
          <Step done={false} title={WORDS.next.call} help={WORDS.next.callHelp}>
            <PageLink page="applications" path={`${encodeURIComponent(appKey)}/snippets`} className={buttonClass('quiet')}>
              {WORDS.next.toSnippets}
            </PageLink>
            <PageLink page="playground" search={search} className={buttonClass()}>
              {WORDS.next.toPlayground}
            </PageLink>
          </Step>
        </ol>
      </Card>
    </Group>
  )
}

type StepProps = { done: boolean; title: string; help?: string; children?: ReactNode }

function Step({ done, title, help, children }: StepProps): ReactNode {
  const Icon = done ? CircleCheck : Circle
  return (
    <li className={styles.step}>
      <Icon aria-hidden="true" className={cx(styles.icon, done && styles.done)} />
      <div className={styles.text}>
        <p className={styles.title}>
          {title} <span className="hidden">({done ? WORDS.next.done : WORDS.next.open})</span>
        </p>
        {help !== undefined && !done && <p className={styles.help}>{help}</p>}
      </div>
      {!done && <div className={styles.actions}>{children}</div>}
    </li>
  )
}
