import { inTime } from '@onward/runtime'
import type { Context } from '../context.ts'

/** While nobody reads them, messages must not fill the queue's store. */
const MAX_WAITING = 100
const COUNT_MS = 5_000

/** Whether functions reads what it is told of limits, so that more may be put into the queue. */
export async function hasRoom(ctx: Context): Promise<boolean> {
  // Those that functions could not store yet are delayed.
  const { waiting, delayed } = await inTime(COUNT_MS, ctx.limitStates.counts())
  return waiting + delayed <= MAX_WAITING
}
