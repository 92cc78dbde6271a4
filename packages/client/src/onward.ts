import { UserConnect } from './connect.ts'
import { CONNECTION_OPTIONS, type ConnectionOptions, openConnection, REQUEST_OPTIONS, type RequestOptions } from './connection.ts'
import { fromEnvironment, isBrowser, required } from './environment.ts'
import { UserMcp } from './mcp.ts'
import { known } from './options.ts'
import { makeRequester, type Requester } from './requester.ts'
import { hashUserId, userIdHeader } from './signature.ts'
import { UserAccounts, UserApprovals, UserApps, UserCalls } from './user.ts'
import { UserFunctions } from './user-functions.ts'

export type OnwardOptions = ConnectionOptions & {
  /** The address of the functions service. Default: the environment variable `ONWARD_BASE_URL`. */
  readonly baseUrl?: string
  /** Default: `ONWARD_APP_KEY`. */
  readonly appKey?: string
  /** Default: `ONWARD_APP_SECRET`. Keep it on your server. Not needed if each `forUser` gets a `hash`. */
  readonly appSecret?: string
}

/**
 * Area A: lists, predicts and calls functions on behalf of your users.
 *
 *     const onward = new Onward({ baseUrl, appKey, appSecret })
 *     const user = onward.forUser('joe@example.com')
 *     const { output } = await user.functions.call('slack-post-message', { channel: '#general', text: 'Hello' })
 */
export class Onward {
  readonly #baseUrl: string
  readonly #appKey: string
  readonly #appSecret: string | undefined
  readonly #options: ConnectionOptions

  constructor(options: OnwardOptions = {}) {
    const { baseUrl, appKey, appSecret, ...rest } = known(options, { ...CONNECTION_OPTIONS, baseUrl: true, appKey: true, appSecret: true })
    this.#baseUrl = required(baseUrl, 'baseUrl', 'ONWARD_BASE_URL')
    this.#appKey = required(appKey, 'appKey', 'ONWARD_APP_KEY')
    this.#appSecret = appSecret ?? fromEnvironment('ONWARD_APP_SECRET')
    this.#options = rest
    if (isBrowser() && this.#appSecret !== undefined) {
      throw new TypeError('the application secret must not reach a browser: there, pass the hash of the user to forUser')
    }
  }

  /**
   * Returns the API for one user. `userId` is your own id of the user. `hash` replaces the application secret: it is the result of
   * `hashUserId`, computed on your server.
   */
  forUser(userId: string, options: { readonly hash?: string } = {}): OnwardUser {
    const { hash } = known(options, { hash: true })
    const secret = this.#appSecret
    if (hash === undefined && secret === undefined) {
      throw new TypeError('appSecret is missing: pass it as an option, set ONWARD_APP_SECRET, or pass a hash to forUser')
    }
    const header = userIdHeader(userId)
    let hashed: Promise<string> | undefined
    const credentials = async () => {
      hashed ??= hash === undefined ? hashUserId(secret ?? '', userId) : Promise.resolve(hash)
      return { 'App-Key': this.#appKey, 'User-ID': header, Hash: await hashed }
    }
    return new OnwardUser(userId, makeRequester(openConnection(this.#baseUrl, this.#options, credentials)))
  }
}

/** Everything that can be done on behalf of one user. */
export class OnwardUser {
  readonly userId: string
  readonly apps: UserApps
  readonly functions: UserFunctions
  readonly accounts: UserAccounts
  readonly connect: UserConnect
  readonly calls: UserCalls
  readonly approvals: UserApprovals
  readonly mcp: UserMcp
  readonly #requester: Requester

  constructor(userId: string, requester: Requester) {
    this.userId = userId
    this.#requester = requester
    this.apps = new UserApps(requester)
    this.functions = new UserFunctions(requester)
    this.accounts = new UserAccounts(requester)
    this.connect = new UserConnect(requester, this.accounts)
    this.calls = new UserCalls(requester)
    this.approvals = new UserApprovals(requester)
    this.mcp = new UserMcp(requester)
  }

  /** Sends a request that this class has no method for. `path` begins with a slash. Repeats it only if `repeatable` is true. */
  request<T = unknown>(
    method: string,
    path: string,
    options: RequestOptions & { query?: Readonly<Record<string, unknown>>; body?: unknown; repeatable?: boolean } = {},
  ) {
    const names = { ...REQUEST_OPTIONS, query: true, body: true, repeatable: true } as const
    const { query, body, repeatable = method === 'GET', ...rest } = known(options, names)
    return this.#requester.request<T>({ method, path, ...(query && { query }), body, repeatable }, rest)
  }
}
