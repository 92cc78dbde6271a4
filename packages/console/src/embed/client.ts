import type { EmbedView, listEmbeddedAccounts, ResponseOf, readEmbeddedLook, readEmbeddedUsage } from '@onward/contract'
import { OnwardError, requestAt } from '../api/request.ts'

export type Usage = ResponseOf<typeof readEmbeddedUsage>
export type Look = ResponseOf<typeof readEmbeddedLook>
export type Accounts = ResponseOf<typeof listEmbeddedAccounts>

/** The session of the page. Its tokens are in the memory of this object only. */
export type EmbedClient = {
  readonly views: readonly EmbedView[]
  readonly expiresAt: Date
  usage(signal: AbortSignal): Promise<Usage>
  accounts(signal: AbortSignal): Promise<Accounts>
  /** How the application wants the page to look, and where users raise their limit. */
  look(): Promise<Look>
  /** Returns the address of a page on which the user connects an account again, chooses an app to connect, or manages all accounts. */
  connectUrl(wanted: ConnectWanted): Promise<string>
}

/** What the user wants on the connect pages: to connect this account again, or an app, or else to manage accounts. */
export type ConnectWanted = { readonly account_id?: number; readonly pick?: true }

type Redeemed = { readonly token: string; readonly views: readonly EmbedView[]; readonly expires_at: string }
type Access = { readonly access_token: string; readonly expires_at: string }

/** The access token is renewed this long before it expires. */
const EARLY_MS = 10_000

/**
 * Exchanges the code of a link for a session. `api` is the address of the page's API, with a slash at the end. `onEnded` is called when the
 * service no longer accepts the session. All functions throw an OnwardError.
 */
export async function openClient(api: URL, sessionId: string, code: string, onEnded: () => void): Promise<EmbedClient> {
  const { token, views, expires_at } = (await requestAt(
    new URL('insights/redeem', api),
    'post',
    {},
    { body: { session_id: sessionId, code } },
  )) as Redeemed
  let access: Promise<Access> | undefined

  async function ofSession(method: string, path: string, signal?: AbortSignal): Promise<unknown> {
    return await requestAt(new URL(`insights/${path}`, api), method, bearer(token), { signal }).catch((err: unknown) => {
      if (isRefused(err)) onEnded()
      throw err
    })
  }

  async function accessToken(): Promise<string> {
    const held = await access?.catch(() => undefined)
    if (held === undefined || Date.parse(held.expires_at) - Date.now() < EARLY_MS) access = ofSession('post', 'access') as Promise<Access>
    return (await (access as Promise<Access>)).access_token
  }

  /** The service refuses an access token if the clocks of the services differ. Then a new one is tried once. */
  async function ofAccounts(method: string, path: string, sent: { body?: unknown; signal?: AbortSignal }): Promise<unknown> {
    const send = async () => await requestAt(new URL(`functions/${path}`, api), method, bearer(await accessToken()), sent)
    return await send().catch(async (err: unknown) => {
      if (!isRefused(err)) throw err
      access = undefined
      return await send()
    })
  }

  return {
    views,
    expiresAt: new Date(expires_at),
    usage: async (signal) => (await ofSession('get', 'usage', signal)) as Usage,
    accounts: async (signal) => (await ofAccounts('get', 'accounts', { signal })) as Accounts,
    look: async () => (await ofAccounts('get', 'look', {})) as Look,
    async connectUrl(wanted) {
      const response = (await ofAccounts('post', 'connect', {
        body: { locale: document.documentElement.lang, ...wanted },
      })) as {
        url: string
      }
      return response.url
    },
  }
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` }
}

function isRefused(err: unknown): boolean {
  return err instanceof OnwardError && err.status === 401
}
