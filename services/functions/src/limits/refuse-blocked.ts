import { Refusal } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import type { Context } from '../context.ts'

/** Throws `task_limit_reached` (429) when the caller is known to have used up the limit. Asks nobody. */
export function refuseBlocked(ctx: Context, caller: Caller): void {
  const blockedMs = ctx.limits.blockedMs(caller)
  if (blockedMs === 0) return
  ctx.measured.refused.inc()
  throw new Refusal('task_limit_reached', 'the limit of tasks is used up; nothing was called', [], Math.ceil(blockedMs / 1_000))
}
