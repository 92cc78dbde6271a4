import type { openConnectSession as Connect, ResponseOf, testConnectedAccount as Test } from '@onward/contract'
import { type ReactNode, useId, useState } from 'react'
import { areaA, functions } from '../../api/doors.ts'
import {
  getConnectedAccount,
  listConnectedAccounts,
  openConnectSession,
  setDefaultAccount,
  testConnectedAccount,
} from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import type { OnwardError } from '../../api/request.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Group } from '../../ui/section.tsx'
import styles from './account-panel.module.css'
import { ConnectLink } from './connect-link.tsx'
import type { AccountDetail } from './explain.ts'
import { WORDS } from './words.ts'

const REFRESH = [getConnectedAccount, listConnectedAccounts]

/** What a developer can do about an account: test it, let the user reconnect it, and make it the default one. */
export function Repair({ account }: { account: AccountDetail }): ReactNode {
  const { why } = useMay('developer')
  return (
    <Group title={WORDS.panel.actions}>
      <div>
        <TestAccount account={account} why={why} />
        <ReconnectLink account={account} why={why} />
        <SetDefault account={account} why={why} />
      </div>
    </Group>
  )
}

type ActionProps = { account: AccountDetail; why: string | undefined }

function TestAccount({ account: { app_key, id }, why }: ActionProps): ReactNode {
  const [result, setResult] = useState<ResponseOf<typeof Test> | undefined>(undefined)
  const change = useChange(functions, testConnectedAccount, { refresh: REFRESH })
  const refreshList = useRefreshList()
  const run = async () => {
    setResult(undefined)
    setResult(await change.run({ params: { app_key, id: String(id) } }))
    refreshList('accounts')
  }
  return (
    <Action
      name={WORDS.test.title}
      button={WORDS.test.button}
      help={WORDS.test.about}
      busy={change.running}
      why={why}
      error={change.error}
      run={run}
    >
      {result !== undefined && <TestResult {...result} />}
    </Action>
  )
}

function TestResult({ ok, name, problem }: ResponseOf<typeof Test>): ReactNode {
  if (ok === null) return <Notice tone="info">{WORDS.test.unknown}</Notice>
  if (ok) return <Notice tone="good">{name === null ? WORDS.test.ok : WORDS.test.okName(name)}</Notice>
  return (
    <Notice tone="bad" title={WORDS.test.bad}>
      {problem}
    </Notice>
  )
}

function ReconnectLink({ account: { app_key, user_id, app }, why }: ActionProps): ReactNode {
  const [link, setLink] = useState<ResponseOf<typeof Connect> | undefined>(undefined)
  const change = useChange(areaA(app_key, user_id), openConnectSession, { refresh: [] })
  const run = async () => {
    setLink(undefined)
    setLink(await change.run({ body: { app } }))
  }
  return (
    <Action
      name={WORDS.link.title}
      help={WORDS.link.about}
      button={WORDS.link.button}
      busy={change.running}
      why={why}
      error={change.error}
      run={run}
    >
      {link !== undefined && <ConnectLink appKey={app_key} label={WORDS.link.label} {...link} />}
    </Action>
  )
}

function SetDefault({ account: { app_key, user_id, id, is_default }, why }: ActionProps): ReactNode {
  const change = useChange(areaA(app_key, user_id), setDefaultAccount, { done: WORDS.default.done, refresh: REFRESH })
  const refreshList = useRefreshList()
  const run = async () => {
    await change.run({ params: { id: String(id) }, body: {} })
    refreshList('accounts')
  }
  return (
    <Action
      name={WORDS.default.button}
      help={WORDS.default.about}
      busy={change.running}
      why={why ?? (is_default ? WORDS.default.already : undefined)}
      error={change.error}
      run={run}
    />
  )
}

type RowProps = {
  name: string
  help: string
  /** The text of the button if it is not the name. */
  button?: string
  busy: boolean
  why: string | undefined
  error: OnwardError | undefined
  run(): Promise<void>
  /** What came of it. */
  children?: ReactNode
}

function Action({ name, help, button = name, busy, why, error, run, children }: RowProps): ReactNode {
  const helpId = useId()
  return (
    <div className={styles.action}>
      <div>
        <p className={styles.name}>{name}</p>
        <p id={helpId} className={styles.help}>
          {help}
        </p>
      </div>
      <Button size="small" busy={busy} why={why} aria-describedby={helpId} onClick={() => void run()}>
        {button}
      </Button>
      <div className={styles.result} role="status">
        {error === undefined ? children : <Notice tone="bad">{[error.message, ...error.details].join(' · ')}</Notice>}
      </div>
    </div>
  )
}
