import { readUsages } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { setOwnLimits, type User } from '../db/users.ts'
import { addDue, type Due, NOTHING_DUE } from './due.ts'
import { type BulkLimit, effectiveLimit } from './limit.ts'
import { recheckLevels } from './recheck.ts'
import type { Owned } from './with-owners.ts'

/**
 * Takes locked users through the changes that are on their way to them, in order. Whoever locks users to look at their levels does so
 * first: then each change meets a user with what was consumed before it, as if all had been looked at when it was made.
 */
export async function catchUp<T extends Owned>(tx: Db, users: readonly T[]): Promise<{ users: T[]; due: Due }> {
  let now = [...users]
  let due = NOTHING_DUE
  const partners = new Map(users.flatMap(({ partner }) => (partner === undefined ? [] : [[partner.id, partner]])))
  for (const partner of partners.values()) {
    for (const { limit, limitSeq } of partner.changes) {
      const behind = now.filter((user) => user.partner?.id === partner.id && user.limitSeq < limitSeq)
      if (behind.length === 0) continue
      const moved = new Map(behind.map((user) => [user, { ...user, ownLimit: limit ?? limitBefore(limitSeq, user, partner), limitSeq }]))
      await setOwnLimits(tx, [...moved.values()])
      // The partner as it was at this change: a newer bulk limit has its own turn.
      due = addDue(due, await recheckLevels(tx, await readUsages(tx, behind), { ...partner, bulkSeq: limitSeq }))
      now = now.map((user) => moved.get(user) ?? user)
    }
  }
  return { users: now, due }
}

/** The limit that a user was under before a change of that number. A bulk limit after it has its own turn. */
function limitBefore(limitSeq: number, user: User, partner: BulkLimit): number | null {
  return partner.bulkSeq < limitSeq ? effectiveLimit(user, partner) : user.ownLimit
}
