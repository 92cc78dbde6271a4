import {
  applicationOf,
  consumedIn,
  DAY,
  figures,
  MINUTE,
  type Model,
  type Period,
  periodOf,
  periodsSince,
  type Task,
  type User,
  userOf,
} from './model.ts'

const LEVELS = Array.from({ length: 100 }, (_, i) => i + 1)

/** Counts a batch: each id once, with its first content. Tasks that are too old or too far ahead do not count. */
export function consume(model: Model, batch: readonly Task[]): void {
  const fresh = new Map<User, number[]>()
  for (const { id, application, user: name, at } of batch) {
    if (at < model.now - 35 * DAY || at > model.now + 5 * MINUTE) continue
    const user = userOf(model, applicationOf(model, application), name)
    if (model.counted.has(id)) continue
    model.counted.add(id)
    fresh.set(user, [...(fresh.get(user) ?? []), at])
  }
  for (const [user, times] of fresh) {
    const anchor = user.anchor ?? Math.min(...times)
    user.anchor = anchor
    const placed = times.map((at) => ({ at, period: periodOf(anchor, user.application.lengths, at) }))
    for (const { period } of placed) forgetLostLevels(user, period)
    for (const { at, period } of placed) {
      user.tasks.push(at)
      deliver(model, user, period)
    }
  }
}

export function setLimits(model: Model, application: string, limits: readonly { readonly user: string; readonly limit: number }[]): void {
  for (const { user: name, limit } of limits) setLimit(model, userOf(model, applicationOf(model, application), name), limit)
}

/** Sets the limit of every existing user of the workspace. */
export function setAll(model: Model, limit: number): void {
  for (const user of model.users) if (user.application.owned) setLimit(model, user, limit)
}

/** Assigns an application to the workspace and sets a period length. Existing users get the default limit. */
export function provision(model: Model, name: string, days: number | undefined): void {
  const application = applicationOf(model, name, days)
  if (days !== undefined && days !== application.lengths.at(-1)?.days) application.lengths.push({ days, from: model.now })
  if (application.owned) return
  application.owned = true
  for (const user of model.users) if (user.application === application) setLimit(model, user, model.defaultLimit)
}

function setLimit(model: Model, user: User, limit: number): void {
  user.limit = limit
  for (const period of periodsSince(model, user)) {
    forgetLostLevels(user, period)
    deliver(model, user, period)
  }
}

/** Forgets the reached levels that the user is now below because the limit was raised. They can be reached again. */
function forgetLostLevels(user: User, period: Period): void {
  const reached = user.reached.get(period.startsAt)
  const consumed = consumedIn(user, period)
  for (const level of reached ?? []) if (!isReached(user, consumed, level)) reached?.delete(level)
}

/** Adds a delivery for each newly reached level and each existing subscription to it. */
function deliver(model: Model, user: User, period: Period): void {
  if (user.limit === null) return
  const reached = user.reached.get(period.startsAt) ?? new Set()
  user.reached.set(period.startsAt, reached)
  const consumed = consumedIn(user, period)
  const fresh = LEVELS.filter((level) => !reached.has(level) && isReached(user, consumed, level))
  const body = fresh.length === 0 ? {} : figures(model, user, period)
  for (const level of fresh) {
    reached.add(level)
    for (const [subscription, { levels, live }] of model.subscriptions.entries()) {
      if (!live || !levels.includes(level)) continue
      const { application, name } = user
      model.deliveries.push({ subscription, application: application.name, user: name, startsAt: period.startsAt, level, body })
    }
  }
}

function isReached({ limit }: User, consumed: number, level: number): boolean {
  return limit !== null && consumed > 0 && consumed * 100 >= limit * level
}
