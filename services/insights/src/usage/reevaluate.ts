import type { Context } from '../context.ts'
import { readPartners } from '../db/partners.ts'
import { readUsages } from '../db/periods.ts'
import { deleteReevaluation, moveReevaluation, takeReevaluation } from '../db/reevaluations.ts'
import type { Db } from '../db/tables.ts'
import { lockNextUsers } from '../db/users.ts'
import { enqueueDeliveries } from '../events/enqueue.ts'
import { recheckLevels } from './recheck.ts'

/** Users in one transaction: few enough that tasks counted meanwhile wait only briefly. */
const PAGE = 500

/** Works off what bulk changes have left to do: looking at the levels of all users that they touch. */
export async function reevaluate(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await ctx.db.transaction().execute(reevaluatePage)
    if (due === undefined) return
    await enqueueDeliveries(ctx, due)
  }
}

/** One page of the oldest change. Undefined when there is nothing to do. */
async function reevaluatePage(tx: Db): Promise<string[] | undefined> {
  const work = await takeReevaluation(tx)
  if (work === undefined) return undefined
  const users = await lockNextUsers(tx, work.partnerId, work.after, PAGE)
  const last = users.at(-1)
  if (last === undefined) {
    await deleteReevaluation(tx, work.id)
    return []
  }
  await moveReevaluation(tx, work.id, last)
  const partner = (await readPartners(tx, [work.partnerId])).get(work.partnerId)
  return partner === undefined ? [] : await recheckLevels(tx, await readUsages(tx, users), partner)
}
