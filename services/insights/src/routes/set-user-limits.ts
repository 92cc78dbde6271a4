import * as endpoints from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { sendDue } from '../usage/send-due.ts'
import { setLimits } from '../usage/set-limits.ts'
import { userIdProblem } from '../usage/user-id-problem.ts'
import { requireApplication } from './require-application.ts'
import { route } from './route.ts'

type Items = endpoints.Body<typeof endpoints.setUserLimits>

export const setUserLimits = route(endpoints.setUserLimits, async (ctx, { query, body, caller }) => {
  const problems = problemsOf(body)
  if (problems.length > 0) throw new Refusal('invalid_parameters', 'the parameters are not valid', problems)
  const application = await requireApplication(ctx.db, caller, query.app_key)
  const limits = new Map(body.map((item) => [item.user_id, item.allowed_tasks]))
  await sendDue(ctx, await setLimits(ctx.db, caller.partnerId, application.appKey, limits))
  return { success: 'true' } as const
})

/** What the schema can't say. */
function problemsOf(items: Items): string[] {
  const firstAt = new Map<string, number>()
  return items.flatMap(({ user_id }, i) => {
    const problem = userIdProblem(user_id)
    if (problem !== undefined) return [`[${i}].user_id: ${problem}`]
    const first = firstAt.get(user_id)
    if (first !== undefined) return [`[${i}].user_id: is the same as [${first}].user_id`]
    firstAt.set(user_id, i)
    return []
  })
}
