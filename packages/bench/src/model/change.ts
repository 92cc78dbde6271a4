import { arm, judge, tell } from './judge.ts'
import { applicationOf, DAY, MINUTE, type Model, type Task, type User, userOf, type Window } from './rules.ts'
import { windowOf } from './window-of.ts'

/** Counts a batch: each id once, the first content of it; what is too old or too far ahead not at all. */
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
    const windows = times.map((at) => windowOf(anchor, user.application.lengths, at))
    for (const window of windows) arm(user, window)
    times.forEach((at, i) => {
      user.tasks.push(at)
      tell(model, user, windows[i] as Window)
    })
  }
}

export function setLimits(model: Model, application: string, limits: readonly { readonly user: string; readonly limit: number }[]): void {
  for (const { user: name, limit } of limits) {
    const user = userOf(model, applicationOf(model, application), name)
    user.limit = limit
    judge(model, user)
  }
}

/** Sets the limit of every user that there is. */
export function setAll(model: Model, limit: number): void {
  for (const user of model.users) {
    if (!user.application.owned) continue
    user.limit = limit
    judge(model, user)
  }
}

/** Gives an application to the partner and sets a length; users who came before get the default. */
export function provision(model: Model, name: string, days: number | undefined): void {
  const application = applicationOf(model, name, days)
  if (days !== undefined && days !== application.lengths.at(-1)?.days) application.lengths.push({ days, from: model.now })
  if (application.owned) return
  application.owned = true
  for (const user of model.users) {
    if (user.application !== application) continue
    user.limit = model.defaultLimit
    judge(model, user)
  }
}
