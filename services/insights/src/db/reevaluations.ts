import { sql } from 'kysely'
import type { Db } from './tables.ts'

/**
 * A change that reaches the users of a partner one after the other: those whose `limitSeq` is lower have it before them. `limit` is
 * what was set for all; null: users keep theirs, and are looked at. It was made `at`, in milliseconds since 1970.
 */
export type Change = { readonly limit: number | null; readonly limitSeq: number; readonly at: number }

/** One way of a partner's changes through its users, from `after` on: of all up to `passSeq`, the newest when it began. */
export type Pass = {
  readonly id: string
  readonly partnerId: string
  readonly passSeq: string
  readonly after: { readonly appKey: string; readonly userId: string }
}

/** Stores a change that is made now, under the partner's lock: not when its transaction began to wait for that. */
export async function insertReevaluation(tx: Db, partnerId: string, { limit, limitSeq }: Omit<Change, 'at'>): Promise<void> {
  await tx
    .insertInto('reevaluation')
    .values({ partner_id: partnerId, task_limit: limit, limit_seq: limitSeq, created_at: sql<Date>`clock_timestamp()` })
    .execute()
}

/** As a column: the changes on their way through the users of the query's `partner`, in their order. */
export function changesOfPartner() {
  return sql<Change[]>`(
    select coalesce(json_agg(json_build_object(
      'limit', r.task_limit, 'limitSeq', r.limit_seq, 'at', floor(extract(epoch from r.created_at) * 1000)
    ) order by r.limit_seq), '[]')
    from reevaluation r where r.partner_id = partner.id)`.as('changes')
}

export async function countReevaluations(db: Db, partnerId: string): Promise<number> {
  const row = await db
    .selectFrom('reevaluation')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('partner_id', '=', partnerId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

type Row = { id: string; partner_id: string; pass_seq: string | null; after_app_key: string; after_user_id: string }

/**
 * Gives the turn to the pass of the partner that has waited longest, of those that no other process works on and that are not passed
 * over. Committed before the page that follows: one that fails has had its turn.
 */
export async function takeTurn(db: Db, passedOver: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update reevaluation set turn_at = clock_timestamp() where id = (
      select id from reevaluation r
      where not exists (select from reevaluation older where older.partner_id = r.partner_id and older.id < r.id)
        and id <> all(${passedOver}::bigint[])
      order by turn_at, id limit 1 for update of r skip locked)
    returning id`.execute(db)
  return rows[0]?.id
}

/** Locks a partner's oldest change, which keeps the pass; it begins now if it has not. Undefined when another process has it in hand, or ended it. */
export async function takePass(tx: Db, id: string): Promise<Pass | undefined> {
  const { rows } = await sql<Row>`
    select id, partner_id, pass_seq, after_app_key, after_user_id from reevaluation where id = ${id} for update skip locked`.execute(tx)
  const [row] = rows
  if (row === undefined) return undefined
  const { partner_id: partnerId, pass_seq: passSeq } = row
  if (passSeq !== null) return { id, partnerId, passSeq, after: { appKey: row.after_app_key, userId: row.after_user_id } }
  return { id, partnerId, passSeq: await beginPass(tx, id), after: { appKey: '', userId: '' } }
}

/** Numbers of a partner's changes are committed in their order: whoever sees the newest sees them all. */
async function beginPass(tx: Db, id: string): Promise<string> {
  const { rows } = await sql<{ pass_seq: string }>`
    update reevaluation r set pass_seq = (select max(limit_seq) from reevaluation each where each.partner_id = r.partner_id)
    where id = ${id} returning pass_seq`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a locked change vanished')
  return row.pass_seq
}

/** Notes how far a pass has come. */
export async function movePass(tx: Db, id: string, after: Pass['after']): Promise<void> {
  await sql`update reevaluation set after_app_key = ${after.appKey}, after_user_id = ${after.userId} where id = ${id}`.execute(tx)
}

/** Deletes the changes that a pass has taken to all users. */
export async function endPass(tx: Db, { partnerId, passSeq }: Pass): Promise<void> {
  await tx.deleteFrom('reevaluation').where('partner_id', '=', partnerId).where('limit_seq', '<=', passSeq).execute()
}
