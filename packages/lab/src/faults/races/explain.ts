import { LEVELS, type Setter } from './plan.ts'

/** One user in its period. `limit` is undefined while the user is unknown. */
export type State = { readonly limit: number | undefined; readonly consumed: number; readonly level: number }

/** What a delivery to one subscription says about one user. */
export type Notice = { readonly level: number; readonly consumed: number; readonly limit: number }

/** What was found for one user after a round. */
export type Seen = {
  readonly user: string
  /** The user's state before the round. */
  readonly start: State
  /** Number of the user's tasks in each job. */
  readonly jobs: readonly number[]
  readonly limit: number | undefined
  readonly consumed: number
  /** The deliveries to the subscription that exists during the whole round. */
  readonly notices: readonly Notice[]
  /** The deliveries to the subscription that was created during the round, if any. */
  readonly late: readonly Notice[] | undefined
  /** The deliveries to the subscription that was deleted during the round, if any. */
  readonly early: readonly Notice[] | undefined
}

type Step = { readonly state: State; readonly notices: readonly Notice[] }

export const UNKNOWN: State = { limit: undefined, consumed: 0, level: 0 }

/**
 * Looks for a sequential order that explains what was seen: one order of the setters for all users, and for each user a place in it for every
 * job. Returns the order of the setters, or undefined if there is none. Then something was lost, repeated or wrong.
 */
export function explain(setters: readonly Setter[], defaultLimit: number, seen: readonly Seen[]): readonly Setter[] | undefined {
  return ordersOf(setters).find((order) => seen.every((each) => fits(order, defaultLimit, each)))
}

/** Applies tasks to a user, one after the other. A new user has the default limit. */
export function afterTasks(state: State, tasks: number, defaultLimit: number): Step {
  let after: State = { ...state, limit: state.limit ?? defaultLimit }
  const notices: Notice[] = []
  for (let n = 0; n < tasks; n++) {
    const next = reachLevels({ ...after, consumed: after.consumed + 1 })
    after = next.state
    notices.push(...next.notices)
  }
  return { state: after, notices }
}

/** Applies a setter to a user. A default limit does not change existing users, and a bulk limit does not change later ones. */
function afterSetter(state: State, setter: Setter, user: string): Step {
  const bulk = setter.kind === 'bulk' && state.limit !== undefined ? setter.limit : undefined
  const limit = setter.kind === 'own' ? setter.limits.get(user) : bulk
  if (limit === undefined) return { state, notices: [] }
  return reachLevels({ ...state, limit, level: Math.min(state.level, levelOf(state.consumed, limit)) })
}

function reachLevels(state: State): Step {
  const { limit = 0, consumed, level } = state
  const reached = Math.max(level, levelOf(consumed, limit))
  const notices = LEVELS.filter((each) => each > level && each <= reached).map((each) => ({ level: each, consumed, limit }))
  return { state: { ...state, level: reached }, notices }
}

function levelOf(consumed: number, limit: number): number {
  if (consumed === 0) return 0
  return limit === 0 ? 100 : Math.min(100, Math.floor((consumed * 100) / limit))
}

function fits(order: readonly Setter[], defaultLimit: number, seen: Seen): boolean {
  type Rest = { readonly setters: readonly Setter[]; readonly jobs: readonly number[] }
  function search(state: State, currentDefault: number, { setters, jobs }: Rest, notices: readonly Notice[]): boolean {
    // This order makes a delivery that was not seen, so it cannot fit.
    if (!isSubset(notices, seen.notices)) return false
    const [setter, ...later] = setters
    if (setter === undefined && jobs.length === 0) return matchesSeen(state, notices, seen)
    if (setter !== undefined) {
      const next = afterSetter(state, setter, seen.user)
      const nextDefault = setter.kind === 'default' ? setter.limit : currentDefault
      if (search(next.state, nextDefault, { setters: later, jobs }, [...notices, ...next.notices])) return true
    }
    return jobs.some((tasks, i) => {
      const next = afterTasks(state, tasks, currentDefault)
      return search(next.state, currentDefault, { setters, jobs: jobs.toSpliced(i, 1) }, [...notices, ...next.notices])
    })
  }
  return search(seen.start, defaultLimit, { setters: order, jobs: seen.jobs }, [])
}

/** Returns whether the final state fits. A late subscription must have the last of the deliveries, and an early deleted one the first. */
function matchesSeen(state: State, notices: readonly Notice[], { limit, consumed, notices: all, late, early }: Seen): boolean {
  return (
    state.limit === limit &&
    state.consumed === consumed &&
    notices.length === all.length &&
    (late === undefined || (late.length <= notices.length && isSubset(notices.slice(notices.length - late.length), late))) &&
    (early === undefined || (early.length <= notices.length && isSubset(notices.slice(0, early.length), early)))
  )
}

/** Returns whether `whole` contains all notices of `part`, each as many times. */
function isSubset(part: readonly Notice[], whole: readonly Notice[]): boolean {
  const textOf = ({ level, consumed, limit }: Notice) => `${level} ${consumed}/${limit}`
  const rest = whole.map(textOf)
  return part.every((each) => {
    const place = rest.indexOf(textOf(each))
    if (place >= 0) rest.splice(place, 1)
    return place >= 0
  })
}

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, i) => ordersOf(items.toSpliced(i, 1)).map((order) => [item, ...order]))
}
