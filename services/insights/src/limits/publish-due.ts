import type { Context } from '../context.ts'
import { takeDueStates } from '../db/limit-states.ts'
import { hasRoom } from './has-room.ts'
import { publishLimitStates } from './publish-limit-states.ts'

const PAGE = 500

/** Tells functions what a process that died or a lost queue did not, and confirms the rest before functions forgets it. */
export async function publishDue(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await hasRoom(ctx))) {
    const states = await takeDueStates(ctx.db, PAGE)
    if (states.length === 0) return
    await publishLimitStates(ctx, states)
    if (states.length < PAGE) return
  }
}
