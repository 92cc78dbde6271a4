import { changeLimitStates, type LimitState } from '../db/limit-states.ts'
import type { Db } from '../db/tables.ts'
import type { AddedTo } from '../usage/add-to-windows.ts'
import { nameOf, type Settled } from '../usage/settle.ts'

/** Does as `settleLimitStates` for users whose tasks were just counted, with what is at hand. Late tasks of an earlier window change nothing. */
export async function settleCounted(tx: Db, users: readonly Settled[], readings: readonly AddedTo[], now: Date): Promise<LimitState[]> {
  const blocking = new Set(users.filter((user) => user.partner?.blocks === true).map(nameOf))
  if (blocking.size === 0) return []
  const wanted = readings.flatMap(({ appKey, userId, anchor, startsAt, endsAt, consumed, limit }) => {
    // As in `IS_CURRENT`: the first window is current while it lies ahead.
    const at = anchor > now ? anchor : now
    if (limit === null || startsAt > at || endsAt <= at || !blocking.has(nameOf({ appKey, userId }))) return []
    return [{ appKey, userId, blockedUntil: consumed >= limit ? endsAt : null, begun: true }]
  })
  return wanted.length === 0 ? [] : await changeLimitStates(tx, wanted)
}
