import { inTime } from '@onward/runtime'
import type { Context } from '../context.ts'
import { takeDueStates } from '../db/limit-states.ts'
import { publishLimitStates } from './publish-limit-states.ts'

const PAGE = 500
/** While nobody reads them, messages must not fill the queue's store. */
const MAX_WAITING = 100
const COUNT_MS = 5_000

/** Tells functions what a process that died or a lost queue did not, and confirms the rest before functions forgets it. */
export async function publishDue(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const states = await takeDueStates(ctx.db, PAGE)
    if (states.length === 0 || (await inTime(COUNT_MS, ctx.limitStates.getWaitingCount())) > MAX_WAITING) return
    await publishLimitStates(ctx, states)
    if (states.length < PAGE) return
  }
}
