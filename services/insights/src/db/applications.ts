import { sql } from 'kysely'
import type { Db } from './tables.ts'

export type OnLimit = 'allow' | 'block'

export type Application = {
  readonly appKey: string
  readonly partnerId: string | null
  readonly limitPeriods: readonly { readonly days: number; readonly from: Date | null }[]
  /** Whether users at their limit are blocked. What follows from it is decided by a reading that is newer than the lock of the user. */
  readonly onLimit: OnLimit
}

type Row = { app_key: string; partner_id: string | null; limit_periods: { days: number; from: string | null }[]; on_limit: OnLimit }

function applicationOf(row: Row): Application {
  const limitPeriods = row.limit_periods.map(({ days, from }) => ({ days, from: from === null ? null : new Date(from) }))
  return { appKey: row.app_key, partnerId: row.partner_id, limitPeriods, onLimit: row.on_limit }
}

/** An application of a partner, with the limit that the partner has set for all users. */
export type OwnedApplication = Application & { readonly bulkLimit: number | null; readonly bulkSeq: number }

type OwnedRow = Row & { bulk_limit: string | null; bulk_seq: string }

function ownedOf(row: OwnedRow): OwnedApplication {
  return { ...applicationOf(row), bulkLimit: row.bulk_limit === null ? null : Number(row.bulk_limit), bulkSeq: Number(row.bulk_seq) }
}

export async function findApplication(db: Db, partnerId: string, appKey: string): Promise<OwnedApplication | undefined> {
  const row = await db
    .selectFrom('application')
    .innerJoin('partner', 'partner.id', 'application.partner_id')
    .select(['app_key', 'partner_id', 'limit_periods', 'on_limit', 'bulk_limit', 'bulk_seq'])
    .where('app_key', '=', appKey)
    .where('partner_id', '=', partnerId)
    .executeTakeFirst()
  return row && ownedOf(row)
}

export async function readApplications(db: Db, appKeys: readonly string[]): Promise<Application[]> {
  return (await db.selectFrom('application').selectAll().where('app_key', 'in', appKeys).execute()).map(applicationOf)
}

/** Those of the applications that block, or have users who are still known as blocked. */
export async function readEnforced(db: Db, appKeys: readonly string[]): Promise<Map<string, OwnedApplication>> {
  const { rows } = await sql<OwnedRow>`
    select a.app_key, a.partner_id, a.limit_periods, a.on_limit, p.bulk_limit, p.bulk_seq
    from application a join partner p on p.id = a.partner_id
    where a.app_key = any(${appKeys}::text[])
      and (a.on_limit = 'block' or exists (select from limit_state s where s.app_key = a.app_key))`.execute(db)
  return new Map(rows.map((row) => [row.app_key, ownedOf(row)]))
}

/** Applications of each key that has none, of nobody so far. */
export async function addApplications(db: Db, appKeys: readonly string[], days: number): Promise<void> {
  const first = JSON.stringify([{ days, from: null }])
  await sql`
    insert into application (app_key, limit_periods)
    select key, ${first}::jsonb from unnest(${appKeys}::text[]) key order by key
    on conflict do nothing`.execute(db)
}

/**
 * Reads applications and keeps them from being provisioned until the transaction ends. Whoever only waits to provision one holds nobody up
 * here. A key share lock would not do: to provision changes no key.
 */
export async function shareApplications(tx: Db, appKeys: readonly string[]): Promise<Application[]> {
  const rows = await tx.selectFrom('application').selectAll().where('app_key', 'in', appKeys).orderBy('app_key').forShare().execute()
  return rows.map(applicationOf)
}

export async function lockApplication(tx: Db, appKey: string): Promise<Application> {
  const row = await tx.selectFrom('application').selectAll().where('app_key', '=', appKey).forNoKeyUpdate().executeTakeFirstOrThrow()
  return applicationOf(row)
}

export async function assignApplication(tx: Db, appKey: string, partnerId: string): Promise<void> {
  await tx.updateTable('application').set({ partner_id: partnerId }).where('app_key', '=', appKey).execute()
}

export async function setOnLimit(tx: Db, appKey: string, onLimit: OnLimit): Promise<void> {
  await tx.updateTable('application').set({ on_limit: onLimit }).where('app_key', '=', appKey).execute()
}

/** Adds a length of the limit period that holds from now on: since the transaction began, but not since before the length that it follows. Gives that time. */
export async function addLimitPeriod(tx: Db, appKey: string, days: number): Promise<Date> {
  const { rows } = await sql<{ from: Date }>`
    update application
    set limit_periods = limit_periods || jsonb_build_array(jsonb_build_object(
      'days', ${days}::int, 'from', greatest(date_trunc('milliseconds', now()), (limit_periods->-1->>'from')::timestamptz)))
    where app_key = ${appKey}
    returning (limit_periods->-1->>'from')::timestamptz as from`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a locked application vanished')
  return row.from
}
