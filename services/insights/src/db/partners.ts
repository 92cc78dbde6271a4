import { sql } from 'kysely'
import { type Change, changesOfPartner } from './reevaluations.ts'
import type { Db } from './tables.ts'

export type Partner = {
  readonly id: string
  readonly name: string
  readonly defaultLimit: number
  readonly bulkLimit: number | null
  readonly bulkSeq: number
  readonly limitSeq: number
  readonly createdAt: Date
}

type Row = {
  id: string
  name: string
  default_limit: string
  bulk_limit: string | null
  bulk_seq: string
  limit_seq: string
  created_at: Date
}

function partnerOf(row: Row): Partner {
  return {
    id: row.id,
    name: row.name,
    defaultLimit: Number(row.default_limit),
    bulkLimit: row.bulk_limit === null ? null : Number(row.bulk_limit),
    bulkSeq: Number(row.bulk_seq),
    limitSeq: Number(row.limit_seq),
    createdAt: row.created_at,
  }
}

/** Makes a partner; false when there is one of that id. */
export async function insertPartner(db: Db, id: string, name: string): Promise<boolean> {
  const made = await db
    .insertInto('partner')
    .values({ id, name })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

export async function renamePartner(db: Db, id: string, name: string): Promise<void> {
  await db.updateTable('partner').set({ name }).where('id', '=', id).execute()
}

export async function listPartners(db: Db): Promise<Partner[]> {
  return (await db.selectFrom('partner').selectAll().orderBy('id').execute()).map(partnerOf)
}

/** The partner that each application belongs to, with what is on its way to users, and whether the application blocks those at their limit. */
export type Owner = Partner & { readonly blocks: boolean; readonly changes: readonly Change[] }

export async function readOwners(db: Db, appKeys: readonly string[]): Promise<Map<string, Owner>> {
  const rows = await db
    .selectFrom('application')
    .innerJoin('partner', 'partner.id', 'application.partner_id')
    .selectAll('partner')
    .select(['app_key', 'on_limit', changesOfPartner()])
    .where('app_key', 'in', appKeys)
    .execute()
  return new Map(rows.map((row) => [row.app_key, { ...partnerOf(row), blocks: row.on_limit === 'block', changes: row.changes }]))
}

/** Reads partners and keeps their limits from changing until the transaction ends. */
export async function sharePartners(tx: Db, ids: readonly string[]): Promise<Map<string, Partner>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.selectFrom('partner').selectAll().where('id', 'in', ids).orderBy('id').forShare().execute()
  return new Map(rows.map((row) => [row.id, partnerOf(row)]))
}

/** Locks a partner for whoever changes limits, keys or subscriptions of it. */
export async function lockPartner(tx: Db, id: string): Promise<Partner | undefined> {
  const row = await tx.selectFrom('partner').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row && partnerOf(row)
}

/** Takes the partner's lock and the next number of its limit changes. */
export async function nextLimitSeq(tx: Db, id: string): Promise<Partner> {
  const row = await tx
    .updateTable('partner')
    .set({ limit_seq: sql`limit_seq + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return partnerOf(row)
}

/** Sets the limit of all users that there are, at once: one row, for users compare their own number with `bulk_seq`. Gives that number. */
export async function setBulkLimit(tx: Db, id: string, limit: number): Promise<number> {
  const next = sql<number>`limit_seq + 1`
  const row = await tx
    .updateTable('partner')
    .set({ bulk_limit: limit, bulk_seq: next, limit_seq: next })
    .where('id', '=', id)
    .returning('bulk_seq')
    .executeTakeFirstOrThrow()
  return Number(row.bulk_seq)
}

export async function setDefaultLimit(db: Db, id: string, limit: number): Promise<void> {
  await db.updateTable('partner').set({ default_limit: limit }).where('id', '=', id).execute()
}
