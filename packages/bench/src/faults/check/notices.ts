import { askPostgres } from '../ask-postgres.ts'
import type { Receipt } from '../rig/third-party.ts'
import type { Finding } from './finding.ts'

/** Each user reached each level once, and was told once: one delivery per user and level, sent with the same bytes as often as it took. */
export async function checkNotices(
  insightsDb: string,
  receipts: readonly Receipt[],
  users: number,
  levels: readonly number[],
): Promise<Finding[]> {
  const rows = await askPostgres<{ id: string; user_id: string; level: number; delivered: boolean }>(
    insightsDb,
    'select id, user_id, level, delivered_at is not null as delivered from delivery',
  )
  const told = new Set(rows.map(({ user_id, level }) => `${level} ${user_id}`))
  const came = new Map(receipts.map((receipt) => [receipt.id, receipt]))
  const times = receipts.reduce((sum, receipt) => sum + receipt.times, 0)
  const expected = users * levels.length
  return [
    { what: `deliveries made, ${users} users × ${levels.length} levels`, found: rows.length, holds: rows.length === expected },
    { what: 'users and levels told', found: told.size, holds: told.size === expected },
    none('deliveries not delivered', rows.filter(({ delivered }) => !delivered).length),
    none('deliveries that never came', rows.filter(({ id }) => !came.has(id)).length),
    none('webhooks that came with other bytes', receipts.filter(({ bodies }) => bodies !== 1).length),
    { what: 'webhooks that came more than once (no promise)', found: times - receipts.length, holds: true },
  ]
}

function none(what: string, found: number): Finding {
  return { what, found, holds: found === 0 }
}
