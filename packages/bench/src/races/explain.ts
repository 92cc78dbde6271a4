import { afterTasks, type Setter, type State, type Told, underSetter } from './serial.ts'

/** What was seen of one user: the end, and what subscriptions were told that were there all the time, came late, or left early. */
export type Seen = {
  readonly user: string
  readonly start: State
  /** How many tasks of the user each job has that counts it. */
  readonly jobs: readonly number[]
  readonly limit: number | undefined
  readonly consumed: number
  readonly told: readonly Told[]
  readonly late: readonly Told[] | undefined
  readonly left: readonly Told[] | undefined
}

/**
 * Looks for an order of the setters, one for all users, and for each user a place of every job in it, that makes what was seen when
 * everything happens one after the other. Undefined when there is none: then something was lost, told twice, or told wrong.
 */
export function explain(setters: readonly Setter[], defaultLimit: number, seen: readonly Seen[]): readonly Setter[] | undefined {
  return ordersOf(setters).find((order) => seen.every((each) => fits(order, defaultLimit, each)))
}

function fits(order: readonly Setter[], defaultLimit: number, seen: Seen): boolean {
  function search(state: State, standing: number, setters: readonly Setter[], jobs: readonly number[], told: readonly Told[]): boolean {
    // A notice that nobody got leads nowhere.
    if (!isPart(told, seen.told)) return false
    const [setter, ...later] = setters
    if (setter === undefined && jobs.length === 0) return isWhole(state, told, seen)
    if (setter !== undefined) {
      const next = underSetter(state, setter, seen.user)
      const nextDefault = setter.kind === 'default' ? setter.limit : standing
      if (search(next.state, nextDefault, later, jobs, [...told, ...next.told])) return true
    }
    return jobs.some((tasks, i) => {
      const next = afterTasks(state, tasks, standing)
      return search(next.state, standing, setters, jobs.toSpliced(i, 1), [...told, ...next.told])
    })
  }
  return search(seen.start, defaultLimit, order, seen.jobs, [])
}

function isWhole(state: State, told: readonly Told[], seen: Seen): boolean {
  const { late, left } = seen
  return (
    state.limit === seen.limit &&
    state.consumed === seen.consumed &&
    told.length === seen.told.length &&
    (late === undefined || (late.length <= told.length && isPart(told.slice(told.length - late.length), late))) &&
    (left === undefined || (left.length <= told.length && isPart(told.slice(0, left.length), left)))
  )
}

/** Whether every notice is among others, each as often. */
function isPart(part: readonly Told[], whole: readonly Told[]): boolean {
  const rest = whole.map(nameOf)
  return part.every((each) => {
    const place = rest.indexOf(nameOf(each))
    if (place >= 0) rest.splice(place, 1)
    return place >= 0
  })
}

function nameOf({ level, consumed, limit }: Told): string {
  return `${level} ${consumed}/${limit}`
}

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, i) => ordersOf(items.toSpliced(i, 1)).map((order) => [item, ...order]))
}
