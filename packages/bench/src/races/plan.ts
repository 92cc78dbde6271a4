import { LEVELS, type Setter } from './serial.ts'

export const USERS = ['ann', 'bob', 'joe', 'sue']

/** What is done at once in a round. */
export type Plan = {
  /** Tasks of the users who are there before it begins. */
  readonly before: ReadonlyMap<string, number>
  /** Tasks by user of each job; `twice` of a job is brought again at the same time. */
  readonly jobs: readonly { readonly tasks: ReadonlyMap<string, number>; readonly twice: boolean }[]
  readonly setters: readonly Setter[]
  readonly subscribes: boolean
  readonly unsubscribes: boolean
  /** The length that the limit period gets, in days. Then the tasks of the jobs come from a clock that is ahead, so that their windows may get it too. */
  readonly days: number | undefined
}

/** Up to five setters and four jobs for four users, two of whom come in the round. No limit twice: each says who set it. */
export function makePlan(chance: () => number): Plan {
  const upTo = (most: number) => Math.floor(chance() * (most + 1))
  const limits = Array.from({ length: 24 }, (_, i) => i).sort(() => chance() - 0.5)
  const limit = () => limits.pop() ?? 0
  const some = (value: () => number) => new Map(USERS.filter(() => chance() < 0.6).map((user) => [user, value()]))
  const own = (): Setter => ({ kind: 'own', limits: some(limit) })
  const setters: Setter[] = [
    ...Array.from({ length: 1 + upTo(1) }, own),
    ...Array.from({ length: 1 + upTo(1) }, (): Setter => ({ kind: 'bulk', limit: limit() })),
    ...(chance() < 0.3 ? [{ kind: 'default' as const, limit: limit() }] : []),
  ]
  return {
    before: new Map(USERS.slice(0, 2).map((user) => [user, 1 + upTo(5)])),
    jobs: Array.from({ length: 2 + upTo(2) }, () => ({ tasks: some(() => 1 + upTo(4)), twice: chance() < 0.3 })).filter(
      ({ tasks }) => tasks.size > 0,
    ),
    setters: setters.filter((setter) => setter.kind !== 'own' || setter.limits.size > 0),
    subscribes: chance() < 0.4,
    unsubscribes: chance() < 0.4,
    days: chance() < 0.4 ? 7 : undefined,
  }
}

export const EVENTS = LEVELS.map((level) => `user_tasks_limit_${level}`)
