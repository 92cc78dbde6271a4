import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** An answered prediction. */
export type Prediction = {
  readonly appKey: string
  readonly userId: string
  /** What is kept of the prompt. */
  readonly prompt: string
  /** The functions that were answered, with how unsure of each the prediction was: 0 to 1. */
  readonly functions: readonly { readonly name: string; readonly doubt: number }[]
  /** How long ago that was. */
  readonly ageMs: number
}

/** How many predictions of one user are kept, */
const USER_MOST = 20
/** and of one application. */
const APPLICATION_MOST = 10_000

/** Notes predictions of applications that learn from use; of each user the last ones stay. */
export async function insertPredictions(db: Db, predictions: readonly Prediction[]): Promise<void> {
  const keys = predictions.map(({ appKey }) => appKey)
  const users = predictions.map(({ userId }) => userId)
  await db.transaction().execute(async (tx) => {
    // The lock makes whoever turns learning off wait, so that what is noted here is removed then.
    await sql`
      with learning as (
        select app_key from application where learn_from_use and app_key = any(${keys}::text[]) order by app_key for share
      )
      insert into prediction (app_key, user_id, prompt, functions, doubts, predicted_at)
      select app_key, user_id, prompt, functions::text[], doubts::real[], now() - make_interval(secs => age_ms / 1000)
      from unnest(
        ${keys}::text[], ${users}::text[], ${predictions.map(({ prompt }) => prompt)}::text[],
        ${predictions.map(({ functions }) => arrayOf(functions.map(({ name }) => name)))}::text[],
        ${predictions.map(({ functions }) => arrayOf(functions.map(({ doubt }) => doubt)))}::text[],
        ${predictions.map(({ ageMs }) => ageMs)}::float8[]
      ) with ordinality as given (app_key, user_id, prompt, functions, doubts, age_ms, nth)
      join learning using (app_key)
      order by nth`.execute(tx)
    await sql`
      delete from prediction where id in (
        select old.id from (select distinct * from unnest(${keys}::text[], ${users}::text[]) as t (app_key, user_id)) noted
        cross join lateral (
          select id from prediction p where p.app_key = noted.app_key and p.user_id = noted.user_id
          order by id desc offset ${USER_MOST} for update skip locked
        ) old
      )`.execute(tx)
  })
}

/** As Postgres writes an array; names of functions hold nothing that it would quote. */
function arrayOf(items: readonly (string | number)[]): string {
  return `{${items.join(',')}}`
}

/** Removes what an application's users were predicted lately. */
export async function deletePredictions(db: Db, appKey: string): Promise<void> {
  await db.deleteFrom('prediction').where('app_key', '=', appKey).execute()
}

/** Leaves each application its last predictions. Whoever locks one of them is at work on it. */
export async function trimPredictions(db: Db): Promise<void> {
  await sql`
    delete from prediction where id in (
      select id from prediction where id in (
        select id from (select id, row_number() over (partition by app_key order by id desc) as nth from prediction) numbered
        where nth > ${APPLICATION_MOST}
      ) for update skip locked
    )`.execute(db)
}
