import { REQUEST_OPTIONS, type RequestOptions } from './connection.ts'
import type { List } from './list.ts'
import { known } from './options.ts'
import { LIST_OPTIONS, type ListOptions, type Requester, segment } from './requester.ts'
import type { ResponsePromise } from './response.ts'
import type {
  App,
  Approval,
  ApprovalState,
  ApprovalWithBackground,
  CallOutcome,
  ConnectedAccount,
  LoggedCall,
  OwnAccount,
} from './types.ts'

export class UserApps {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Lists apps in the order of their names. */
  list(
    options: ListOptions & {
      /** Only apps whose name, title or description contains this text. */
      readonly search?: string
      /** Only apps that the user has connected. */
      readonly connectedOnly?: boolean
    } = {},
  ): List<App> {
    const { search, connectedOnly, pageSize, ...rest } = known(options, { ...LIST_OPTIONS, search: true, connectedOnly: true })
    const query = { search, connected_only: connectedOnly, page_size: pageSize }
    return this.#requester.list(
      'apps',
      (cursor) => ({ method: 'POST', path: '/apps/list', query: { ...query, _cursor: cursor }, repeatable: true }),
      rest,
    )
  }

  /** Returns an app with the user's accounts and a fresh `login_url`, on which the user connects an account. */
  get(name: string, options: RequestOptions = {}): ResponsePromise<App & { readonly connected_accounts: readonly ConnectedAccount[] }> {
    return this.#requester.request({ method: 'POST', path: `/apps/${segment('name', name)}/get`, repeatable: true }, options)
  }
}

export class UserAccounts {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Lists the user's accounts, newest first. `app`: only accounts of this app. */
  list(options: RequestOptions & { readonly app?: string } = {}): ResponsePromise<readonly OwnAccount[]> {
    const { app, ...rest } = known(options, { ...REQUEST_OPTIONS, app: true })
    const request = { method: 'POST', path: '/connected-accounts/list', body: { app }, repeatable: true }
    return this.#requester.request(
      request,
      rest,
      (body) => (body as { readonly connected_accounts: readonly OwnAccount[] }).connected_accounts,
    )
  }

  /** Gives an account another name, which it keeps when the user connects it again. */
  rename(id: number, displayName: string, options: RequestOptions = {}): ResponsePromise<ConnectedAccount> {
    const path = `/connected-accounts/${segment('id', String(id))}`
    return this.#requester.request({ method: 'PATCH', path, body: { display_name: displayName }, repeatable: true }, options)
  }

  /** Makes an account the default for calls of its app, while the account is active. */
  setDefault(id: number, options: RequestOptions = {}): ResponsePromise<ConnectedAccount> {
    const path = `/connected-accounts/${segment('id', String(id))}/set_as_default`
    return this.#requester.request({ method: 'POST', path, repeatable: true }, options)
  }

  /** Confirms an account that the user has connected, for applications that require it. */
  confirm(id: number, confirmation: string, options: RequestOptions = {}): ResponsePromise<ConnectedAccount> {
    const path = `/connected-accounts/${segment('id', String(id))}/confirm`
    return this.#requester.request({ method: 'POST', path, body: { confirmation }, repeatable: false }, options)
  }

  /** Revokes the access at the app and deletes the credentials. With `force`, also if the app does not revoke it. */
  disconnect(id: number, options: RequestOptions & { readonly force?: boolean } = {}): ResponsePromise<{ readonly success: true }> {
    const { force, ...rest } = known(options, { ...REQUEST_OPTIONS, force: true })
    const path = `/connected-accounts/${segment('id', String(id))}`
    return this.#requester.request({ method: 'DELETE', path, query: { force }, repeatable: false }, rest)
  }
}

export class UserCalls {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Lists the user's executed calls, newest first. */
  list(
    options: ListOptions & {
      readonly functionName?: string
      readonly app?: string
      readonly outcome?: CallOutcome
      readonly since?: Date
      readonly until?: Date
      /** Also calls that Onward made itself to find an id; these are not tasks. */
      readonly internal?: boolean
    } = {},
  ): List<LoggedCall> {
    const names = { ...LIST_OPTIONS, functionName: true, app: true, outcome: true, since: true, until: true, internal: true } as const
    const { functionName, app, outcome, since, until, internal, pageSize, ...rest } = known(options, names)
    const filters = {
      function_name: functionName,
      app,
      outcome,
      since: since?.toISOString(),
      until: until?.toISOString(),
      internal,
      page_size: pageSize,
    }
    return this.#requester.list(
      'calls',
      (cursor) => ({ method: 'POST', path: '/calls/list', body: { ...filters, _cursor: cursor }, repeatable: true }),
      rest,
    )
  }

  /** Returns a call, with its arguments and output if the deployment stores them. */
  get(id: string, options: RequestOptions = {}): ResponsePromise<LoggedCall> {
    return this.#requester.request({ method: 'POST', path: `/calls/${segment('id', id)}/get`, repeatable: true }, options)
  }
}

/** Calls of the user that a rule asks about. */
export class UserApprovals {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Lists the approvals of the last day, newest first. */
  list(options: ListOptions & { readonly state?: ApprovalState } = {}): List<Approval> {
    const { state, pageSize, ...rest } = known(options, { ...LIST_OPTIONS, state: true })
    return this.#requester.list(
      'approvals',
      (cursor) => ({ method: 'POST', path: '/approvals/list', body: { state, page_size: pageSize, _cursor: cursor }, repeatable: true }),
      rest,
    )
  }

  /** Returns an approval, and what helps to decide. This is read from the user's app, for up to five seconds. */
  get(id: string, options: RequestOptions = {}): ResponsePromise<ApprovalWithBackground> {
    return this.#requester.request({ method: 'GET', path: `/approvals/${segment('id', id)}`, repeatable: true }, options)
  }

  /** Lets the same call run once, until the approval expires. */
  approve(id: string, options: RequestOptions = {}): ResponsePromise<Approval> {
    return this.#decide(id, { result: 'approved' }, options)
  }

  /** Refuses the call. Whoever repeats it gets `reason` in the error. */
  refuse(id: string, options: RequestOptions & { readonly reason?: string } = {}): ResponsePromise<Approval> {
    const { reason, ...rest } = known(options, { ...REQUEST_OPTIONS, reason: true })
    return this.#decide(id, { result: 'refused', reason }, rest)
  }

  #decide(id: string, body: object, options: RequestOptions): ResponsePromise<Approval> {
    return this.#requester.request({ method: 'POST', path: `/approvals/${segment('id', id)}/decide`, body, repeatable: false }, options)
  }
}
