import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** A key belongs to one application, user and function. */
export type IdempotencyScope = { readonly appKey: string; readonly userId: string; readonly functionName: string; readonly key: string }

/** A key that a call has claimed. Another call may have taken it over since. */
export type HeldKey = IdempotencyScope & { readonly callId: string }

/**
 * - `claimed`: the key now belongs to the new call;
 * - `running`: the call that holds the key has not ended;
 * - `lost`: that call was sent, or may have been sent, but its answer was not and will not be stored;
 * - `conflict`: the key was used with a different request;
 * - `answered`: the call that holds the key has this answer.
 */
export type Claim =
  | { readonly state: 'claimed' | 'running' | 'lost' | 'conflict' }
  | { readonly state: 'answered'; readonly callId: string; readonly status: number; readonly sealedAnswer: Buffer }

type Claimant = { readonly requestHash: Buffer; readonly callId: string; readonly processId: string; readonly takeOverMs: number }

/**
 * Claims a key for a new call, or returns the state of the call that holds the key. A record older than 24 hours is replaced. A record whose
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
      where r.created_at < now() - interval '24 hours'
        or (r.begun_at is null and r.status is null
          and (r.created_at < now() - make_interval(secs => ${takeOverMs / 1_000}) or ${isDead(sql`r.process_id`)}))
    returning call_id`.execute(db)
  if (claimed.length > 0) return { state: 'claimed' }

  // A call is lost if it is logged and its answer should have been stored by now. It is also lost if a dead process began it and it has no
  // call attempt.
  const { rows } = await sql<{ request_hash: Buffer; call_id: string; status: number | null; sealed_answer: Buffer; lost: boolean }>`
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
  if (found.status !== null) return { state: 'answered', callId: found.call_id, status: found.status, sealedAnswer: found.sealed_answer }
  return { state: found.lost ? 'lost' : 'running' }
}

/** Marks the call as begun, so that no other call can claim the key. Returns false when another call holds the key: then do not send. */
export async function beginWithKey(db: Db, held: HeldKey): Promise<boolean> {
  const { rows } = await sql`
    update idempotency_record set begun_at = now() where ${isRecordOf(held)} returning call_id`.execute(db)
  return rows.length > 0
}

/** Stores the answer of a call, unless another call has claimed the key since. */
export async function storeAnswer(db: Db, held: HeldKey, status: number, sealedAnswer: Buffer): Promise<void> {
  await sql`
    update idempotency_record set status = ${status}, sealed_answer = ${sealedAnswer} where ${isRecordOf(held)}`.execute(db)
}

/** Releases the keys of calls that were not sent, except those that another call has claimed since. */
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

/** Deletes up to `max` records that are older than a day. Returns their number. */
export async function deleteOldRecords(db: Db, max: number): Promise<number> {
  // The condition on the age is repeated, so that a record stays if another request claims its key at the same time.
  const { numAffectedRows = 0n } = await sql`
    delete from idempotency_record where ctid = any(array(
      select ctid from idempotency_record where created_at < now() - interval '24 hours' limit ${max}))
      and created_at < now() - interval '24 hours'`.execute(db)
  return Number(numAffectedRows)
}

function isDead(processId: ReturnType<typeof sql>) {
  return sql`not exists (select from process p where p.id = ${processId} and p.beat_at > now() - interval '30 seconds')`
}
