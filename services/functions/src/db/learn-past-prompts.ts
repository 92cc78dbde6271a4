import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import { trimSharedPrompts, trimUserPrompts } from './past-prompts.ts'
import { trimPredictions } from './predictions.ts'
import type { Db } from './tables.ts'

/** The advisory lock of this job. Only one process learns at a time, so that past prompts become visible in the order of their ids. */
export const LEARNING_LOCK = 5_301_749

/**
 * How many users of an application must have called the same function after the same prompt before it counts for all users. One user must
 * not change the predictions of others, and the predictions of others must not reveal what one user asked.
 */
const SHARED_BY = 3
/** The first and the last of these users must be this far apart, so that accounts made for this purpose do not suffice at once. */
const SHARED_OVER = '1 day'
/** The number of past prompts, the oldest first, that show what users called after the same prompt. */
const SHARED_AMONG = 200

/**
 * Stores the prompts of predictions as the user's past prompts if the user called a predicted function within ten minutes and got a 2xx
 * response. If the application shares what is learnt, those on which users agree become shared prompts. Checks up to `max` predictions, and
 * each one up to four times; at the last check, any call that began in time has been logged. Returns the number of checked predictions; 0
 * also while another process does this job.
 */
export async function learnPastPrompts(db: Db, max: number): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${LEARNING_LOCK}) as free`.execute(tx)
    if (rows[0]?.free !== true) return 0
    const { checked, learned } = await checkPredictions(tx, max)
    if (learned.length > 0) {
      const shared = await shareCommonPrompts(tx, learned)
      await trimUserPrompts(tx, learned)
      if (shared.length > 0) await trimSharedPrompts(tx, shared)
    }
    if (checked < max) await trimPredictions(tx)
    return checked
  })
}

type Learned = UserKey & { readonly id: string }

/** Returns the number of checked predictions, and the past prompts that were stored or called again. */
async function checkPredictions(db: Db, max: number): Promise<{ checked: number; learned: readonly Learned[] }> {
  const { rows } = await sql<{ checked: number; learned: Learned[] }>`
    with due as (
      select * from prediction where check_at <= now() order by check_at limit ${max} for update skip locked
    ), learning as (
      -- A request that clears past prompts waits for this lock, and then deletes these rows too.
      select app_key from application where learn_from_use and app_key in (select app_key from due) order by app_key for share
    ), called as (
      select d.id, d.app_key, d.user_id, d.prompt, c.function_name, d.doubts[array_position(d.functions, c.function_name)] as doubt, c.occurred_at
      from due d join learning using (app_key)
      cross join lateral (
        select function_name, occurred_at from call_log l
        where l.app_key = d.app_key and l.user_id = d.user_id
          -- The range of ids is wider than the range of times, because the process sets the id and Postgres sets occurred_at.
          and l.call_id >= ${uuidAt(sql`d.predicted_at - interval '1 minute'`)} and l.call_id < ${uuidAt(sql`d.predicted_at + interval '11 minutes'`)}
          and l.occurred_at between d.predicted_at - interval '1 second' and d.predicted_at + interval '10 minutes'
          and l.function_name = any(d.functions) and l.outcome = 'answered' and l.network_code between 200 and 299 and not l.internal
      ) c
    ), kept as (
      insert into user_prompt as u (app_key, user_id, function_name, prompt, doubt, called_at)
      select app_key, user_id, function_name, prompt, max(doubt), max(occurred_at) from called group by 1, 2, 3, 4
      -- A prompt that was stored before keeps the greatest doubt.
      on conflict (app_key, function_name, md5(prompt), user_id) do update
        set doubt = greatest(u.doubt, excluded.doubt), called_at = greatest(u.called_at, excluded.called_at)
      returning id, app_key, user_id
    ), settled as (
      delete from prediction p using due d where p.id = d.id and (d.checks >= 3 or d.id in (select id from called))
    ), later as (
      update prediction p set checks = p.checks + 1,
        check_at = p.predicted_at + case p.checks when 0 then interval '30 seconds' when 1 then interval '2 minutes' else interval '12 minutes' end
      from due d where p.id = d.id and d.checks < 3 and d.id not in (select id from called)
    )
    select (select count(*)::int from due) as checked,
      coalesce((select json_agg(json_build_object('id', id::text, 'appKey', app_key, 'userId', user_id)) from kept), '[]') as learned`.execute(
    db,
  )
  return rows[0] ?? { checked: 0, learned: [] }
}

/**
 * Inserts a shared prompt for each past prompt on which the users of an application agree, if the application shares what is learnt. At
 * least SHARED_BY users, and a majority of the users with this prompt, must have called the function, not all within SHARED_OVER. Returns
 * the App-Keys of applications with new shared prompts. A shared prompt never changes afterwards, so that a single user cannot give it more
 * weight. Reads the 200 oldest past prompts of each prompt, of at most 500 predictions.
 */
async function shareCommonPrompts(db: Db, learned: readonly Learned[]): Promise<readonly string[]> {
  const { rows } = await sql<{ app_key: string }>`
    insert into shared_prompt (app_key, function_name, prompt, doubt, called_at)
    select l.app_key, l.function_name, l.prompt, common.doubt, now()
    from (
      select distinct app_key, function_name, prompt from user_prompt join application using (app_key)
      where share_learning and id = any(${learned.map(({ id }) => id)}::bigint[])
    ) l
    cross join lateral (
      select count(distinct user_id) as asked,
        count(*) filter (where function_name = l.function_name) as called,
        min(doubt) filter (where function_name = l.function_name) as doubt,
        max(created_at) filter (where function_name = l.function_name)
          - min(created_at) filter (where function_name = l.function_name) as period
      from (
        -- The limit bounds the statement: all users of an application may have a prompt in common. New accounts do not outvote old ones.
        select user_id, function_name, doubt, created_at from user_prompt u
        where u.app_key = l.app_key and md5(u.prompt) = md5(l.prompt) order by u.id limit ${SHARED_AMONG}
      ) oldest
    ) common
    where common.called >= ${SHARED_BY} and common.called * 2 > common.asked and common.period >= ${SHARED_OVER}::interval
    on conflict (app_key, function_name, md5(prompt)) do nothing
    returning app_key`.execute(db)
  return [...new Set(rows.map(({ app_key }) => app_key))]
}

/** Returns the smallest UUIDv7 of a time. */
function uuidAt(time: ReturnType<typeof sql>) {
  return sql`rpad(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`
}
