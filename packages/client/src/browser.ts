/** The browser's part: opens the windows in which a user connects and manages accounts. It needs no secret. */

import { known } from './options.ts'

export type ConnectOptions = {
  /** A fresh `login_url` of the app, or the `url` of `connect.session`, from your server. */
  readonly loginUrl: string
  /**
   * Asks your server for the id of the new account; null if there is none yet. Needed for providers whose sign-in page separates the two
   * windows (`Cross-Origin-Opener-Policy`): then this page gets no message, and the window seems to be closed. If the application confirms
   * accounts, the window then goes to its first allowed redirect with the confirmation, and the account exists when that page has confirmed it.
   */
  readonly poll?: () => Promise<number | null>
  /** Ends waiting. The window stays open. */
  readonly signal?: AbortSignal
  /** Features of the window, as for `window.open`. */
  readonly features?: string
}

export type ConnectedResult = {
  /** The id of the connected account. */
  readonly connectedAccountId: number
  /**
   * Present if the account must be confirmed: send it to your server, which passes it to `accounts.confirm`. Null from `poll`, which finds
   * only confirmed accounts.
   */
  readonly confirmation: string | null
}

/** The account was not connected. `reason`: the window was blocked or closed, the user cancelled, or waiting was aborted. */
export class ConnectError extends Error {
  override name = 'ConnectError'
  readonly reason: 'blocked' | 'closed' | 'cancelled' | 'aborted'

  constructor(reason: ConnectError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

const FEATURES = 'popup,width=520,height=720'
const POLL_MS = 1_000
/** How long `poll` is asked after the window was closed, or seems to be. */
const POLL_CLOSED_MS = 180_000

/**
 * Opens the connect window and waits until the user has connected an account. Call it in a click handler: browsers block windows that open
 * by themselves. The origin of this page must be one of the application's allowed origins. Throws a ConnectError.
 */
export function connectAccount(options: ConnectOptions): Promise<ConnectedResult> {
  const { loginUrl, poll, signal, features = FEATURES } = known(options, { loginUrl: true, poll: true, signal: true, features: true })
  const { origin } = new URL(loginUrl)
  const opened = window.open(loginUrl, '_blank', features)
  if (opened === null) return Promise.reject(blocked('connectAccount'))
  return new Promise((resolve, reject) => {
    let closedAt: number | undefined
    let ended = false
    const end = (settle: () => void) => {
      if (ended) return
      ended = true
      clearInterval(timer)
      window.removeEventListener('message', receive)
      signal?.removeEventListener('abort', abort)
      settle()
    }
    const connected = (connectedAccountId: number, confirmation: string | null) =>
      end(() => {
        opened.close()
        resolve({ connectedAccountId, confirmation })
      })
    const receive = (event: MessageEvent) => {
      if (event.origin !== origin || event.source !== opened) return
      const result = resultOf(event)
      if (result !== undefined) connected(result.connectedAccountId, result.confirmation)
      else if ((event.data as { readonly error?: unknown } | null)?.error !== undefined) {
        opened.close()
        end(() => reject(new ConnectError('cancelled', 'the user cancelled')))
      }
    }
    const abort = () => end(() => reject(new ConnectError('aborted', 'waiting for the account was aborted')))
    const look = async () => {
      // A failed poll is repeated: the server may be reachable again.
      const id = await poll?.().catch(() => null)
      if (typeof id === 'number') return connected(id, null)
      // The message of a window that has just closed itself may still be on its way.
      if (closedAt !== undefined && Date.now() - closedAt >= (poll === undefined ? POLL_MS : POLL_CLOSED_MS)) {
        end(() => reject(new ConnectError('closed', 'the window was closed before an account was connected')))
      }
      if (opened.closed) closedAt ??= Date.now()
    }
    const timer = setInterval(() => void look(), POLL_MS)
    window.addEventListener('message', receive)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
  })
}

/**
 * What happened in the window of the picker. `failed` has the app's error code, or `blocked`, or `no_url` if the address could not be had;
 * the user can still try again. `closed` is the last one.
 */
export type PickerEvent =
  | { readonly type: 'opened' | 'cancelled' | 'closed' }
  | ({ readonly type: 'connected' } & ConnectedResult)
  | { readonly type: 'disconnected'; readonly connectedAccountId: number }
  | { readonly type: 'failed'; readonly code: string }

export type PickerOptions = Pick<ConnectOptions, 'signal' | 'features'> & {
  /** The `url` of `connect.session({ pick: true })`, or a function that fetches one from your server. */
  readonly url: string | (() => Promise<string>)
  readonly onEvent?: (event: PickerEvent) => void
}

/**
 * Opens a window with the apps that the user can connect, and waits until it is closed. Call it in a click handler. The origin of this page must
 * be one of the application's allowed origins. Throws a ConnectError, or what `url` throws.
 */
export async function openPicker(options: PickerOptions): Promise<void> {
  const names = { url: true, signal: true, features: true, onEvent: true } as const
  const { url, signal, features = FEATURES, onEvent = () => {} } = known(options, names)
  // Browsers block windows that open later, so it opens before its address is known.
  const opened = window.open(typeof url === 'string' ? url : '', '_blank', features)
  if (opened === null) {
    onEvent({ type: 'failed', code: 'blocked' })
    throw blocked('openPicker')
  }
  let address: string
  try {
    address = typeof url === 'string' ? url : await url()
    if (typeof url !== 'string') opened.location.replace(address)
  } catch (err) {
    opened.close()
    onEvent({ type: 'failed', code: 'no_url' })
    throw err
  }
  onEvent({ type: 'opened' })
  const { origin } = new URL(address)
  await untilClosed(opened, signal, (message) => {
    const event = message.origin === origin ? eventOf(message) : undefined
    if (event !== undefined) onEvent(event)
  })
  onEvent({ type: 'closed' })
}

export type ManageOptions = Pick<ConnectOptions, 'signal' | 'features'> & {
  /** Called for each account that the user connects, or connects again. */
  readonly onConnected?: (connected: ConnectedResult) => void
}

/**
 * Opens the page on which the user manages accounts, and waits until its window is closed. `url` comes from
 * `connect.session({ manage: true })` on your server. Call it in a click handler. Throws a ConnectError.
 */
export async function manageAccounts(url: string, options: ManageOptions = {}): Promise<void> {
  const { signal, features = FEATURES, onConnected } = known(options, { signal: true, features: true, onConnected: true })
  const { origin } = new URL(url)
  const opened = window.open(url, '_blank', features)
  if (opened === null) throw blocked('manageAccounts')
  await untilClosed(opened, signal, (message) => {
    const result = message.origin === origin ? resultOf(message) : undefined
    if (result !== undefined) onConnected?.(result)
  })
}

/** Passes the messages of a window on, until it is closed. Rejects if waiting is aborted; the window then stays open. */
function untilClosed(opened: Window, signal: AbortSignal | undefined, take: (message: MessageEvent) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const receive = (message: MessageEvent) => {
      if (message.source === opened) take(message)
    }
    const end = (settle: () => void) => {
      clearInterval(timer)
      window.removeEventListener('message', receive)
      signal?.removeEventListener('abort', abort)
      settle()
    }
    const abort = () => end(() => reject(new ConnectError('aborted', 'waiting for the window was aborted')))
    const timer = setInterval(() => opened.closed && end(resolve), POLL_MS)
    window.addEventListener('message', receive)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
  })
}

function eventOf(message: MessageEvent): PickerEvent | undefined {
  const result = resultOf(message)
  if (result !== undefined) return { type: 'connected', ...result }
  const { event, account_id: id, code } = (message.data ?? {}) as Readonly<Record<string, unknown>>
  if (event === 'cancelled') return { type: event }
  if (event === 'disconnected' && typeof id === 'number') return { type: event, connectedAccountId: id }
  if (event !== 'failed') return undefined
  return code === 'access_denied' ? { type: 'cancelled' } : { type: event, code: String(code) }
}

/** Returns the account that a message of the connect window tells of; undefined for other messages. */
function resultOf({ data }: MessageEvent): ConnectedResult | undefined {
  const { authorization_id: id, confirmation } = (data ?? {}) as Readonly<Record<string, unknown>>
  if (typeof id !== 'number') return undefined
  return { connectedAccountId: id, confirmation: typeof confirmation === 'string' ? confirmation : null }
}

function blocked(caller: string): ConnectError {
  return new ConnectError('blocked', `the browser blocked the window: call ${caller} in a click handler`)
}
