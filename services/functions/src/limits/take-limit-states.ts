import { type LimitState, type LimitStatesJob, limitStatesJob } from '@onward/contract'
import { compileCheck } from '@onward/runtime'
import type { Context } from '../context.ts'
import { storeLimitStates } from '../db/limit-states.ts'

const check = compileCheck(limitStatesJob, 'strict')

/** Stores the states of a message. One that is not a message of ours is passed over: insights tells everything again. */
export async function takeLimitStates(ctx: Context, data: unknown): Promise<void> {
  const problems = check(data)
  if (problems.length > 0) return ctx.log.error({ problems }, 'a message of limit states can not be read')
  const newest = new Map<string, LimitState>()
  for (const state of (data as LimitStatesJob).states) {
    const name = `${state.app_key}\0${state.user_id}`
    if ((newest.get(name)?.seq ?? 0) < state.seq) newest.set(name, state)
  }
  await storeLimitStates(ctx.db, [...newest.values()])
}
