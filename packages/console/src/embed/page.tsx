import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { OnwardError } from '../api/request.ts'
import { Button } from '../ui/button.tsx'
import { Lines, Skeleton } from '../ui/skeleton.tsx'
import { AccountsView } from './accounts-view.tsx'
import { applyAppearance } from './appearance.ts'
import { type EmbedClient, type Look, openClient } from './client.ts'
import { type Ended, EndedPage } from './ended-page.tsx'
import { type EmbedEvent, isFramed } from './events.ts'
import styles from './page.module.css'
import type { Appearance, EmbedSettings } from './settings.ts'
import { texts } from './texts.ts'
import { UsageView } from './usage-view.tsx'

type Phase =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly client: EmbedClient; readonly look: Look | undefined }
  | { readonly kind: 'ended'; readonly why: Ended }
  | { readonly kind: 'failed'; readonly error: OnwardError }

type Props = { settings: EmbedSettings; code: string | undefined; appearance: Appearance; tell: (event: EmbedEvent) => void }

/** The longest time that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Exchanges the code of the link, shows the views, and says when the session has ended. */
export function EmbedPage({ settings, code, appearance, tell }: Props): ReactNode {
  const [phase, setPhase] = useState<Phase>(code === undefined ? { kind: 'ended', why: 'reloaded' } : { kind: 'opening' })
  const begun = useRef<boolean>(false)
  const { sessionId } = settings

  const open = useCallback(async () => {
    if (code === undefined) return
    setPhase({ kind: 'opening' })
    try {
      const client = await openClient(new URL('api/', location.href), sessionId, code, () => setPhase({ kind: 'ended', why: 'expired' }))
      // A page that cannot read it keeps its own look.
      const look = await client.look().catch(() => undefined)
      applyLook(look, appearance)
      setPhase({ kind: 'open', client, look })
    } catch (err) {
      if (!(err instanceof OnwardError)) throw err
      setPhase(err.code === 'embed_link_invalid' ? { kind: 'ended', why: 'invalid' } : { kind: 'failed', error: err })
    }
  }, [code, sessionId, appearance])

  useEffect(() => {
    // The code works once.
    if (begun.current) return
    begun.current = true
    void open()
  }, [open])

  useEffect(() => {
    if (phase.kind === 'open') tell({ type: 'ready', views: phase.client.views })
    if (phase.kind === 'ended') tell(phase.why === 'invalid' ? { type: 'error', code: 'link_invalid' } : { type: 'expired' })
    if (phase.kind === 'failed') tell({ type: 'error', code: phase.error.code })
  }, [phase, tell])

  useEffect(() => {
    if (phase.kind !== 'open') return
    const ms = phase.client.expiresAt.getTime() - Date.now()
    const timer = setTimeout(() => setPhase({ kind: 'ended', why: 'expired' }), Math.min(Math.max(0, ms), MAX_TIMER_MS))
    return () => clearTimeout(timer)
  }, [phase])

  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (element === null || !isFramed()) return
    const observer = new ResizeObserver(() => tell({ type: 'height', height: Math.ceil(element.getBoundingClientRect().height) }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [tell])

  return (
    <div ref={box} className={styles.page}>
      {phase.kind === 'open' && <Views client={phase.client} tell={tell} limitUrl={phase.look?.limit_url} returnUrl={settings.returnUrl} />}
      {phase.kind === 'opening' && (
        <main className={styles.card} aria-label={texts().opening}>
          <Skeleton>
            <Lines count={4} />
          </Skeleton>
        </main>
      )}
      {phase.kind === 'ended' && <EndedPage why={phase.why} returnUrl={settings.returnUrl} />}
      {phase.kind === 'failed' && (
        <EndedPage
          why="failed"
          help={phase.error.message}
          returnUrl={settings.returnUrl}
          action={
            <Button tone="accent" onClick={() => void open()}>
              {texts().retry}
            </Button>
          }
        />
      )}
    </div>
  )
}

/** Applies what the application has set, unless the address of the page says otherwise. */
function applyLook(look: Look | undefined, { theme, primary, gutters }: Appearance): void {
  if (look === undefined) return
  applyAppearance({
    theme: theme ?? (look.theme === 'reader' ? undefined : look.theme),
    primary: primary ?? look.accent?.slice(1),
    gutters,
  })
}

type ViewsProps = { client: EmbedClient; tell: (event: EmbedEvent) => void; limitUrl: string | undefined; returnUrl: string | undefined }

function Views({ client, tell, limitUrl, returnUrl }: ViewsProps): ReactNode {
  const t = texts()
  const usage = client.views.includes('usage')
  const accounts = client.views.includes('accounts')
  const title = usage && accounts ? t.bothTitle : accounts ? t.accountsTitle : t.usageTitle
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <>
      {returnUrl !== undefined && !isFramed() && (
        <nav>
          <a className={styles.back} href={returnUrl} rel="noreferrer">
            <ArrowLeft aria-hidden="true" />
            {t.back}
          </a>
        </nav>
      )}
      <main className={styles.views}>
        <h1 className="hidden">{title}</h1>
        {usage && <UsageView client={client} limitUrl={limitUrl} />}
        {accounts && <AccountsView client={client} tell={tell} />}
      </main>
    </>
  )
}
