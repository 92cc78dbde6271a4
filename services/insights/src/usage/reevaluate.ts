import type { Context } from '../context.ts'
import { endPass, movePass, takePass, takeTurn } from '../db/reevaluations.ts'
import type { Db } from '../db/tables.ts'
import { lockNextUsers } from '../db/users.ts'
import { catchUp } from './catch-up.ts'
import { type Due, NOTHING_DUE } from './due.ts'
import { sendDue } from './send-due.ts'
import { mostDeliveries, TooManyDeliveries } from './too-many-deliveries.ts'
import { withOwners } from './with-owners.ts'

/** Users in one transaction: few enough that tasks counted meanwhile wait only briefly. */
const PAGE = 500
/** For so long other passes go on once a page has failed, before that is told and tried again. */
const GO_ON_MS = 5_000

/**
 * Takes changes to all users that they touch. Whoever locks a user meanwhile has it catch up by itself. A page that fails leaves its pass
 * for the next time, and other passes go on first; then the first failure is thrown.
 */
export async function reevaluate(ctx: Context, signal: AbortSignal): Promise<void> {
  const failures = new Map<string, unknown>()
  const sizes = new Map<string, number>()
  let until = Number.POSITIVE_INFINITY
  while (!signal.aborted && Date.now() < until) {
    const id = await takeTurn(ctx.db, [...failures.keys()])
    if (id === undefined) break
    try {
      await sendDue(ctx, await takePage(ctx, id, sizes))
    } catch (err) {
      failures.set(id, err)
      until = Math.min(until, Date.now() + GO_ON_MS)
    }
  }
  for (const err of failures.values()) throw err
}

/** One page of a pass, of as many users as can be told in a transaction; `sizes` holds how many that were last. */
async function takePage(ctx: Context, id: string, sizes: Map<string, number>): Promise<Due> {
  for (let size = Math.min(PAGE, 2 * (sizes.get(id) ?? PAGE)); ; size = Math.ceil(size / 2)) {
    sizes.set(id, size)
    try {
      return await ctx.db.transaction().execute((tx) => reevaluatePage(tx, id, size))
    } catch (err) {
      if (!(err instanceof TooManyDeliveries)) throw err
    }
  }
}

async function reevaluatePage(tx: Db, id: string, size: number): Promise<Due> {
  const pass = await takePass(tx, id)
  if (pass === undefined) return NOTHING_DUE
  const users = await lockNextUsers(tx, pass.partnerId, pass.after, size)
  const last = users.at(-1)
  if (last === undefined) {
    await endPass(tx, pass)
    return NOTHING_DUE
  }
  await movePass(tx, pass.id, last)
  return (await catchUp(tx, await withOwners(tx, users), mostDeliveries(users.length))).due
}
