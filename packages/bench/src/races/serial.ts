/** What one user has in its window. `limit` is undefined while nobody has seen the user. */
export type State = { readonly limit: number | undefined; readonly consumed: number; readonly level: number }

/** What a subscription is told of a user. */
export type Told = { readonly level: number; readonly consumed: number; readonly limit: number }

export type Setter =
  | { readonly kind: 'own'; readonly limits: ReadonlyMap<string, number> }
  | { readonly kind: 'bulk' | 'default'; readonly limit: number }

export const LEVELS = [50, 80, 100]
export const UNSEEN: State = { limit: undefined, consumed: 0, level: 0 }

/** One user under a setter that has its turn. A default is for users who come later, a limit of all for those who are there. */
export function underSetter(state: State, setter: Setter, user: string): { state: State; told: Told[] } {
  const limit =
    setter.kind === 'own' ? setter.limits.get(user) : setter.kind === 'bulk' && state.limit !== undefined ? setter.limit : undefined
  return limit === undefined ? { state, told: [] } : look({ ...state, limit, level: Math.min(state.level, levelOf(state.consumed, limit)) })
}

/** One user after so many tasks, one after the other; a new one has the default. */
export function afterTasks(state: State, tasks: number, defaultLimit: number): { state: State; told: Told[] } {
  let after: State = { ...state, limit: state.limit ?? defaultLimit }
  const told: Told[] = []
  for (let n = 0; n < tasks; n++) {
    const next = look({ ...after, consumed: after.consumed + 1 })
    after = next.state
    told.push(...next.told)
  }
  return { state: after, told }
}

function look(state: State): { state: State; told: Told[] } {
  const { limit = 0, consumed, level } = state
  const reached = Math.max(level, levelOf(consumed, limit))
  const told = LEVELS.filter((each) => each > level && each <= reached).map((each) => ({ level: each, consumed, limit }))
  return { state: { ...state, level: reached }, told }
}

function levelOf(consumed: number, limit: number): number {
  if (consumed === 0) return 0
  return limit === 0 ? 100 : Math.min(100, Math.floor((consumed * 100) / limit))
}
