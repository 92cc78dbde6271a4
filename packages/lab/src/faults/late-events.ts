import { DAY, MINUTE, periodOf } from '../faults/model/model.ts'
import { type Chance, openChance } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import { makeTask, openTaskQueue, type TaskQueue } from '../rig/task-queue.ts'
import { createWorkspace } from '../rig/workspace.ts'

type Occurred = { readonly userId: string; readonly at: number }
type Anchors = ReadonlyMap<string, number>

/** Three such periods end within the last 34 days. */
const PERIOD_DAYS = 10
const PERIOD_MS = PERIOD_DAYS * DAY
const BATCH = 500
const UNTIMELY = 200

/** Sends each event twice, in different orders. It must count once, in its own period and day. */
export const lateEvents: Command = {
  summary: 'shuffled late events over three ends of a period count in their own period; too old or too far ahead: quarantine',
  options: { events: 10_000, users: 50, seed: 1 },
  async run({ say, withRig }, given) {
    await withRig({ functions: 0, insights: 1, links: false }, async (rig) => {
      await rig.start()
      await createWorkspace(rig, { limit_period: PERIOD_DAYS })
      const chance = openChance(given.number('seed'))
      const now = Date.now()
      const some = (count: number, from: number, to: number): Occurred[] =>
        Array.from({ length: count }, () => ({
          userId: `user-${Math.floor(chance.between(0, given.number('users')))}`,
          at: Math.floor(chance.between(from, to)),
        }))
      const good = some(given.number('events'), now - 34 * DAY, now)
      const tooOld = some(UNTIMELY, now - 40 * DAY, now - 35 * DAY)
      const ahead = some(UNTIMELY, now + 15 * MINUTE, now + DAY)
      const queue = await openTaskQueue(rig.queueUrl)
      try {
        await feedTwice(queue, chance, [...good, ...tooOld, ...ahead])
        const anchors = await readAnchors(rig.insightsDb)
        const edges = edgesOf(anchors).filter(({ at }) => at > now - 34 * DAY && at <= now)
        await feedTwice(queue, chance, edges)
        await check(rig.insightsDb, say, expectedUsage([...good, ...edges], anchors), good.length + edges.length)
      } finally {
        await queue.close()
      }
    })
  },
}

async function feedTwice(queue: TaskQueue, chance: Chance, events: readonly Occurred[]): Promise<void> {
  const tasks = events.map(({ userId, at }) => makeTask(userId, new Date(at)))
  for (const order of [chance.shuffle(tasks), chance.shuffle(tasks)]) {
    for (let i = 0; i < order.length; i += BATCH) await queue.complete(order.slice(i, i + BATCH))
  }
}

async function readAnchors(insightsDb: string): Promise<Anchors> {
  const rows = await queryPostgres<{ user_id: string; anchor: Date | null }>(insightsDb, 'select user_id, anchor from usage_user')
  return new Map(rows.flatMap(({ user_id, anchor }) => (anchor === null ? [] : [[user_id, anchor.getTime()]])))
}

async function check(insightsDb: string, say: (line: string) => void, expected: ReadonlyMap<string, number>, count: number): Promise<void> {
  const stored = await queryPostgres<{ user_id: string; starts_at: Date; consumed: string }>(insightsDb, 'select * from usage_period')
  const found = new Map(stored.map((row) => [`${row.user_id}/${row.starts_at.getTime()}`, Number(row.consumed)]))
  const wrong = [...new Set([...expected.keys(), ...found.keys()])].filter((name) => expected.get(name) !== found.get(name))
  say(`${count} events, sent twice each: ${found.size} periods of ${PERIOD_DAYS} days, ${wrong.length} of them wrong`)
  const [days] = await queryPostgres<{ total: string }>(insightsDb, 'select coalesce(sum(consumed), 0) as total from usage_day')
  const rejected = await queryPostgres<{ reason: string; count: number }>(
    insightsDb,
    "select reason, count(distinct event::jsonb ->> 'id')::int as count from quarantine group by reason order by reason",
  )
  for (const row of rejected) say(`quarantine: ${row.count} events: ${row.reason}`)
  if (wrong.length > 0) throw new Error(`wrong periods: ${wrong.slice(0, 5).join(', ')}`)
  if (Number(days?.total) !== count) throw new Error(`the days hold ${days?.total} events`)
  const complete = rejected.length === 2 && rejected.every((row) => row.count === UNTIMELY)
  if (!complete) throw new Error(`${UNTIMELY} of each kind must be in quarantine`)
}

/** Returns the tasks of each period, as `user/start` → tasks, by the model's rules. */
function expectedUsage(events: readonly Occurred[], anchors: Anchors): Map<string, number> {
  const periods = new Map<string, number>()
  for (const { userId, at } of events) {
    const anchor = anchors.get(userId)
    if (anchor === undefined) throw new Error(`${userId} has no anchor`)
    const name = `${userId}/${periodOf(anchor, [{ days: PERIOD_DAYS, from: null }], at).startsAt}`
    periods.set(name, (periods.get(name) ?? 0) + 1)
  }
  return periods
}

/** Returns events at the first and last moments of each user's periods, and around five minutes before the anchor. */
function edgesOf(anchors: Anchors): Occurred[] {
  const ends = [-3, -2, -1, 0, 1, 2, 3].map((n) => n * PERIOD_MS)
  const offsets = [...ends, ...ends.map((end) => end - 1), -5 * MINUTE, -5 * MINUTE - 1]
  return [...anchors].flatMap(([userId, anchor]) => offsets.map((offset) => ({ userId, at: anchor + offset })))
}
