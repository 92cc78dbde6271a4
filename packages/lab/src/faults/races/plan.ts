export const USERS = ['ann', 'bob', 'joe', 'sue']
export const LEVELS = [50, 80, 100]

/** A request that sets limits: of some users, of all existing users, or of new users. */
export type Setter =
  | { readonly kind: 'own'; readonly limits: ReadonlyMap<string, number> }
  | { readonly kind: 'bulk' | 'default'; readonly limit: number }

/** What happens at once in a round. */
export type Plan = {
  /** Number of tasks of each user who exists before the round. */
  readonly before: ReadonlyMap<string, number>
  /** Number of tasks of each user in each job. A job with `twice` arrives two times at once. */
  readonly jobs: readonly { readonly tasks: ReadonlyMap<string, number>; readonly twice: boolean }[]
  readonly setters: readonly Setter[]
  /** Whether a subscription is created, and whether an existing one is deleted. */
  readonly subscribes: boolean
  readonly unsubscribes: boolean
  /** A new length of the limit period, in days. The tasks of the jobs are then in the future, so that their periods can have this length. */
  readonly days: number | undefined
}

/**
 * Returns up to five setters and four jobs for four users; two of the users are new. No limit occurs twice, so that a limit in a delivery
 * shows which setter set it.
 */
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
  const before = new Map(USERS.slice(0, 2).map((user) => [user, 1 + upTo(5)]))
  const jobs = Array.from({ length: 2 + upTo(2) }, () => ({ tasks: some(() => 1 + upTo(4)), twice: chance() < 0.3 }))
  return {
    before,
    jobs: jobs.filter(({ tasks }) => tasks.size > 0),
    setters: setters.filter((setter) => setter.kind !== 'own' || setter.limits.size > 0),
    subscribes: chance() < 0.4,
    unsubscribes: chance() < 0.4,
    days: chance() < 0.4 ? 7 : undefined,
  }
}
