import type { ApprovalDecider, ApprovalState } from '@onward/contract'
import type { UserKey } from '@onward/runtime'
import { type Selectable, sql } from 'kysely'
import { insertEvent } from './events.ts'
import type { Db, Tables } from './tables.ts'

export type Approval = UserKey & {
  readonly id: string
  readonly app: string
  readonly functionName: string
  /** The account that the call uses; null if the app needs none. `displayName` is empty once it is disconnected. */
  readonly account: { readonly id: number; readonly displayName: string } | null
  readonly sealedRequest: Buffer
  readonly via: string | null
  /** The MCP token that the call was made with; null for none. `name` is empty once it has ended. `redirectHost` is null without a sign-in. */
  readonly token: { readonly id: string; readonly name: string; readonly redirectHost: string | null } | null
  /** The text of the rule that asks. */
  readonly message: string | null
  readonly state: ApprovalState
  readonly reason: string | null
  readonly decidedBy: ApprovalDecider | null
  readonly decidedAt: Date | null
  readonly createdAt: Date
  readonly expiresAt: Date
  /** The call that used the approval. */
  readonly callId: string | null
}

type NewApproval = UserKey &
  Pick<Approval, 'id' | 'app' | 'functionName' | 'sealedRequest' | 'via' | 'message'> & {
    readonly accountId: number | null
    readonly tokenId: string | null
    readonly digest: Buffer
    /** Null without files. */
    readonly filesDigest: Buffer | null
  }

/** How long an approval can be given and used. Sealed values that are not sealed again with a new key must expire within a day. */
const LIFETIME = sql`interval '24 hours'`

/** A call that asks, by its digests. */
type AskedDigests = UserKey & Pick<NewApproval, 'digest' | 'filesDigest'>

/** Returns the approval of a call that was not made with it yet; undefined if there is none. */
export async function findOpenApproval(db: Db, { filesDigest, ...call }: AskedDigests): Promise<Approval | undefined> {
  const row = await selectOpenApprovals(db, call).where('files_digest', 'is not distinct from', filesDigest).executeTakeFirst()
  return row && approvalOf(row)
}

/** Returns whether the same call was approved with other files, and not made with them yet. */
export async function isApprovedWithOtherFiles(db: Db, { filesDigest, ...call }: AskedDigests): Promise<boolean> {
  const others = selectOpenApprovals(db, call).where('files_digest', 'is distinct from', filesDigest).where('result', '=', 'approved')
  return (await others.executeTakeFirst()) !== undefined
}

function selectOpenApprovals(db: Db, { appKey, userId, digest }: Omit<AskedDigests, 'filesDigest'>) {
  const query = selectApprovals(db, { appKey, userId }).where('call_digest', '=', digest).where('call_id', 'is', null)
  return query.orderBy('approval.id', 'desc').limit(1)
}

/**
 * Inserts an approval with its event, unless the call has one already, and returns the call's approval. Returns undefined if `max`
 * approvals of the user are pending that were asked for with the same token, or without one.
 */
export async function insertApproval(db: Db, approval: NewApproval, max: number): Promise<Approval | undefined> {
  const { id, appKey, userId, app, functionName, accountId, digest, filesDigest, sealedRequest, via, tokenId, message } = approval
  return await db.transaction().execute(async (tx) => {
    // Without this lock, requests at the same time would all find no approval.
    await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(['approval', appKey, userId])}, 0))`.execute(tx)
    const open = await findOpenApproval(tx, approval)
    if (open !== undefined) return open
    const { numAffectedRows } = await sql`
      insert into approval (id, app_key, user_id, app, function_name, account_id, call_digest, files_digest, sealed_request, via, token_id,
        message, expires_at)
      select ${id}, ${appKey}, ${userId}, ${app}, ${functionName}, ${accountId}, ${digest}, ${filesDigest}, ${sealedRequest}, ${via},
        ${tokenId}, ${message}, now() + ${LIFETIME}
      where (
        select count(*) from approval where app_key = ${appKey} and user_id = ${userId} and token_id is not distinct from ${tokenId}
          and result is null and expires_at > now()
      ) < ${max}`.execute(tx)
    if (numAffectedRows !== 1n) return undefined
    const inserted = await findApproval(tx, { appKey }, id)
    if (inserted === undefined) throw new Error('an approval was inserted but not found')
    const event = { approval_id: id, function_name: functionName, app, expires_at: inserted.expiresAt.toISOString() }
    await insertEvent(tx, approval, { kind: 'approval_requested', ...event })
    return inserted
  })
}

/** The approvals of one user, of all users of an application, of a workspace or, without all these, of all applications. */
export type ApprovalFilter = {
  readonly workspaceId?: string | undefined
  readonly appKey?: string | undefined
  readonly userId?: string | undefined
  readonly functionName?: string | undefined
  readonly state?: ApprovalState | undefined
}

/** Returns an approval that has not expired. */
export async function findApproval(db: Db, filter: ApprovalFilter, id: string): Promise<Approval | undefined> {
  const row = await selectApprovals(db, filter).where('approval.id', '=', id).executeTakeFirst()
  return row && approvalOf(row)
}

/** Returns approvals that have not expired, newest first; `before` is the id of the last one on the page before. */
export async function listApprovalsOf(db: Db, filter: ApprovalFilter, before: string | null, count: number): Promise<Approval[]> {
  let query = selectApprovals(db, filter).orderBy('approval.id', 'desc').limit(count)
  if (before !== null) query = query.where('approval.id', '<', before)
  return (await query.execute()).map(approvalOf)
}

/** How many pending approvals are counted at most. */
const COUNTED_MAX = 1_000

/** Counts the pending approvals of a workspace, or of all workspaces, up to COUNTED_MAX. */
export async function countPendingApprovals(db: Db, workspaceId: string | undefined): Promise<number> {
  let pending = db
    .selectFrom('approval')
    .select('id')
    .where('result', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .limit(COUNTED_MAX)
  if (workspaceId !== undefined) pending = pending.where('app_key', 'in', appKeysOf(db, workspaceId))
  const counted = db.selectFrom(pending.as('pending')).select(sql<number>`count(*)::int`.as('approvals'))
  return (await counted.executeTakeFirstOrThrow()).approvals
}

/** What somebody has decided. */
export type Decision = { readonly result: 'approved' | 'refused'; readonly reason: string | null; readonly decidedBy: ApprovalDecider }

/** Stores a decision with its event. Returns false if the approval was decided before, or has expired. */
export async function storeApprovalDecision(db: Db, approval: Approval, { result, reason, decidedBy }: Decision): Promise<boolean> {
  const { id, functionName, app } = approval
  return await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('approval')
      .set({ result, reason, decided_by: decidedBy, decided_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('result', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    const event = { approval_id: id, function_name: functionName, app, result, decided_by: decidedBy }
    await insertEvent(tx, approval, { kind: 'approval_decided', ...event })
    return true
  })
}

/** Lets an approval be used again: the call that used it was not sent. */
export async function releaseApproval(db: Db, callId: string): Promise<void> {
  await db.updateTable('approval').set({ call_id: null }).where('call_id', '=', callId).execute()
}

/** Deletes up to `max` approvals that have expired. */
export async function deleteExpiredApprovals(db: Db, max: number): Promise<void> {
  await sql`delete from approval where ctid = any(array(select ctid from approval where expires_at < now() limit ${max}))`.execute(db)
}

const STATE = sql<ApprovalState>`case when call_id is not null then 'used' else coalesce(result, 'pending') end`

function appKeysOf(db: Db, workspaceId: string) {
  return db.selectFrom('application').select('app_key').where('workspace_id', '=', workspaceId)
}

function selectApprovals(db: Db, { workspaceId, appKey, userId, functionName, state }: ApprovalFilter) {
  let query = db
    .selectFrom('approval')
    .leftJoin('connected_account', 'connected_account.id', 'approval.account_id')
    .leftJoin('mcp_token', (join) => join.onRef('mcp_token.id', '=', 'approval.token_id').on('mcp_token.expires_at', '>', sql<Date>`now()`))
    .selectAll('approval')
    .select(['display_name', 'mcp_token.name as token_name', 'redirect_host', STATE.as('state')])
    .where('approval.expires_at', '>', sql<Date>`now()`)
  if (workspaceId !== undefined) query = query.where('approval.app_key', 'in', appKeysOf(db, workspaceId))
  if (appKey !== undefined) query = query.where('approval.app_key', '=', appKey)
  if (userId !== undefined) query = query.where('approval.user_id', '=', userId)
  if (functionName !== undefined) query = query.where('function_name', '=', functionName)
  if (state !== undefined) query = query.where(STATE, '=', state)
  return query
}

type Row = Selectable<Tables['approval']> & {
  readonly display_name: string | null
  readonly token_name: string | null
  readonly redirect_host: string | null
  readonly state: ApprovalState
}

function approvalOf(row: Row): Approval {
  return {
    id: row.id,
    appKey: row.app_key,
    userId: row.user_id,
    app: row.app,
    functionName: row.function_name,
    account: row.account_id === null ? null : { id: Number(row.account_id), displayName: row.display_name ?? '' },
    sealedRequest: row.sealed_request,
    via: row.via,
    token: row.token_id === null ? null : { id: row.token_id, name: row.token_name ?? '', redirectHost: row.redirect_host },
    message: row.message,
    state: row.state,
    reason: row.reason,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    callId: row.call_id,
  }
}
