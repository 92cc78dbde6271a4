import { inTime } from '@onward/runtime'
import type { Context } from '../context.ts'
import { type LimitState, markPublished } from '../db/limit-states.ts'
import { hasRoom } from './has-room.ts'

/** States of one message. */
const CHUNK = 500
/** With a store that has never been there, adding would wait for ever. */
const ADD_MS = 5_000

/** Tells functions of states, once they are committed. Never fails: what could not be told is told at the table's next turn. */
export async function publishLimitStates(ctx: Context, states: readonly LimitState[]): Promise<void> {
  if (states.length === 0) return
  try {
    // What is not told now is in the table.
    if (!(await hasRoom(ctx))) return
    for (let start = 0; start < states.length; start += CHUNK) {
      const chunk = states.slice(start, start + CHUNK)
      await inTime(ADD_MS, ctx.limitStates.add({ data: { states: chunk.map(present) } }))
      ctx.counters.published.inc(chunk.length)
      await markPublished(ctx.db, chunk)
    }
  } catch (err) {
    ctx.log.warn({ err }, 'limit states could not be published; they will be')
  }
}

function present({ appKey, userId, seq, blockedUntil }: LimitState) {
  return { app_key: appKey, user_id: userId, seq, blocked_until: blockedUntil?.toISOString() ?? null }
}
