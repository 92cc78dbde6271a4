import { CONNECTION_OPTIONS, type ConnectionOptions, openConnection, REQUEST_OPTIONS, type RequestOptions } from './connection.ts'
import { fromEnvironment, isBrowser, required } from './environment.ts'
import type { List } from './list.ts'
import { known } from './options.ts'
import { LIST_OPTIONS, type ListOptions, makeRequester, type Requester, segment } from './requester.ts'
import type { ResponsePromise } from './response.ts'
import type {
  Delivery,
  DeliveryStatus,
  EventName,
  Subscription,
  SubscriptionWithCounts,
  TaskHistory,
  TaskStatus,
  TaskStatusWithPercents,
} from './types.ts'

export type OnwardInsightsOptions = ConnectionOptions & {
  /** The address of the insights service. Default: the environment variable `ONWARD_INSIGHTS_URL`. */
  readonly baseUrl?: string
  /** The API key of your workspace. Default: `ONWARD_API_KEY`. Keep it on your server. */
  readonly apiKey?: string
  /** The application whose users are meant. Default: `ONWARD_APP_KEY`. */
  readonly appKey?: string
}

const BASE = '/partners/api'

/** Area B: task counts, limits and webhooks of a workspace. */
export class OnwardInsights {
  readonly users: InsightsUsers
  readonly limits: InsightsLimits
  readonly subscriptions: InsightsSubscriptions
  readonly deliveries: InsightsDeliveries
  readonly #requester: Requester

  constructor(options: OnwardInsightsOptions = {}) {
    const { baseUrl, apiKey, appKey, ...rest } = known(options, { ...CONNECTION_OPTIONS, baseUrl: true, apiKey: true, appKey: true })
    if (isBrowser()) throw new TypeError('the API key of a workspace must not reach a browser')
    const key = required(apiKey, 'apiKey', 'ONWARD_API_KEY')
    const credentials = async () => ({ 'api-key': key })
    const requester = makeRequester(openConnection(required(baseUrl, 'baseUrl', 'ONWARD_INSIGHTS_URL'), rest, credentials))
    const application = () => required(appKey ?? fromEnvironment('ONWARD_APP_KEY'), 'appKey', 'ONWARD_APP_KEY')
    this.#requester = requester
    this.users = new InsightsUsers(requester, application)
    this.limits = new InsightsLimits(requester, application)
    this.subscriptions = new InsightsSubscriptions(requester)
    this.deliveries = new InsightsDeliveries(requester)
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

export class InsightsUsers {
  readonly #requester: Requester
  readonly #application: () => string

  constructor(requester: Requester, application: () => string) {
    this.#requester = requester
    this.#application = application
  }

  /** Lists the task counts of all users of the application, in the order of their ids. */
  list(
    options: ListOptions & {
      /** Only users whose id contains this text. */
      readonly search?: string
      /** Only users who have used at least, or at most, this many percent of their limit. */
      readonly minPercent?: number
      readonly maxPercent?: number
      /** True: only users who have reached their limit; false: only the others. */
      readonly limitReached?: boolean
    } = {},
  ): List<TaskStatusWithPercents> {
    const names = { ...LIST_OPTIONS, search: true, minPercent: true, maxPercent: true, limitReached: true } as const
    const { search, minPercent, maxPercent, limitReached, pageSize = 1_000, ...rest } = known(options, names)
    const filters = { search, min_percent: minPercent, max_percent: maxPercent, limit_reached: limitReached }
    const query = { app_key: this.#application(), ...filters, page_size: pageSize }
    return this.#requester.list(
      'users',
      (cursor) => ({ method: 'GET', path: `${BASE}/insights/users/tasks/`, query: { ...query, _cursor: cursor }, repeatable: true }),
      rest,
    )
  }

  /** Returns the task counts of one user. */
  get(userId: string, options: RequestOptions = {}): ResponsePromise<TaskStatus> {
    return this.#get(userId, 'tasks/', {}, options)
  }

  /** Returns a user's tasks per day. `since` and `until` are days such as `2026-11-01`; by default the last 30 days. */
  history(
    userId: string,
    options: RequestOptions & { readonly since?: string; readonly until?: string } = {},
  ): ResponsePromise<TaskHistory> {
    const { since, until, ...rest } = known(options, { ...REQUEST_OPTIONS, since: true, until: true })
    return this.#get(userId, 'tasks/history/', { since, until }, rest)
  }

  #get<T>(userId: string, what: string, query: Readonly<Record<string, unknown>>, options: RequestOptions): ResponsePromise<T> {
    const path = `${BASE}/insights/users/${segment('userId', userId)}/${what}`
    return this.#requester.request({ method: 'GET', path, query: { app_key: this.#application(), ...query }, repeatable: true }, options)
  }
}

export class InsightsLimits {
  readonly #requester: Requester
  readonly #application: () => string

  constructor(requester: Requester, application: () => string) {
    this.#requester = requester
    this.#application = application
  }

  /** Sets the limits of up to 10,000 users, in tasks per period. All of them are set, or none. */
  async set(limits: Readonly<Record<string, number>>, options: RequestOptions = {}): Promise<void> {
    const body = Object.entries(limits).map(([user_id, allowed_tasks]) => ({ user_id, allowed_tasks }))
    const query = { app_key: this.#application() }
    await this.#requester.request({ method: 'POST', path: `${BASE}/insights/users/tasks/`, query, body, repeatable: true }, options)
  }

  /** Sets the limit of every existing user of the workspace. */
  async setAll(limit: number, options: RequestOptions = {}): Promise<void> {
    const body = { tasks_limit: limit }
    await this.#requester.request({ method: 'POST', path: `${BASE}/insights/users/tasks-bulk/`, body, repeatable: true }, options)
  }

  /** Sets the limit of users whom Onward sees for the first time. */
  async setDefault(limit: number, options: RequestOptions = {}): Promise<void> {
    const body = { tasks_limit: limit }
    await this.#requester.request({ method: 'PATCH', path: `${BASE}/accounts/me/`, body, repeatable: true }, options)
  }
}

type SubscriptionSettings = { readonly events?: readonly EventName[]; readonly callbackUrl?: string }

const SUBSCRIPTION_SETTINGS = { events: true, callbackUrl: true } as const

const wireSettings = ({ events, callbackUrl }: SubscriptionSettings) => ({ events, callback_url: callbackUrl })

export class InsightsSubscriptions {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Subscribes a URL to events such as `user_tasks_limit_80` and `account_reconnect_required`. Store the `signing_secret`: it is shown only once. */
  create(
    subscription: { readonly events: readonly EventName[]; readonly callbackUrl: string },
    options: RequestOptions = {},
  ): ResponsePromise<{ readonly subscription_id: string; readonly signing_secret: string }> {
    const { events, callbackUrl } = known(subscription, { events: true, callbackUrl: true })
    const body = { events, callback_url: callbackUrl }
    return this.#requester.request({ method: 'POST', path: `${BASE}/insights/subscriptions/`, body, repeatable: false }, options)
  }

  /** Lists the subscriptions, newest first. */
  list(options: ListOptions = {}): List<Subscription> {
    const { pageSize, ...rest } = options
    return this.#requester.list(
      'subscriptions',
      (cursor) => ({
        method: 'GET',
        path: `${BASE}/insights/subscriptions/`,
        query: { page_size: pageSize, _cursor: cursor },
        repeatable: true,
      }),
      rest,
    )
  }

  /** Returns a subscription with the numbers of its deliveries. */
  get(id: string, options: RequestOptions = {}): ResponsePromise<SubscriptionWithCounts> {
    return this.#send('GET', id, '', true, options)
  }

  /**
   * Changes the callback URL or the events of a subscription. Pending deliveries go to the new URL. `ifUnchanged` has the values that you
   * have read: if another value is stored, the error is 409 `changed_since_read`, and nothing changes.
   */
  update(
    id: string,
    change: SubscriptionSettings & { readonly ifUnchanged?: SubscriptionSettings },
    options: RequestOptions = {},
  ): ResponsePromise<Subscription> {
    const { ifUnchanged, ...settings } = known(change, { ...SUBSCRIPTION_SETTINGS, ifUnchanged: true })
    const read = ifUnchanged && wireSettings(known(ifUnchanged, SUBSCRIPTION_SETTINGS))
    // A repeated change with `if_unchanged` would meet its own new values and be refused.
    return this.#send('PATCH', id, '', read === undefined, options, { ...wireSettings(settings), if_unchanged: read })
  }

  async delete(id: string, options: RequestOptions = {}): Promise<void> {
    await this.#send('DELETE', id, '', false, options)
  }

  /** Disables a subscription: nothing more is sent to it. */
  disable(id: string, options: RequestOptions = {}): ResponsePromise<Subscription> {
    return this.#send('POST', id, 'disable/', true, options)
  }

  /** Enables a disabled subscription again. */
  enable(id: string, options: RequestOptions = {}): ResponsePromise<Subscription> {
    return this.#send('POST', id, 'enable/', true, options)
  }

  /** Makes a new signing secret. The previous one signs webhooks too, for up to `keepPreviousHours` (24 by default). */
  rotateSecret(
    id: string,
    options: RequestOptions & { readonly keepPreviousHours?: number } = {},
  ): ResponsePromise<{ readonly subscription_id: string; readonly signing_secret: string; readonly previous_valid_until: string }> {
    const { keepPreviousHours, ...rest } = known(options, { ...REQUEST_OPTIONS, keepPreviousHours: true })
    return this.#send('POST', id, 'rotate-secret/', false, rest, { keep_previous_hours: keepPreviousHours })
  }

  /** Sends a webhook with invented figures. */
  test(id: string, options: RequestOptions = {}): ResponsePromise<{ readonly delivery_id: string }> {
    return this.#send('POST', id, 'test/', false, options)
  }

  /** Lists the deliveries of a subscription with their attempts, newest first. */
  deliveries(id: string, options: ListOptions & { readonly status?: DeliveryStatus } = {}): List<Delivery> {
    const { status, pageSize, ...rest } = known(options, { ...LIST_OPTIONS, status: true })
    const path = `${BASE}/insights/subscriptions/${segment('id', id)}/deliveries/`
    return this.#requester.list(
      'deliveries',
      (cursor) => ({ method: 'GET', path, query: { status, page_size: pageSize, _cursor: cursor }, repeatable: true }),
      rest,
    )
  }

  #send<T>(method: string, id: string, action: string, repeatable: boolean, options: RequestOptions, body?: unknown): ResponsePromise<T> {
    const path = `${BASE}/insights/subscriptions/${segment('id', id)}/${action}`
    return this.#requester.request({ method, path, body, repeatable }, options)
  }
}

export class InsightsDeliveries {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Sends a delivery again at once, with the same id and bytes. */
  replay(id: string, options: RequestOptions = {}): ResponsePromise<{ readonly delivery_id: string }> {
    const path = `${BASE}/insights/deliveries/${segment('id', id)}/replay/`
    return this.#requester.request({ method: 'POST', path, repeatable: false }, options)
  }
}
