import type { PastPrompt } from '@onward/predict'
import { sql } from 'kysely'
import { deletePredictions } from './predictions.ts'
import type { Db } from './tables.ts'

/** Maximum number of past prompts per function of an application, and per application. */
const FUNCTION_MAX = 30
const APPLICATION_MAX = 20_000

/**
 * Returns the id of an application's newest past prompt; null when there is none, or the application does not learn. `kept` is false when
 * the prompt `held`, which was the newest before, no longer exists: the past prompts were cleared.
 */
export async function findNewestPast(
  db: Db,
  appKey: string,
  held: string | null,
): Promise<{ readonly newest: string | null; readonly kept: boolean }> {
  const { rows } = await sql<{ newest: string | null; kept: boolean }>`
    select (select max(p.id) from past_prompt p where p.app_key = a.app_key) as newest,
      exists (select from past_prompt p where p.app_key = a.app_key and p.id = ${held}::bigint) as kept
    from application a where app_key = ${appKey} and learn_from_use`.execute(db)
  return rows[0] ?? { newest: null, kept: false }
}

/** Returns an application's past prompts, newest first. */
export async function selectPastPrompts(db: Db, appKey: string): Promise<(PastPrompt & { readonly id: string })[]> {
  return await db
    .selectFrom('past_prompt')
    .select(['id', 'function_name as function', 'prompt', 'doubt'])
    .where('app_key', '=', appKey)
    .orderBy('id', 'desc')
    .execute()
}

/** Deletes all that an application has learnt. `tx` must be a transaction. Returns false for an unknown App-Key. */
export async function forgetPast(tx: Db, appKey: string): Promise<boolean> {
  // Writers of predictions and past prompts lock this row too. So what they are writing exists, and is deleted, after this lock.
  const { rows } = await sql`select from application where app_key = ${appKey} for no key update`.execute(tx)
  if (rows.length === 0) return false
  await deletePredictions(tx, appKey)
  await deletePastPrompts(tx, appKey)
  return true
}

async function deletePastPrompts(db: Db, appKey: string): Promise<void> {
  await db.deleteFrom('past_prompt').where('app_key', '=', appKey).execute()
}

/** Deletes the oldest past prompts beyond the maximum. */
export async function trimPastPrompts(db: Db, appKeys: readonly string[]): Promise<void> {
  await sql`
    delete from past_prompt where id in (
      select id from (
        select id, nth, row_number() over (partition by app_key, nth > ${FUNCTION_MAX} order by called_at desc, id desc) as nth_of_all
        from (
          select id, app_key, called_at,
            row_number() over (partition by app_key, function_name order by called_at desc, id desc) as nth
          from past_prompt where app_key = any(${appKeys}::text[])
        ) numbered
      ) numbered
      where nth > ${FUNCTION_MAX} or nth_of_all > ${APPLICATION_MAX}
    )`.execute(db)
}
