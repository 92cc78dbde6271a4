import { pauseFor, REQUEST_OPTIONS, type RequestOptions } from './connection.ts'
import { ApiTimeoutError } from './errors.ts'
import { known } from './options.ts'
import type { Requester } from './requester.ts'
import type { ResponsePromise } from './response.ts'
import type { ConnectedAccount, ConnectSession, OwnAccount } from './types.ts'
import type { UserAccounts } from './user.ts'

const INTERVAL_MS = 2_000
/** As long as a page to connect an account can be open. */
const WAIT_MS = 30 * 60_000

/** The pages of Onward on which the user connects and manages accounts. */
export class UserConnect {
  readonly #requester: Requester
  readonly #accounts: UserAccounts

  constructor(requester: Requester, accounts: UserAccounts) {
    this.#requester = requester
    this.#accounts = accounts
  }

  /**
   * Makes a link that works in the first browser that opens it. It opens the page to connect an account of `app`; with `manage`, the page
   * on which the user sees, renames, reconnects and disconnects accounts, of `app` or of all apps; with `pick`, the page with all apps that
   * the user can connect. `redirectUri` is one of the allowed redirects of the application; the user goes there afterwards. `locale` is the
   * language of the pages; by default the browser's. `userName` is what the pages call the user instead of the User-ID.
   */
  session(
    options: RequestOptions & {
      readonly app?: string
      readonly redirectUri?: string
      readonly manage?: boolean
      readonly pick?: boolean
      readonly locale?: string
      readonly userName?: string
    } = {},
  ): ResponsePromise<ConnectSession> {
    const names = { ...REQUEST_OPTIONS, app: true, redirectUri: true, manage: true, pick: true, locale: true, userName: true } as const
    const { app, redirectUri, manage, pick, locale, userName, ...rest } = known(options, names)
    const body = { app, redirect_uri: redirectUri, manage, pick, locale, user_name: userName }
    return this.#requester.request({ method: 'POST', path: '/connect/session', body, repeatable: true }, rest)
  }

  /**
   * Waits until the user has connected an account of the app, or has connected one again, after this call. If the application confirms
   * accounts, something else must confirm it meanwhile: a web page, for example. Returns the account. Asks Onward
   * every `intervalMs` (2,000), for at most `totalTimeout` (30 minutes), and then throws an ApiTimeoutError.
   */
  async waitForAccount(app: string, options: RequestOptions & { readonly intervalMs?: number } = {}): Promise<ConnectedAccount> {
    const names = { ...REQUEST_OPTIONS, intervalMs: true } as const
    const { intervalMs = INTERVAL_MS, totalTimeout = WAIT_MS, ...rest } = known(options, names)
    const endAt = Date.now() + totalTimeout
    const list = () => this.#accounts.list({ ...rest, app, totalTimeout: Math.max(1, endAt - Date.now()) })
    const before = new Map((await list()).map((account) => [account.id, account.modified_at]))
    const isNew = ({ id, modified_at, status }: OwnAccount) => status === 'active' && before.get(id) !== modified_at
    for (let attempts = 1; ; attempts++) {
      if (Date.now() + intervalMs >= endAt) {
        throw new ApiTimeoutError(`no account of ${app} was connected within ${Math.round(totalTimeout / 1_000)} s`, attempts)
      }
      await pauseFor(intervalMs, rest.signal)
      const found = (await list()).find(isNew)
      if (found !== undefined) return found
    }
  }
}
