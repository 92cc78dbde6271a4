import { DAY, type Model, type User, type Window } from './rules.ts'
import { consumedIn, currentWindow } from './window-of.ts'

/** The eight fields of a user in a window; without one, nothing was consumed and the whole period is left. */
export function figures(model: Model, user: User, window: Window | undefined) {
  const limit = user.limit
  if (limit === null) throw new Error('nobody can ask for a user without a limit')
  const consumed = window === undefined ? 0 : consumedIn(user, window)
  const days = window === undefined ? (user.application.lengths.at(-1)?.days ?? 0) : (window.endsAt - window.startsAt) / DAY
  const left = window === undefined ? days : Math.ceil((window.endsAt - model.now) / DAY)
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

/** What the list of an application's users answers. */
export function statuses(model: Model, application: string) {
  return model.users
    .filter((user) => user.application.name === application)
    .map((user) => figures(model, user, currentWindow(model, user)))
    .sort((a, b) => (a.user_id < b.user_id ? -1 : 1))
}
