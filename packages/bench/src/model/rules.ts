/** Area B as the contract tells it, in plain lists. Times are milliseconds on the model's own clock. */
export type Model = {
  now: number
  defaultLimit: number
  readonly applications: Application[]
  readonly users: User[]
  /** Ids that were counted. */
  readonly counted: Set<string>
  readonly subscriptions: { readonly events: readonly number[]; live: boolean }[]
  readonly notices: Notice[]
}

/** A length of the limit period in days, and since when. Only the first one has no `from`. */
export type Length = { readonly days: number; readonly from: number | null }

export type Application = { readonly name: string; owned: boolean; readonly lengths: Length[] }

export type User = {
  readonly application: Application
  readonly name: string
  /** Null while nobody owns the application. */
  limit: number | null
  anchor: number | null
  /** When each counted task occurred. */
  readonly tasks: number[]
  /** The levels told, by the start of the window. */
  readonly told: Map<number, Set<number>>
}

export type Window = { readonly startsAt: number; readonly endsAt: number }

export type Task = { readonly id: string; readonly application: string; readonly user: string; readonly at: number }

/** One delivery. `subscription` is its place in the list. */
type Notice = {
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
  return { now, defaultLimit: 10_000, applications: [], users: [], counted: new Set(), subscriptions: [], notices: [] }
}

/** The application of a name, which a task may be the first to tell of: then its windows have 30 days. */
export function applicationOf(model: Model, name: string, days = 30): Application {
  const known = model.applications.find((each) => each.name === name)
  if (known !== undefined) return known
  const made = { name, owned: false, lengths: [{ days, from: null }] }
  model.applications.push(made)
  return made
}

/** The user of a name. One who is seen for the first time gets the default of that moment. */
export function userOf(model: Model, application: Application, name: string): User {
  const known = model.users.find((each) => each.application === application && each.name === name)
  if (known !== undefined) return known
  const limit = application.owned ? model.defaultLimit : null
  const made: User = { application, name, limit, anchor: null, tasks: [], told: new Map() }
  model.users.push(made)
  return made
}
