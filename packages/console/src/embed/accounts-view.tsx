import { fill } from '@onward/texts/embed'
import { Plug } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { OnwardError } from '../api/request.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Empty, Notice } from '../ui/empty.tsx'
import { Section } from '../ui/section.tsx'
import { changesOf } from './account-changes.ts'
import styles from './accounts-view.module.css'
import type { Accounts, ConnectWanted, EmbedClient } from './client.ts'
import type { EmbedEvent } from './events.ts'
import page from './page.module.css'
import { texts } from './texts.ts'
import { useLoaded } from './use-loaded.ts'

const WINDOW_FEATURES = 'popup,width=520,height=760'

const CLOSED_EVERY_MS = 300

type Account = Accounts['accounts'][number]

const TONES: Readonly<Record<Account['status'], BadgeTone>> = { active: 'good', expired: 'warn', reconnect_required: 'bad' }

const STATUS = { active: 'active', expired: 'notRenewed', reconnect_required: 'reconnectRequired' } as const

/** What became of the last press: a window is open, the browser blocked it, or no address could be made. */
type Outcome = { readonly waiting: true } | { readonly blockedUrl: string } | { readonly problem: string }

/** The user's connected accounts. They are changed on the connect pages, in a separate window: never in this page or its frame. */
export function AccountsView({ client, tell }: { client: EmbedClient; tell: (event: EmbedEvent) => void }): ReactNode {
  const t = texts()
  const reading = useLoaded(useCallback((signal: AbortSignal) => client.accounts(signal), [client]))
  const [outcome, setOutcome] = useState<Outcome | undefined>()
  const before = useRef<Accounts | undefined>(undefined)

  useEffect(() => {
    const now = reading.data
    if (now === undefined) return
    for (const event of changesOf(before.current ?? now, now)) tell(event)
    before.current = now
  }, [reading.data, tell])

  async function connect(wanted: ConnectWanted): Promise<void> {
    setOutcome({ waiting: true })
    try {
      const blockedUrl = await openInWindow(() => client.connectUrl(wanted))
      setOutcome(blockedUrl === undefined ? undefined : { blockedUrl })
    } catch (err) {
      if (!(err instanceof OnwardError)) throw err
      setOutcome({ problem: err.message })
    }
    reading.retry()
  }

  return (
    <div className={page.card}>
      <Section
        title={t.accountsTitle}
        about={reading.data && fill(t.about, { application: reading.data.application })}
        reading={reading}
        actions={
          reading.data !== undefined &&
          reading.data.accounts.length > 0 && (
            <>
              <Button size="small" onClick={() => void connect({})}>
                {t.manage}
              </Button>
              <Button size="small" onClick={() => void connect({ pick: true })}>
                {t.connectApp}
              </Button>
            </>
          )
        }
      >
        {({ accounts, more }) => (
          <>
            <div aria-live="polite">{outcome !== undefined && <Said outcome={outcome} />}</div>
            {accounts.length === 0 && (
              <Empty
                icon={<Plug />}
                title={t.none}
                help={t.noneHelp}
                action={
                  <Button size="small" tone="accent" onClick={() => void connect({ pick: true })}>
                    {t.connectApp}
                  </Button>
                }
              />
            )}
            <ul className={styles.accounts}>
              {accounts.map((account) => (
                <Row key={account.id} account={account} onReconnect={() => void connect({ account_id: account.id })} />
              ))}
            </ul>
            {more && <p className={styles.more}>{fill(t.more, { count: accounts.length, manage: t.manage })}</p>}
          </>
        )}
      </Section>
    </div>
  )
}

function Row({ account, onReconnect }: { account: Account; onReconnect: () => void }): ReactNode {
  const { app_title: app, app_icon: icon, display_name: name, status, last_error: error, can_reconnect: canReconnect } = account
  const t = texts()
  return (
    <li className={styles.account}>
      <span className={styles.logo} aria-hidden="true">
        {icon === null ? [...app][0]?.toUpperCase() : <img src={icon} alt="" width="20" height="20" />}
      </span>
      <div className={styles.names}>
        <p className={styles.app}>{app}</p>
        {name !== app && (
          <p className={styles.name}>
            <bdi>{name}</bdi>
          </p>
        )}
        {error !== null && <p className={styles.error}>{error}</p>}
      </div>
      <div className={styles.state}>
        <Badge tone={TONES[status]} text={t[STATUS[status]]} />
        {canReconnect && status !== 'active' && (
          <Button size="small" tone="accent" aria-label={fill(t.reconnectName, { name: `${app}, ${name}` })} onClick={onReconnect}>
            {t.reconnect}
          </Button>
        )}
      </div>
    </li>
  )
}

function Said({ outcome }: { outcome: Outcome }): ReactNode {
  if ('waiting' in outcome) return <Notice tone="info">{texts().window}</Notice>
  if ('problem' in outcome) return <Notice tone="bad">{outcome.problem}</Notice>
  return (
    <Notice
      tone="warn"
      action={
        <a className={buttonClass('plain', 'small')} href={outcome.blockedUrl} target="_blank" rel="noreferrer">
          {texts().open}
        </a>
      }
    >
      {texts().blocked}
    </Notice>
  )
}

/**
 * Opens an address in a new window, and resolves when the window is closed. The window opens empty within the press, because browsers block
 * windows that open later. If it was blocked, resolves to the address. Rejects if `urlOf` does.
 */
async function openInWindow(urlOf: () => Promise<string>): Promise<string | undefined> {
  const opened = window.open('', '_blank', WINDOW_FEATURES)
  try {
    const url = await urlOf()
    if (opened === null) return url
    opened.location.replace(url)
  } catch (err) {
    opened?.close()
    throw err
  }
  while (!opened.closed) await new Promise((resolve) => setTimeout(resolve, CLOSED_EVERY_MS))
  return undefined
}
