import type * as contract from '@onward/contract'
import type { ResponseOf } from '@onward/contract'
import { ExternalLink, PlugZap } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { areaA } from '../../api/doors.ts'
import { confirmOwnAccount, listOwnAccounts, openConnectSession } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { type Reading, useRead } from '../../api/queries.ts'
import { OnwardError } from '../../api/request.ts'
import { send } from '../../api/send.ts'
import { toast } from '../../api/toasts.ts'
import { AppLogo } from '../../shell/app-logo.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { openTab } from '../../ui/open-tab.ts'
import { Named } from '../../ui/page.tsx'
import styles from './playground.module.css'
import { PLAY } from './words.ts'

const { accounts: words } = PLAY
const LOOK_EVERY_MS = 2_000
/** The channel on which the last connect page tells of an account that must be confirmed. A response keeps that page where it is. */
const CHANNEL = 'onward-connect'

type Account = ResponseOf<typeof contract.listOwnAccounts>['connected_accounts'][number]

/** A link to connect an account that was opened, and the accounts that were there before. */
export type Waiting = { readonly app: string; readonly url: string; readonly before: string }

/** Reads the accounts of a user. While a link is open, looks every two seconds. */
export function useAccounts(appKey: string, user: string, waiting: boolean): Reading<readonly Account[]> {
  const read = useRead(
    areaA(appKey, user),
    listOwnAccounts,
    { body: {} },
    { enabled: appKey !== '' && user !== '', every: waiting ? LOOK_EVERY_MS : undefined },
  )
  return { ...read, data: read.data?.connected_accounts }
}

/** What tells whether an account was connected since. */
function markOf(accounts: readonly Account[], app: string): string {
  return JSON.stringify(
    accounts.filter((one) => one.app === app && one.status === 'active').map(({ id, modified_at }) => [id, modified_at]),
  )
}

type AccountsProps = {
  appKey: string
  user: string
  accounts: readonly Account[]
  /** The app of the chosen function, if it needs an account. */
  app: { readonly name: string; readonly title: string } | undefined
  accountId: string
  waiting: Waiting | undefined
  onAccount(id: string): void
  onWaiting(waiting: Waiting | undefined): void
}

/** The user's accounts for the chosen app, and the way to connect one. Without an app, all of them. */
export function Accounts(props: AccountsProps): ReactNode {
  const { appKey, user, accounts, app, accountId, waiting, onAccount, onWaiting } = props
  const { why } = useMay('developer')
  const [busy, setBusy] = useState(false)
  const own = app === undefined ? accounts : accounts.filter((account) => account.app === app.name)
  const usable = own.some(({ status }) => status === 'active')
  const arrived = waiting !== undefined && markOf(accounts, waiting.app) !== waiting.before
  useEffect(() => {
    if (!arrived || waiting === undefined) return
    const [newest] = accounts.filter((account) => account.app === waiting.app && account.status === 'active')
    toast(words.connected(newest?.display_name ?? waiting.app))
    onWaiting(undefined)
  }, [arrived, waiting, accounts, onWaiting])

  useConfirming(appKey, user, waiting !== undefined)

  const connect = async (name: string) => {
    setBusy(true)
    try {
      await openTab(async () => {
        const { url } = await send(areaA(appKey, user), openConnectSession, { body: { app: name } })
        onWaiting({ app: name, url, before: markOf(accounts, name) })
        return url
      })
    } catch (err) {
      if (!(err instanceof OnwardError)) throw err
      toast(`${words.failed} ${err.message}`, 'bad')
    } finally {
      setBusy(false)
    }
  }
  if (app !== undefined && waiting?.app === app.name) {
    return <WaitingFor title={app.title} url={waiting.url} onStop={() => onWaiting(undefined)} />
  }
  if (app === undefined) return own.length === 0 ? null : <AccountList accounts={own} user={user} appKey={appKey} />
  if (usable) {
    return (
      <Field label={<Named logo={<AppLogo app={app.name} title={app.title} size={20} />}>{words.account}</Named>}>
        <Select value={accountId} onChange={(event) => onAccount(event.target.value)}>
          <option value="">{own.length === 1 ? own[0]?.display_name : words.automatic}</option>
          {own.length > 1 &&
            own.map(({ id, display_name, status }) => (
              <option key={id} value={String(id)}>
                {status === 'active' ? display_name : `${display_name} (${words.states[status]})`}
              </option>
            ))}
        </Select>
      </Field>
    )
  }
  return (
    <Notice
      tone="warn"
      title={own.length === 0 ? words.noneOf(user, app.title) : words.broken(app.title)}
      action={
        <Button tone="accent" icon={<PlugZap />} busy={busy} why={why} onClick={() => void connect(app.name)}>
          {own.length === 0 ? words.connect(app.title) : words.reconnect(app.title)}
        </Button>
      }
    >
      {own.map(({ id, last_error }) => last_error !== null && <p key={id}>{last_error}</p>)}
    </Notice>
  )
}

/** Confirms the account that is connected in the tab that the playground opened, if the application confirms accounts. */
function useConfirming(appKey: string, user: string, waiting: boolean): void {
  useEffect(() => {
    if (!waiting) return
    const channel = new BroadcastChannel(CHANNEL)
    channel.onmessage = ({ data: { authorization_id: id, confirmation } }) => {
      // Other pages of the console answer on the same channel.
      if (confirmation === undefined) return
      const confirming = send(areaA(appKey, user), confirmOwnAccount, { params: { id: String(id) }, body: { confirmation } })
      void confirming.then(
        () => channel.postMessage('confirmed'),
        (err: unknown) => toast(`${words.unconfirmed} ${err instanceof Error ? err.message : ''}`, 'bad'),
      )
    }
    return () => channel.close()
  }, [appKey, user, waiting])
}

function AccountList({ accounts, user, appKey }: { accounts: readonly Account[]; user: string; appKey: string }): ReactNode {
  return (
    <div className={styles.accounts}>
      {accounts.slice(0, 8).map(({ id, app, display_name, status }) => (
        <span key={id} className={styles.account}>
          <Named logo={<AppLogo app={app} size={20} />}>
            {app} · {display_name}
          </Named>
          {status !== 'active' && <Badge tone="bad" text={words.states[status]} />}
        </span>
      ))}
      <PageLink page="accounts" search={{ app_key: appKey, user }}>
        {words.all}
      </PageLink>
    </div>
  )
}

function WaitingFor({ title, url, onStop }: { title: string; url: string; onStop(): void }): ReactNode {
  return (
    <div role="status">
      <Notice tone="info" title={words.waiting(title)}>
        <p>{words.waitingHelp}</p>
        <div className={styles.waiting}>
          <a href={url} target="_blank" rel="noreferrer" className={buttonClass('plain', 'small')}>
            <ExternalLink aria-hidden="true" />
            {words.open}
          </a>
          <Copy text={url} what={words.link} />
          <Button tone="quiet" size="small" onClick={onStop}>
            {words.stop}
          </Button>
        </div>
      </Notice>
    </div>
  )
}
