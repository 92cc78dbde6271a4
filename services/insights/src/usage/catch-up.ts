import { readUsages } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { setOwnLimits, type User } from '../db/users.ts'
import { settleLimitStates } from '../limits/settle-limit-states.ts'
import type { Due } from './due.ts'
import { type BulkLimit, effectiveLimit } from './limit.ts'
import { readingsSince } from './readings-since.ts'
import { tellLevels } from './tell.ts'
import type { Owned } from './with-owners.ts'

type CaughtUp<T> = { readonly users: T[]; readonly due: Due }

/**
 * Takes locked users through the changes that are on their way to them, in order. Whoever locks users to look at their levels does so
 * first: then each change meets a user with what was consumed before it, in the windows of the time at which it was made, as if all had
 * been looked at then.
 */
export async function catchUp<T extends Owned>(tx: Db, users: readonly T[]): Promise<CaughtUp<T>> {
  let current = [...users]
  const subscriptions: string[] = []
  const partners = new Map(users.flatMap(({ partner }) => (partner === undefined ? [] : [[partner.id, partner]])))
  for (const partner of partners.values()) {
    for (const { limit, limitSeq, at } of partner.changes) {
      const behind = current.filter((user) => user.partner?.id === partner.id && user.limitSeq < limitSeq)
      if (behind.length === 0) continue
      const moved = new Map(behind.map((user) => [user, { ...user, ownLimit: limit ?? limitBefore(limitSeq, user, partner), limitSeq }]))
      await setOwnLimits(tx, [...moved.values()])
      // Under this change's limit: a newer bulk limit has its own turn.
      const limited = [...moved.values()].map((user) => ({ ...user, limit: user.ownLimit }))
      const madeAt = new Date(at)
      const readings = await readingsSince(tx, limited, { id: partner.id, seq: limitSeq - 1 }, madeAt)
      subscriptions.push(...(await tellLevels(tx, readings, madeAt)))
      current = current.map((user) => moved.get(user) ?? user)
    }
  }
  const changed = current.filter((user, i) => user !== users[i])
  // Who is blocked goes by the window that is current now, and the newest limit.
  const states = changed.length === 0 ? [] : await settleLimitStates(tx, await readUsages(tx, changed))
  return { users: current, due: { subscriptions, states } }
}

/** The limit that a user was under before a change of that number. A bulk limit after it has its own turn. */
function limitBefore(limitSeq: number, user: User, partner: BulkLimit): number | null {
  return partner.bulkSeq < limitSeq ? effectiveLimit(user, partner) : user.ownLimit
}
