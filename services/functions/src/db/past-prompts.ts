import type { PastPrompt } from '@onward/predict'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Maximum number of past prompts per function of an application, and per application. */
const FUNCTION_MAX = 30
const APPLICATION_MAX = 20_000

/**
 * Returns the id of an application's newest past prompt; null when there is none, or the application does not learn. `known` is the newest
 * one of an earlier read. `knownExists` is false when it no longer exists, because the past prompts were cleared.
 */
export async function findNewestPast(
  db: Db,
  appKey: string,
  known: string | null,
): Promise<{ readonly newest: string | null; readonly knownExists: boolean }> {
  const { rows } = await sql<{ newest: string | null; knownExists: boolean }>`
    select (select max(p.id) from past_prompt p where p.app_key = a.app_key) as newest,
      exists (select from past_prompt p where p.app_key = a.app_key and p.id = ${known}::bigint) as "knownExists"
    from application a where app_key = ${appKey} and learn_from_use`.execute(db)
  return rows[0] ?? { newest: null, knownExists: false }
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

/** Deletes the predictions and past prompts of an application. `tx` must be a transaction. Returns false for an unknown App-Key. */
export async function forgetPast(tx: Db, appKey: string): Promise<boolean> {
  // Transactions that insert predictions or past prompts lock this row too. This waits until they end, and then deletes their rows as well.
  const { rows } = await sql`select from application where app_key = ${appKey} for no key update`.execute(tx)
  if (rows.length === 0) return false
  await tx.deleteFrom('prediction').where('app_key', '=', appKey).execute()
  await tx.deleteFrom('past_prompt').where('app_key', '=', appKey).execute()
  return true
}

/** Deletes the oldest past prompts beyond the maximum of each function, then those beyond the maximum of the application. */
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
