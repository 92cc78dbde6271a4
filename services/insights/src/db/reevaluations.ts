import type { Db } from './tables.ts'

/** Users of a partner whose thresholds are to be looked at again after a bulk change, from `after` on. */
export type Reevaluation = { readonly id: string; readonly partnerId: string; readonly after: { appKey: string; userId: string } }

export async function insertReevaluation(tx: Db, partnerId: string): Promise<void> {
  await tx.insertInto('reevaluation').values({ partner_id: partnerId }).execute()
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
