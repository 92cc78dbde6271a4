import type { PastPrompt } from '@onward/predict'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** How many past prompts of a function are kept for an application, */
const FUNCTION_MOST = 30
/** and of all functions together. */
const APPLICATION_MOST = 20_000

/**
 * The number of an application's newest past prompt; null when there is none, or none is to be used. `kept`: whether the one that was the
 * newest before, `held`, is still there; else the past was cleared.
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

/** The newest first. */
export async function selectPastPrompts(db: Db, appKey: string): Promise<(PastPrompt & { readonly id: string })[]> {
  return await db
    .selectFrom('past_prompt')
    .select(['id', 'function_name as function', 'prompt', 'doubt'])
    .where('app_key', '=', appKey)
    .orderBy('id', 'desc')
    .execute()
}

export async function deletePastPrompts(db: Db, appKey: string): Promise<void> {
  await db.deleteFrom('past_prompt').where('app_key', '=', appKey).execute()
}

/** Leaves applications the newest past prompts only, as many as are kept. */
export async function trimPastPrompts(db: Db, appKeys: readonly string[]): Promise<void> {
  await sql`
    delete from past_prompt where id in (
      select id from (
        select id, nth, row_number() over (partition by app_key, nth > ${FUNCTION_MOST} order by called_at desc, id desc) as nth_of_all
        from (
          select id, app_key, called_at,
            row_number() over (partition by app_key, function_name order by called_at desc, id desc) as nth
          from past_prompt where app_key = any(${appKeys}::text[])
        ) numbered
      ) numbered
      where nth > ${FUNCTION_MOST} or nth_of_all > ${APPLICATION_MOST}
    )`.execute(db)
}
