import type { Context } from '../context.ts'
import { endPass, movePass, takePass } from '../db/reevaluations.ts'
import type { Db } from '../db/tables.ts'
import { lockNextUsers } from '../db/users.ts'
import { catchUp } from './catch-up.ts'
import { type Due, NOTHING_DUE } from './due.ts'
import { sendDue } from './send-due.ts'
import { withOwners } from './with-owners.ts'

/** Users in one transaction: few enough that tasks counted meanwhile wait only briefly. */
const PAGE = 500

/** Takes changes to all users that they touch. Whoever locks a user meanwhile has it catch up by itself. */
export async function reevaluate(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await ctx.db.transaction().execute(reevaluatePage)
    if (due === undefined) return
    await sendDue(ctx, due)
  }
}

/** One page of one partner's pass. Undefined when there is nothing to do. */
async function reevaluatePage(tx: Db): Promise<Due | undefined> {
  const pass = await takePass(tx)
  if (pass === undefined) return undefined
  const users = await lockNextUsers(tx, pass.partnerId, pass.after, PAGE)
  const last = users.at(-1)
  if (last === undefined) {
    await endPass(tx, pass)
    return NOTHING_DUE
  }
  await movePass(tx, pass.id, last)
  return (await catchUp(tx, await withOwners(tx, users))).due
}
