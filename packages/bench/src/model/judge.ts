import { figures } from './figures.ts'
import type { Model, User, Window } from './rules.ts'
import { consumedIn, windowsSince } from './window-of.ts'

/** Arms the levels of a window again that its user is below: a raised limit did that. */
export function arm(user: User, window: Window): void {
  const told = user.told.get(window.startsAt)
  const consumed = consumedIn(user, window)
  for (const level of told ?? []) if (!passed(user, consumed, level)) told?.delete(level)
}

/** Tells the levels of a window that are passed and were not told, to the subscriptions that there are. */
export function tell(model: Model, user: User, window: Window): void {
  if (user.limit === null) return
  const told = user.told.get(window.startsAt) ?? new Set()
  user.told.set(window.startsAt, told)
  const consumed = consumedIn(user, window)
  const reached = levels().filter((level) => !told.has(level) && passed(user, consumed, level))
  const body = reached.length === 0 ? {} : figures(model, user, window)
  for (const level of reached) {
    told.add(level)
    for (const [subscription, { events, live }] of model.subscriptions.entries()) {
      if (!live || !events.includes(level)) continue
      model.notices.push({ subscription, application: user.application.name, user: user.name, startsAt: window.startsAt, level, body })
    }
  }
}

/** Looks at the window that is current and at those ahead, after the limit has changed. */
export function judge(model: Model, user: User): void {
  for (const window of windowsSince(model, user)) {
    arm(user, window)
    tell(model, user, window)
  }
}

function passed({ limit }: User, consumed: number, level: number): boolean {
  return limit !== null && consumed > 0 && consumed * 100 >= limit * level
}

function levels(): number[] {
  return Array.from({ length: 100 }, (_, i) => i + 1)
}
