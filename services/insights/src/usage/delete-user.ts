import type { UserKey } from '@onward/runtime'
import { lockApplication } from '../db/applications.ts'
import { endEmbedSessions } from '../db/embed-sessions.ts'
import { addTasks } from '../db/periods.ts'
import { readPeriods, readStoredDays } from '../db/recount.ts'
import type { Db } from '../db/tables.ts'
import { deleteUserRows, renameUsage } from '../db/user-rows.ts'
import { lockUsers } from '../db/users.ts'
import { type LimitPeriod, periodAt } from '../rules/period.ts'

/** Gives the usage of a user to the pseudonym, and deletes what an index finds. Returns the number of these rows by table. */
export async function deleteUsage(db: Db, user: UserKey, pseudonym: string): Promise<Record<string, number>> {
  await endEmbedSessions(db, user.appKey, user.userId)
  return await db.transaction().execute(async (tx) => {
    // Transactions that count tasks share the application. They then find the user as it is afterwards.
    const { limitPeriods } = await lockApplication(tx, user.appKey)
    const locked = await lockUsers(tx, [user, { ...user, userId: pseudonym }])
    const anchor = locked.find(({ userId }) => userId === pseudonym)?.anchor ?? null
    const isNew = anchor === null && locked.some(({ userId }) => userId === user.userId)
    const renamed = isNew ? await renameUsage(tx, user, pseudonym) : {}
    if (anchor !== null) await addUsage(tx, user, { pseudonym, anchor, limitPeriods })
    return { ...(await deleteUserRows(tx, user)), ...renamed }
  })
}

/**
 * Adds the usage of a user to what the pseudonym has: the user was deleted before and came back, or functions has sent tasks again under the
 * pseudonym. The tasks of a period count in the pseudonym's period that contains its beginning.
 */
async function addUsage(
  tx: Db,
  user: UserKey,
  { pseudonym, anchor, limitPeriods }: { readonly pseudonym: string; readonly anchor: Date; readonly limitPeriods: readonly LimitPeriod[] },
): Promise<void> {
  const additions = new Map<number, Parameters<typeof addTasks>[1][number]>()
  for (const { startsAt: time, consumed } of await readPeriods(tx, [user])) {
    const { startsAt, endsAt } = periodAt(anchor, limitPeriods, time)
    const tasks = (additions.get(+startsAt)?.tasks ?? 0) + consumed
    additions.set(+startsAt, { appKey: user.appKey, userId: pseudonym, startsAt, endsAt, tasks })
  }
  const days = await readStoredDays(tx, [user])
  await addTasks(
    tx,
    [...additions.values()],
    days.map(({ day, consumed }) => ({ appKey: user.appKey, userId: pseudonym, day, tasks: consumed })),
  )
}
