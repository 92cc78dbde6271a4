import { sql } from 'kysely'
import { deletePastPrompts } from './past-prompts.ts'
import { deletePredictions } from './predictions.ts'
import type { Db } from './tables.ts'

/** Removes all that an application learnt or was about to learn, within a transaction. False for an unknown App-Key. */
export async function forgetPast(tx: Db, appKey: string): Promise<boolean> {
  // Whoever notes or learns locks the row too: what they are at is there to be removed afterwards.
  const { rows } = await sql`select from application where app_key = ${appKey} for no key update`.execute(tx)
  if (rows.length === 0) return false
  await deletePredictions(tx, appKey)
  await deletePastPrompts(tx, appKey)
  return true
}
