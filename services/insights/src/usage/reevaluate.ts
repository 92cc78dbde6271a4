import type { Context } from '../context.ts'
import { countReevaluations, endPass, movePass, takePass, takeTurn } from '../db/reevaluations.ts'
import { countSubscriptions } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'
import { lockNextUsers } from '../db/users.ts'
import { catchUp } from './catch-up.ts'
import { type Due, NOTHING_DUE } from './due.ts'
import { sendDue } from './send-due.ts'
import { usersPerTransaction } from './tell.ts'
import { withOwners } from './with-owners.ts'

/** For so long other passes go on once a page has failed, before that is told and tried again. */
const GO_ON_MS = 5_000

/**
 * Takes changes to all users that they touch. Whoever locks a user meanwhile has it catch up by itself. A page that fails leaves its pass
 * for the next time, and other passes go on first; then the first failure is thrown.
 */
export async function reevaluate(ctx: Context, signal: AbortSignal): Promise<void> {
  const failures = new Map<string, unknown>()
  let until = Number.POSITIVE_INFINITY
  while (!signal.aborted && Date.now() < until) {
    const id = await takeTurn(ctx.db, [...failures.keys()])
    if (id === undefined) break
    try {
      await sendDue(ctx, await ctx.db.transaction().execute((tx) => takePage(tx, id)))
    } catch (err) {
      failures.set(id, err)
      until = Math.min(until, Date.now() + GO_ON_MS)
    }
  }
  for (const err of failures.values()) throw err
}

async function takePage(tx: Db, id: string): Promise<Due> {
  const pass = await takePass(tx, id)
  if (pass === undefined) return NOTHING_DUE
  const { events } = await countSubscriptions(tx, pass.partnerId)
  const size = usersPerTransaction(events, await countReevaluations(tx, pass.partnerId))
  const users = await lockNextUsers(tx, pass.partnerId, pass.after, size)
  const last = users.at(-1)
  if (last === undefined) {
    await endPass(tx, pass)
    return NOTHING_DUE
  }
  await movePass(tx, pass.id, last)
  return (await catchUp(tx, await withOwners(tx, users))).due
}
