import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { getConnectedAccount } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { useAppTitles } from '../../parts/app-title.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Stack } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { AccountFacts } from './account-facts.tsx'
import styles from './account-panel.module.css'
import { Disconnect } from './disconnect.tsx'
import { type AccountDetail, explain } from './explain.ts'
import { Repair } from './repair.tsx'
import { WORDS } from './words.ts'

/** One account: what its state means, what can be done, and what it is about. */
export function AccountPanel({ id, nameOf }: { id: string; nameOf(appKey: string): string }): ReactNode {
  const workspaceId = useWorkspaceId()
  const reading = useRead(functions, getConnectedAccount, { params: { id }, query: { workspace_id: workspaceId } }, { every: 30_000 })
  const titleOf = useAppTitles()
  return (
    <Section title={WORDS.panel.state} hideTitle reading={reading}>
      {(account) => (
        <Stack gap={5}>
          <State account={account} app={titleOf(account.app)} />
          <Repair account={account} />
          <AccountFacts account={account} app={titleOf(account.app)} application={nameOf(account.app_key)} />
          <Disconnect account={account} />
        </Stack>
      )}
    </Section>
  )
}

function State({ account: { status, user_id, last_error }, app }: { account: AccountDetail; app: string }): ReactNode {
  const { tone, title, why, who, todo } = explain(status, app, user_id)
  return (
    <Notice tone={tone} title={title}>
      <div className={styles.state}>
        <p>{why}</p>
        {last_error !== null && (
          <p>
            <b>{WORDS.panel.lastError}:</b> {last_error}
          </p>
        )}
        {who !== undefined && (
          <p>
            <b>{WORDS.panel.whoseTurn}:</b> {who}
          </p>
        )}
        <p>{todo}</p>
      </div>
    </Notice>
  )
}
