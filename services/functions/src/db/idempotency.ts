import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** How long a record protects its key. */
const LIFETIME = sql`interval '24 hours'`

/** A key belongs to one application, user and function. */
export type IdempotencyScope = { readonly appKey: string; readonly userId: string; readonly functionName: string; readonly key: string }

/** A key that a call has claimed. Another call may have taken it over since. */
export type HeldKey = IdempotencyScope & { readonly callId: string }

/**
 * - `claimed`: the key now belongs to the new call;
 * - `running`: the call that holds the key has not ended;
 * - `lost`: that call was sent, or may have been sent, but its response was not and will not be stored;
 * - `conflict`: the key was used with a different request;
 * - `answered`: the call that holds the key has this response; null if it was not stored.
 */
type Claim =
  | { readonly state: 'claimed' | 'running' | 'lost' | 'conflict' }
  | { readonly state: 'answered'; readonly callId: string; readonly status: number; readonly sealedResponse: Buffer | null }

type Claimant = { readonly requestHash: Buffer; readonly callId: string; readonly processId: string; readonly takeOverMs: number }

/**
 * Claims a key for a new call, or returns the state of the call that holds the key. A record older than LIFETIME is replaced. A record whose
 * call has not begun is replaced when its process is dead, or when it is older than `takeOverMs`.
 */
export async function claimKey(db: Db, scope: IdempotencyScope, claimant: Claimant): Promise<Claim> {
  const { appKey, userId, functionName, key } = scope
  const { requestHash, callId, processId, takeOverMs } = claimant
  const { rows: claimed } = await sql`
    insert into idempotency_record as r (app_key, user_id, function_name, key, request_hash, call_id, process_id)
    values (${appKey}, ${userId}, ${functionName}, ${key}, ${requestHash}, ${callId}, ${processId})
    on conflict (app_key, user_id, function_name, key) do update
      set request_hash = excluded.request_hash, call_id = excluded.call_id, process_id = excluded.process_id,
        begun_at = null, status = null, sealed_answer = null, created_at = now()
      where r.created_at < now() - ${LIFETIME}
        or (r.begun_at is null and r.status is null
          and (r.created_at < now() - make_interval(secs => ${takeOverMs / 1_000}) or ${isDead(sql`r.process_id`)}))
    returning call_id`.execute(db)
  if (claimed.length > 0) return { state: 'claimed' }

  // A call is lost if it is logged and its response should have been stored by now. It is also lost if a dead process began it and it has no
  // call attempt.
  const { rows } = await sql<{ request_hash: Buffer; call_id: string; status: number | null; sealed_answer: Buffer | null; lost: boolean }>`
    select r.request_hash, r.call_id, r.status, r.sealed_answer,
      exists (select from call_log l where l.call_id = r.call_id
          and (l.outcome = 'unknown' or r.created_at < now() - interval '15 minutes' or ${isDead(sql`r.process_id`)}))
        or (r.begun_at is not null and ${isDead(sql`r.process_id`)}
          and not exists (select from call_attempt a where a.call_id = r.call_id)) as lost
    from idempotency_record r
    where app_key = ${appKey} and user_id = ${userId} and function_name = ${functionName} and key = ${key}`.execute(db)
  const [found] = rows
  // The call that held the key was refused and has just released it; a retry gets the key.
  if (found === undefined) return { state: 'running' }
  if (!found.request_hash.equals(requestHash)) return { state: 'conflict' }
  if (found.status !== null) return { state: 'answered', callId: found.call_id, status: found.status, sealedResponse: found.sealed_answer }
  return { state: found.lost ? 'lost' : 'running' }
}

/** Marks the call as begun, so that no other call can claim the key. Returns false when another call holds the key: then do not send. */
export async function beginWithKey(db: Db, held: HeldKey): Promise<boolean> {
  const { rows } = await sql`
    update idempotency_record set begun_at = now() where ${isRecordOf(held)} returning call_id`.execute(db)
  return rows.length > 0
}

/** The response of a call. `sealed` is null if only its status is to be stored. */
export type StoredResponse = { readonly held: HeldKey; readonly status: number; readonly sealed: Buffer | null }

/** How many bytes of responses may be stored on a day in UTC. */
export type ResponseQuotas = { readonly user: number; readonly application: number }

/**
 * Stores the responses of calls, except calls whose keys another call has claimed since. Of a response beyond the quota of its user or
 * application, stores only the status. Returns the number of such responses. Quotas are exact, because all processes lock their rows: first
 * of users, then of applications, each in order. A statement stores at most 64 responses of at most 1 MiB.
 */
export async function storeResponses(db: Db, answers: readonly StoredResponse[], quotas: ResponseQuotas): Promise<number> {
  const { rows } = await sql<{ refused: number }>`
    with answer as (
      select a.*, octet_length(a.sealed) as size
      from unnest(
        ${answers.map(({ held }) => held.appKey)}::text[],
        ${answers.map(({ held }) => held.userId)}::text[],
        ${answers.map(({ held }) => held.functionName)}::text[],
        ${answers.map(({ held }) => held.key)}::text[],
        ${answers.map(({ held }) => held.callId)}::uuid[],
        ${answers.map(({ status }) => status)}::int[],
        ${answers.map(({ sealed }) => sealed)}::bytea[]
      ) with ordinality as a (app_key, user_id, function_name, key, call_id, status, sealed, n)
      join idempotency_record r using (app_key, user_id, function_name, key, call_id)
      where r.status is null
    ), of_user as (
      ${addBytes(sql`select app_key, user_id, size from answer where sealed is not null`)}
    ), within_user as (
      select * from (${withPosition(sql`answer a join of_user q using (app_key, user_id)`)}) placed where position <= ${quotas.user}
    ), of_application as (
      ${addBytes(sql`select app_key, '' as user_id, size from within_user`)}
    ), stored as (
      select n from (${withPosition(sql`within_user a join of_application q using (app_key)`)}) placed where position <= ${quotas.application}
    ), written as (
      update idempotency_record r set status = a.status, sealed_answer = case when a.n in (select n from stored) then a.sealed end
      from answer a
      where (r.app_key, r.user_id, r.function_name, r.key, r.call_id) = (a.app_key, a.user_id, a.function_name, a.key, a.call_id)
      returning a.sealed is not null and r.sealed_answer is null as is_refused
    )
    select count(*) filter (where is_refused)::int as refused from written`.execute(db)
  return rows[0]?.refused ?? 0
}

/** Adds the sizes to the bytes of today. */
function addBytes(sizes: ReturnType<typeof sql>) {
  return sql`
    insert into answer_quota as q (app_key, user_id, day, bytes)
    select app_key, user_id, (now() at time zone 'utc')::date, sum(size) from (${sizes}) sizes group by 1, 2 order by 1, 2
    on conflict (app_key, user_id, day) do update set bytes = q.bytes + excluded.bytes
    returning app_key, user_id, bytes`
}

/**
 * Selects the responses of `joined`. `position` is the number of bytes of the day up to and including a response. `q.bytes` already includes
 * all responses of this statement, so the later ones are subtracted from it.
 */
function withPosition(joined: ReturnType<typeof sql>) {
  return sql`
    select a.app_key, a.user_id, a.size, a.n,
      q.bytes - sum(a.size) over (partition by q.app_key, q.user_id order by a.n desc) + a.size as position
    from ${joined}`
}

/** Deletes up to `max` quotas of days before yesterday. */
export async function deleteOldQuotas(db: Db, max: number): Promise<void> {
  await sql`
    delete from answer_quota where ctid = any(array(
      select ctid from answer_quota where day < (now() at time zone 'utc')::date - 1 limit ${max}))`.execute(db)
}

/** Releases the keys of calls that were not sent, except keys that another call has claimed since. */
export async function releaseKeys(db: Db, keys: readonly HeldKey[]): Promise<void> {
  await sql`
    delete from idempotency_record r using unnest(
      ${keys.map(({ appKey }) => appKey)}::text[],
      ${keys.map(({ userId }) => userId)}::text[],
      ${keys.map(({ functionName }) => functionName)}::text[],
      ${keys.map(({ key }) => key)}::text[],
      ${keys.map(({ callId }) => callId)}::uuid[]
    ) as held (app_key, user_id, function_name, key, call_id)
    where (r.app_key, r.user_id, r.function_name, r.key, r.call_id)
      = (held.app_key, held.user_id, held.function_name, held.key, held.call_id)`.execute(db)
}

function isRecordOf({ appKey, userId, functionName, key, callId }: HeldKey) {
  return sql`app_key = ${appKey} and user_id = ${userId} and function_name = ${functionName} and key = ${key} and call_id = ${callId}`
}

/** Deletes up to `max` records that are older than LIFETIME. Returns their number. */
export async function deleteOldRecords(db: Db, max: number): Promise<number> {
  // The condition on the age is repeated, so that a record stays if another request claims its key at the same time.
  const { numAffectedRows = 0n } = await sql`
    delete from idempotency_record where ctid = any(array(
      select ctid from idempotency_record where created_at < now() - ${LIFETIME} limit ${max}))
      and created_at < now() - ${LIFETIME}`.execute(db)
  return Number(numAffectedRows)
}

function isDead(processId: ReturnType<typeof sql>) {
  return sql`not exists (select from process p where p.id = ${processId} and p.beat_at > now() - interval '30 seconds')`
}
