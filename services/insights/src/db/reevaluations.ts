import { sql } from 'kysely'
import type { Db } from './tables.ts'

/**
 * A change that reaches the users of a partner one after the other: those whose `limitSeq` is lower have it before them. `limit` is
 * what was set for all; null: users keep theirs, and are looked at.
 */
export type Change = { readonly limit: number | null; readonly limitSeq: number }

/** A change on its way through a partner's users, from `after` on. */
export type Reevaluation = { readonly id: string; readonly partnerId: string; readonly after: { appKey: string; userId: string } }

export async function insertReevaluation(tx: Db, partnerId: string, { limit, limitSeq }: Change): Promise<void> {
  await tx.insertInto('reevaluation').values({ partner_id: partnerId, task_limit: limit, limit_seq: limitSeq }).execute()
}

/** As a column: the changes on their way through the users of the query's `partner`, in their order. */
export function changesOfPartner() {
  return sql<Change[]>`(
    select coalesce(json_agg(json_build_object('limit', r.task_limit, 'limitSeq', r.limit_seq) order by r.limit_seq), '[]')
    from reevaluation r where r.partner_id = partner.id)`.as('changes')
}

/** Locks the oldest one that no other process works on. */
export async function takeReevaluation(tx: Db): Promise<Reevaluation | undefined> {
  const row = await tx.selectFrom('reevaluation').selectAll().orderBy('id').limit(1).forUpdate().skipLocked().executeTakeFirst()
  return row && { id: row.id, partnerId: row.partner_id, after: { appKey: row.after_app_key, userId: row.after_user_id } }
}

export async function moveReevaluation(tx: Db, id: string, after: { appKey: string; userId: string }): Promise<void> {
  await tx.updateTable('reevaluation').set({ after_app_key: after.appKey, after_user_id: after.userId }).where('id', '=', id).execute()
}

export async function deleteReevaluation(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('reevaluation').where('id', '=', id).execute()
}
