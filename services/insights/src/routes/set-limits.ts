import { type Body, setAllLimits, setDefaultLimit, setUserLimits } from '@onward/contract'
import * as workspaces from '../db/workspaces.ts'
import { userIdProblem } from '../rules/ids.ts'
import * as limits from '../usage/set-limits.ts'
import { invalidParameters, requireApplication, route } from './route.ts'

export const setUserLimitsRoute = route(setUserLimits, async (ctx, { query, body, caller }) => {
  const problems = problemsOf(body, '')
  if (problems.length > 0) throw invalidParameters(...problems)
  const { appKey } = await requireApplication(ctx.db, caller, query.app_key)
  const byUser = new Map(body.map((item) => [item.user_id, item.allowed_tasks]))
  await ctx.runFollowUp(await limits.setUserLimits(ctx.db, caller.workspaceId, appKey, byUser))
  return { success: 'true' } as const
})

export const setDefaultLimitRoute = route(setDefaultLimit, async (ctx, { body, caller }) => {
  await workspaces.setDefaultLimit(ctx.db, caller.workspaceId, body.tasks_limit)
  return { success: 'true' } as const
})

export const setAllLimitsRoute = route(setAllLimits, async (ctx, { body, caller }) => {
  await ctx.runFollowUp(await limits.setAllLimits(ctx.db, caller.workspaceId, body.tasks_limit))
  return { success: 'true' } as const
})

/** Returns the problems that the schema cannot find. `path` is where the items are in the body. */
export function problemsOf(items: Body<typeof setUserLimits>, path: string): string[] {
  const firstAt = new Map<string, number>()
  return items.flatMap(({ user_id }, i) => {
    const problem = userIdProblem(user_id)
    if (problem !== undefined) return [`${path}[${i}].user_id: ${problem}`]
    const first = firstAt.get(user_id)
    if (first !== undefined) return [`${path}[${i}].user_id: is the same as ${path}[${first}].user_id`]
    firstAt.set(user_id, i)
    return []
  })
}
