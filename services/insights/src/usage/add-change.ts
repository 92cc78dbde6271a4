import { Refusal } from '@onward/runtime'
import { type Change, countReevaluations, insertReevaluation } from '../db/reevaluations.ts'
import type { Db } from '../db/tables.ts'

/** Whoever locks a user takes it through all of them in one transaction. */
const MAX_CHANGES = 100
/** One pass takes all of them to their users. */
const RETRY_AFTER_SECONDS = 5

/** Sends a change on its way to a partner's users. Throws `too_many_changes` (429). Whoever asks holds the partner's lock. */
export async function addChange(tx: Db, partnerId: string, change: Omit<Change, 'at'>): Promise<void> {
  if ((await countReevaluations(tx, partnerId)) >= MAX_CHANGES) {
    throw new Refusal('too_many_changes', `${MAX_CHANGES} changes are on their way to users already; try again`, [], RETRY_AFTER_SECONDS)
  }
  await insertReevaluation(tx, partnerId, change)
}
