import { DOT_SEGMENTS, getUserTaskHistory, getUserTasks } from '@onward/contract'
import { isStorable, Refusal } from '@onward/runtime'
import { readDays, readUsage } from '../db/periods.ts'
import { currentUsage, taskStatus } from '../rules/status.ts'
import { dateOf, dayOf } from '../rules/usage-days.ts'
import { invalidParameters, requireApplication, route } from './route.ts'

/** Days in a history without `since` and `until`. */
const DEFAULT_DAYS = 30
const MAX_DAYS = 366

export const getUserTasksRoute = route(getUserTasks, async (ctx, { params, query, caller }) => {
  checkUserId(params.id)
  const application = await requireApplication(ctx.db, caller, query.app_key)
  const usage = await readUsage(ctx.db, { appKey: application.appKey, userId: params.id })
  if (usage === undefined) throw new Refusal('user_not_found', 'there is no such user')
  return taskStatus(currentUsage(usage, application), usage.now)
})

export const getUserTaskHistoryRoute = route(getUserTaskHistory, async (ctx, { params, query, caller }) => {
  checkUserId(params.id)
  const application = await requireApplication(ctx.db, caller, query.app_key)
  const user = { appKey: application.appKey, userId: params.id }
  const usage = await readUsage(ctx.db, user)
  if (usage === undefined) throw new Refusal('user_not_found', 'there is no such user')
  const { first, last } = readRange(query, usage.now)
  const consumed = new Map((await readDays(ctx.db, user, first, last)).map((each) => [each.day, each.consumed]))
  const days = Array.from({ length: last - first + 1 }, (_, i) => ({
    date: dateOf(first + i),
    tasks_consumed: consumed.get(first + i) ?? 0,
  }))
  return { user_id: params.id, days }
})

function checkUserId(id: string): void {
  if (!isStorable(id)) throw new Refusal('invalid_user_id', 'the user id is not valid', ['id: must not hold NUL'])
  if (DOT_SEGMENTS.includes(id)) throw new Refusal('invalid_user_id', 'the user id is not valid', ['id: must not be "." or ".."'])
}

/** Returns the first and the last requested day, as numbers of days since 1970-01-01 in UTC. */
function readRange({ since, until }: { since?: string; until?: string }, now: Date): { first: number; last: number } {
  const last = dayOf(until === undefined ? now : new Date(until))
  const first = since === undefined ? last - DEFAULT_DAYS + 1 : dayOf(new Date(since))
  if (first > last) throw invalidParameters(`since: must not be after ${until === undefined ? 'today' : 'until'}`)
  if (last - first >= MAX_DAYS) throw invalidParameters(`since: must be at most ${MAX_DAYS} days before the end, both days included`)
  return { first, last }
}
