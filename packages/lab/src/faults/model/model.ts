/** A reference implementation of area B, in plain lists and without any code of the service. Times are milliseconds on its own clock. */
export type Model = {
  now: number
  defaultLimit: number
  readonly applications: Application[]
  readonly users: User[]
  /** Ids of counted tasks. */
  readonly counted: Set<string>
  readonly subscriptions: { readonly levels: readonly number[]; live: boolean }[]
  readonly deliveries: Delivery[]
}

/** A length of the limit period, and since when it applies. Only the first one has no `from`. */
export type Length = { readonly days: number; readonly from: number | null }

export type Application = { readonly name: string; owned: boolean; readonly lengths: Length[] }

export type User = {
  readonly application: Application
  readonly name: string
  /** Null while no workspace owns the application. */
  limit: number | null
  anchor: number | null
  /** The times of the counted tasks. */
  readonly tasks: number[]
  /** The reached levels, by the start of the period. */
  readonly reached: Map<number, Set<number>>
}

export type Period = { readonly startsAt: number; readonly endsAt: number }

export type Task = { readonly id: string; readonly application: string; readonly user: string; readonly at: number }

/** `subscription` is an index in the list. */
type Delivery = {
  readonly subscription: number
  readonly application: string
  readonly user: string
  readonly startsAt: number
  readonly level: number
  readonly body: object
}

export const MINUTE = 60_000
export const DAY = 1_440 * MINUTE

export function newModel(now: number): Model {
  return { now, defaultLimit: 10_000, applications: [], users: [], counted: new Set(), subscriptions: [], deliveries: [] }
}

/** Returns the application of a name. Creates it if a task names it before it is provisioned; then its periods have 30 days. */
export function applicationOf(model: Model, name: string, days = 30): Application {
  const known = model.applications.find((each) => each.name === name)
  if (known !== undefined) return known
  const made = { name, owned: false, lengths: [{ days, from: null }] }
  model.applications.push(made)
  return made
}

/** Returns the user of a name. A new user gets the current default limit. */
export function userOf(model: Model, application: Application, name: string): User {
  const known = model.users.find((each) => each.application === application && each.name === name)
  if (known !== undefined) return known
  const limit = application.owned ? model.defaultLimit : null
  const made: User = { application, name, limit, anchor: null, tasks: [], reached: new Map() }
  model.users.push(made)
  return made
}

/**
 * Returns the period that contains a time. Counts the periods one by one from the anchor, the start of the user's first period. A task up to
 * five minutes before the anchor belongs to that period. A new length applies from the end of the period in which it was set.
 */
export function periodOf(anchor: number, lengths: readonly Length[], at: number): Period {
  const time = at < anchor && at >= anchor - 5 * MINUTE ? anchor : at
  let length = newest(lengths, (from) => from <= anchor)
  let startsAt = anchor
  while (time < startsAt) startsAt -= length
  for (;;) {
    const endsAt = startsAt + length
    if (time < endsAt) return { startsAt, endsAt }
    if (endsAt > anchor) length = newest(lengths, (from) => from < endsAt)
    startsAt = endsAt
  }
}

/** Returns the period to which a limit and a status refer: the current one, or the first one if it has not begun. */
function currentPeriod(model: Model, { anchor, application }: User): Period | undefined {
  return anchor === null ? undefined : periodOf(anchor, application.lengths, Math.max(anchor, model.now))
}

/** Returns the periods with tasks that are current or ahead: a task can be up to five minutes ahead. */
export function periodsSince(model: Model, { anchor, application, tasks }: User): Period[] {
  if (anchor === null) return []
  const periods = tasks.map((at) => periodOf(anchor, application.lengths, at)).filter(({ endsAt }) => endsAt > Math.max(anchor, model.now))
  return [...new Map(periods.map((period) => [period.startsAt, period])).values()]
}

export function consumedIn({ anchor, application, tasks }: User, { startsAt }: Period): number {
  return anchor === null ? 0 : tasks.filter((at) => periodOf(anchor, application.lengths, at).startsAt === startsAt).length
}

/** Returns the expected response to a request for the list of an application's users. */
export function statuses(model: Model, application: string) {
  return model.users
    .filter((user) => user.application.name === application)
    .map((user) => figures(model, user, currentPeriod(model, user)))
    .sort((a, b) => (a.user_id < b.user_id ? -1 : 1))
}

/** Returns the eight fields of a user's status in a period. Without a period, no task is consumed and all days are left. */
export function figures(model: Model, user: User, period: Period | undefined) {
  const { limit } = user
  if (limit === null) throw new Error('the user has no limit, so no caller can read it')
  const consumed = period === undefined ? 0 : consumedIn(user, period)
  const days = period === undefined ? (user.application.lengths.at(-1)?.days ?? 0) : (period.endsAt - period.startsAt) / DAY
  const left = period === undefined ? days : Math.ceil((period.endsAt - model.now) / DAY)
  const remaining = Math.max(0, limit - consumed)
  const percent = (part: number, ofNothing: number) => (limit === 0 ? ofNothing : Number((BigInt(part) * 10_000n) / BigInt(limit)) / 100)
  return {
    user_id: user.name,
    current_limit: limit,
    limit_period: String(days),
    tasks_consumed: consumed,
    tasks_remaining: remaining,
    tasks_consumed_percent: percent(consumed, 100),
    tasks_remaining_percent: percent(remaining, 0),
    limit_reset_after: Math.min(days, Math.max(0, left)),
  }
}

function newest(lengths: readonly Length[], holds: (from: number) => boolean): number {
  const days = lengths.filter(({ from }) => from === null || holds(from)).at(-1)?.days
  if (days === undefined) throw new Error('the application has no period length')
  return days * DAY
}
