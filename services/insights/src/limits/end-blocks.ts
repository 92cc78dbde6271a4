import type { Context } from '../context.ts'
import { endedBlocks } from '../db/limit-states.ts'
import { readUsages } from '../db/periods.ts'
import { lockUsers } from '../db/users.ts'
import { publishLimitStates } from './publish-limit-states.ts'
import { settleLimitStates } from './settle-limit-states.ts'

const PAGE = 500

/** Looks at users whose window has ended: most are free again, and those with a limit of 0 are blocked for the next one. */
export async function endBlocks(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const keys = await endedBlocks(ctx.db, PAGE)
    if (keys.length === 0) return
    const states = await ctx.db.transaction().execute(async (tx) => {
      await lockUsers(tx, keys)
      return await settleLimitStates(tx, await readUsages(tx, keys))
    })
    await publishLimitStates(ctx, states)
    if (keys.length < PAGE) return
  }
}
