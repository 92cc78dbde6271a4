import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** A prediction that was returned to a user. */
export type Prediction = {
  readonly appKey: string
  readonly userId: string
  /** The part of the prompt that is stored. */
  readonly prompt: string
  /** The predicted functions, each with the uncertainty of the prediction: 0 to 1. */
  readonly functions: readonly { readonly name: string; readonly doubt: number }[]
  /** The time since the prediction, in ms. */
  readonly ageMs: number
}

/** Maximum number of stored predictions per user, and per application. */
const USER_MAX = 20
const APPLICATION_MAX = 10_000

/** Stores predictions of applications that learn from use. Only the newest ones of each user are kept. */
export async function insertPredictions(db: Db, predictions: readonly Prediction[]): Promise<void> {
  const keys = predictions.map(({ appKey }) => appKey)
  const users = predictions.map(({ userId }) => userId)
  await db.transaction().execute(async (tx) => {
    // A request that turns learning off waits for this lock, and then deletes these rows too.
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
          order by id desc offset ${USER_MAX} for update skip locked
        ) old
      )`.execute(tx)
  })
}

/** Returns an array in the text form of Postgres. Function names and numbers need no quotes in it. */
function arrayOf(items: readonly (string | number)[]): string {
  return `{${items.join(',')}}`
}

/**
 * Deletes the oldest predictions of each application beyond the maximum. Skips rows that another transaction has locked.
 * Reads the predictions of the last 12 minutes, because older ones are deleted.
 */
export async function trimPredictions(db: Db): Promise<void> {
  await sql`
    delete from prediction where id in (
      select id from prediction where id in (
        select id from (select id, row_number() over (partition by app_key order by id desc) as nth from prediction) numbered
        where nth > ${APPLICATION_MAX}
      ) for update skip locked
    )`.execute(db)
}
