import pg from 'pg'
import type { Bench, Lab } from '../bench.ts'
import { type Chance, openChance } from '../faults/chance.ts'
import { type Feeder, openFeeder, taskAt } from '../partner/open-feeder.ts'
import { openPartner } from '../partner/open-partner.ts'
import { edgesOf, expectedWindows, type Occurred } from './expected.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Within the last 34 days this makes three ends. */
const PERIOD_DAYS = 10
const BATCH = 500
const UNTIMELY = 200

/** Shuffled events over three ends of a period, up to 34 days late, each sent twice: each counts once, in its own period and day. */
export const bench: Bench = {
  summary: 'late events over three ends of a period, shuffled: each in its own period; too old or ahead: quarantine',
  options: { events: 10_000, users: 50, seed: 1 },
  async run(lab, { events = 0, users = 0, seed = 0 }) {
    const partner = await openPartner(PERIOD_DAYS)
    const feeder = await openFeeder(partner.suite)
    const client = new pg.Client(partner.suite.databaseUrl)
    await client.connect()
    try {
      const chance = openChance(seed)
      const now = Date.now()
      const some = (count: number, from: number, to: number): Occurred[] =>
        Array.from({ length: count }, () => ({
          userId: `user-${Math.floor(chance.between(0, users))}`,
          at: Math.floor(chance.between(from, to)),
        }))
      const good = some(events, now - 34 * DAY_MS, now)
      const tooOld = some(UNTIMELY, now - 40 * DAY_MS, now - 35 * DAY_MS)
      const ahead = some(UNTIMELY, now + 15 * MINUTE_MS, now + DAY_MS)
      await feedTwice(feeder, chance, [...good, ...tooOld, ...ahead])
      const anchors = await readAnchors(client)
      const edges = edgesOf(anchors, PERIOD_DAYS).filter(({ at }) => at > now - 34 * DAY_MS && at <= now)
      await feedTwice(feeder, chance, edges)
      await check(lab, client, expectedWindows([...good, ...edges], anchors, PERIOD_DAYS), good.length + edges.length)
    } finally {
      await client.end()
      await feeder.close()
      await partner.close()
    }
  },
}

async function feedTwice(feeder: Feeder, chance: Chance, events: readonly Occurred[]): Promise<void> {
  const tasks = events.map(({ userId, at }) => taskAt(userId, new Date(at)))
  for (const order of [chance.shuffle(tasks), chance.shuffle(tasks)]) {
    for (let i = 0; i < order.length; i += BATCH) await feeder.feed(order.slice(i, i + BATCH))
  }
}

async function readAnchors(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ user_id: string; anchor: Date | null }>('select user_id, anchor from usage_user')
  return new Map(rows.flatMap(({ user_id, anchor }) => (anchor === null ? [] : [[user_id, anchor.getTime()]])))
}

async function check(lab: Lab, client: pg.Client, expected: ReadonlyMap<string, number>, count: number): Promise<void> {
  const stored = await client.query<{ user_id: string; starts_at: Date; consumed: string }>('select * from usage_period')
  const found = new Map(stored.rows.map((row) => [`${row.user_id}/${row.starts_at.getTime()}`, Number(row.consumed)]))
  const wrong = [...new Set([...expected.keys(), ...found.keys()])].filter((name) => expected.get(name) !== found.get(name))
  lab.say(`${count} events, sent twice each: ${found.size} windows of ${PERIOD_DAYS} days, ${wrong.length} of them wrong`)
  const days = await client.query<{ total: string }>('select coalesce(sum(consumed), 0) as total from usage_day')
  const kept = await client.query<{ reason: string; count: number }>(
    "select reason, count(distinct event::jsonb ->> 'id')::int as count from quarantine group by reason order by reason",
  )
  for (const row of kept.rows) lab.say(`quarantine: ${row.count} events: ${row.reason}`)
  if (wrong.length > 0) throw new Error(`wrong windows: ${wrong.slice(0, 5).join(', ')}`)
  if (Number(days.rows[0]?.total) !== count) throw new Error(`the days hold ${days.rows[0]?.total} events`)
  if (kept.rows.length !== 2 || kept.rows.some((row) => row.count !== UNTIMELY))
    throw new Error(`${UNTIMELY} of each kind must be in quarantine`)
}
