import { createHash } from 'node:crypto'
import { type AuditEntry, DAY_MS, HOUR_MS, type Query, type ResponseOf, type readAudit } from '@onward/contract'
import { cutPage, firstUuidAt, isUuid, type Log, Refusal, readCursor, readTime, uuidv7 } from '@onward/runtime'
import { type QueryExecutorProvider, sql } from 'kysely'
import type { AuditedRequest, AuditLog } from './audit.ts'

/** Opens the audit log of a service. */
export function openAuditLog(db: QueryExecutorProvider, log: Log): AuditLog {
  async function insert(request: AuditedRequest, outcome: string, code: string | null, readKey: Buffer | null = null): Promise<string> {
    const { actor, workspaceId, action, target, requestId, address, userAgent } = request
    const id = uuidv7()
    await sql`
      insert into audit_entry (id, actor_kind, actor_id, actor_name, workspace_id, action, target, request_id, address, user_agent,
        outcome, code, read_key)
      values (${id}, ${actor.kind}, ${actor.id}, ${actor.name}, ${workspaceId === null ? null : storable(workspaceId)}, ${action},
        ${jsonOf(target)}::jsonb, ${requestId}, ${address}, ${userAgent}, ${outcome}, ${code}, ${readKey})
      on conflict (read_key) where read_key is not null do nothing`.execute(db)
    return id
  }
  return {
    begin: (request) => insert(request, 'started', null),
    async end(id, { outcome, code, before, after }) {
      try {
        await sql`
          update audit_entry set outcome = ${outcome}, code = ${code}, before = ${jsonOf(before)}::jsonb, after = ${jsonOf(after)}::jsonb
          where id = ${id}`.execute(db)
      } catch (err) {
        log.error({ err, audit_id: id, outcome }, 'the outcome of a change could not be added to the audit log')
      }
    },
    async read(request) {
      const { actor, workspaceId, action, target } = request
      const hour = Math.floor(Date.now() / HOUR_MS)
      const read = JSON.stringify([hour, actor.kind, actor.id, workspaceId, action, target])
      await insert(request, 'done', null, createHash('sha256').update(read).digest())
    },
    denied: async (request, code) => void (await insert(request, 'denied', code)),
  }
}

/**
 * Returns a page of the audit log of one workspace. If `workspaceId` is null, reads all entries, including entries without a
 * workspace. With filters it reads a whole workspace, so it runs on `slowDb`.
 */
export async function readAuditPage(
  db: QueryExecutorProvider,
  query: Query<typeof readAudit>,
  workspaceId: string | null,
): Promise<ResponseOf<typeof readAudit>> {
  const { actor, action, outcome, reads, since, until, page_size: size } = query
  const [before] = readCursor(query._cursor, ['string']) ?? []
  if (before !== undefined && !isUuid(before)) throw new Refusal('invalid_parameters', 'the cursor is not valid')
  const conditions = [
    ...(workspaceId === null ? [] : [sql`workspace_id = ${workspaceId}`]),
    ...(actor === undefined ? [] : [sql`(actor_id = ${actor} or actor_name = ${actor})`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(outcome === undefined ? [] : [hasOutcome(outcome)]),
    ...(reads === false ? [sql`read_key is null`] : []),
    ...(since === undefined ? [] : [sql`id >= ${firstUuidAt(readTime('since', since))}::uuid`]),
    ...(until === undefined ? [] : [sql`id < ${firstUuidAt(readTime('until', until))}::uuid`]),
    ...(before === undefined ? [] : [sql`id < ${before}::uuid`]),
  ]
  const { rows } = await sql<AuditRow>`
    select id, at, actor_kind, actor_id, actor_name, workspace_id, action, target, request_id, address, user_agent, outcome, code,
      before, after
    from audit_entry where ${sql.join([sql`true`, ...conditions], sql` and `)} order by id desc limit ${size + 1}`.execute(db)
  const { page, _cursor } = cutPage(rows, size, ({ id }) => [id])
  const entries = page.map(({ at, actor_kind: kind, actor_id: id, actor_name: name, ...entry }) => ({
    ...entry,
    at: at.toISOString(),
    actor: { kind, id, name },
  }))
  return { entries, _cursor }
}

type AuditRow = Omit<AuditEntry, 'at' | 'actor'> & {
  at: Date
  actor_kind: AuditEntry['actor']['kind']
  actor_id: string
  actor_name: string
}

const KEPT_DAYS = 400
/** Maximum number of entries that one run deletes. The next run deletes more. */
const DELETED_MAX = 10_000

/** Deletes up to 10,000 entries that are older than 400 days. */
export async function deleteOldAudit(db: QueryExecutorProvider): Promise<void> {
  const before = firstUuidAt(new Date(Date.now() - KEPT_DAYS * DAY_MS))
  await sql`
    delete from audit_entry where id in (select id from audit_entry where id < ${before}::uuid order by id limit ${DELETED_MAX})`.execute(
    db,
  )
}

/** The longest JSON text of a value in the audit log. */
const MAX_JSON = 8_192

/** Returns the JSON text of a value for a jsonb column; of a value that is too long, the beginning of its text. */
function jsonOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  const text = JSON.stringify(value, (_key, part) => (typeof part === 'string' ? storable(part) : part))
  return text.length <= MAX_JSON ? text : JSON.stringify({ cut: storable(text.slice(0, MAX_JSON)) })
}

/** Replaces what Postgres cannot store: NUL, and half of a surrogate pair. */
function storable(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '\ufffd')
}

/** Returns the condition of a filter by outcome. Calls that wait for an approval are stored as denied. */
function hasOutcome(outcome: NonNullable<Query<typeof readAudit>['outcome']>) {
  if (outcome === 'asked') return sql`outcome = 'denied' and code = 'approval_required'`
  if (outcome === 'denied') return sql`outcome = 'denied' and code is distinct from 'approval_required'`
  return sql`outcome = ${outcome}`
}
