import type { PastPrompt } from '@onward/predict'
import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Maximum number of past prompts of a user. Users do not share a maximum, so that one user cannot remove the past prompts of another. */
const USER_MAX = 200
/** Maximum number of shared prompts per function of an application, and per application. */
const FUNCTION_MAX = 30
const APPLICATION_MAX = 20_000

/** Identifies the state of past prompts. It changes when prompts are added, called again or removed. */
type PastState = {
  /** Of the user's own past prompts; null when there are none. */
  readonly own: string | null
  /** The id of the newest shared prompt; null when there is none or the application does not share what is learnt. */
  readonly shared: string | null
  /** False when the shared prompt `known` no longer exists, because the prompts were cleared. */
  readonly knownExists: boolean
}

/** Returns the state of the past prompts that count for a user. `known` is the newest shared prompt of an earlier read. */
export async function findPastState(db: Db, appKey: string, userId: string, known: string | null): Promise<PastState> {
  const { rows } = await sql<PastState>`
    select (select count(*) || ' ' || max(called_at) || ' ' || max(id) from user_prompt u
        where u.app_key = a.app_key and u.user_id = ${userId} having count(*) > 0) as own,
      (select max(s.id) from shared_prompt s where s.app_key = a.app_key and a.share_learning) as shared,
      exists (select from shared_prompt s where s.app_key = a.app_key and s.id = ${known}::bigint) as "knownExists"
    from application a where app_key = ${appKey} and learn_from_use`.execute(db)
  return rows[0] ?? { own: null, shared: null, knownExists: false }
}

/** Returns the past prompts of a user, the last called first. A user has at most 200. */
export async function selectUserPrompts(db: Db, appKey: string, userId: string): Promise<PastPrompt[]> {
  return await db
    .selectFrom('user_prompt')
    .select(['function_name as function', 'prompt', 'doubt'])
    .where('app_key', '=', appKey)
    .where('user_id', '=', userId)
    .orderBy('called_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Returns the shared prompts of an application, newest first. An application has at most 20,000. */
export async function selectSharedPrompts(db: Db, appKey: string): Promise<(PastPrompt & { readonly id: string })[]> {
  return await db
    .selectFrom('shared_prompt')
    .select(['id', 'function_name as function', 'prompt', 'doubt'])
    .where('app_key', '=', appKey)
    .orderBy('id', 'desc')
    .execute()
}

/** Deletes the shared prompts of an application. There are at most 20,000. */
export async function forgetShared(db: Db, appKey: string): Promise<void> {
  await db.deleteFrom('shared_prompt').where('app_key', '=', appKey).execute()
}

/** The number of rows per statement when users' past prompts are deleted. */
const FORGET_STEP = 5_000

/** Deletes the predictions and past prompts of an application. Returns false for an unknown App-Key. Deletes pages of 5,000. */
export async function forgetPast(db: Db, appKey: string): Promise<boolean> {
  const newest = await db.transaction().execute(async (tx) => {
    // Transactions that insert predictions or past prompts lock this row too. This waits until they end, and then deletes their rows as well.
    const { rows } = await sql`select from application where app_key = ${appKey} for no key update`.execute(tx)
    if (rows.length === 0) return undefined
    for (const table of ['prediction', 'shared_prompt', 'past_prompt'] as const) {
      await tx.deleteFrom(table).where('app_key', '=', appKey).execute()
    }
    const found = await sql<{ id: string }>`select coalesce(max(id), 0) as id from user_prompt`.execute(tx)
    return found.rows[0]?.id
  })
  if (newest === undefined) return false
  // Without the predictions, no older prompt can be learnt any more. An application can have too many users for one statement.
  let deleted = FORGET_STEP
  while (deleted === FORGET_STEP) {
    const { numAffectedRows = 0n } = await sql`
      delete from user_prompt where id in (
        select id from user_prompt where app_key = ${appKey} and id <= ${newest}::bigint limit ${FORGET_STEP}
      )`.execute(db)
    deleted = Number(numAffectedRows)
  }
  return true
}

/** Deletes the oldest past prompts of these users beyond their maximum. A user has few more than 200. */
export async function trimUserPrompts(db: Db, users: readonly UserKey[]): Promise<void> {
  const keys = users.map(({ appKey }) => appKey)
  const ids = users.map(({ userId }) => userId)
  await sql`
    delete from user_prompt where id in (
      select old.id from (select distinct * from unnest(${keys}::text[], ${ids}::text[]) as t (app_key, user_id)) learnt
      cross join lateral (
        select id from user_prompt u where u.app_key = learnt.app_key and u.user_id = learnt.user_id
        order by called_at desc, id desc offset ${USER_MAX}
      ) old
    )`.execute(db)
}

/**
 * Deletes the oldest shared prompts beyond the maximum of each function, then those beyond the maximum of the application.
 * Few are beyond, because this runs after each insert.
 */
export async function trimSharedPrompts(db: Db, appKeys: readonly string[]): Promise<void> {
  await sql`
    delete from shared_prompt where id in (
      select id from (
        select id, nth, row_number() over (partition by app_key, nth > ${FUNCTION_MAX} order by called_at desc, id desc) as nth_of_all
        from (
          select id, app_key, called_at,
            row_number() over (partition by app_key, function_name order by called_at desc, id desc) as nth
          from shared_prompt where app_key = any(${appKeys}::text[])
        ) numbered
      ) numbered
      where nth > ${FUNCTION_MAX} or nth_of_all > ${APPLICATION_MAX}
    )`.execute(db)
}
