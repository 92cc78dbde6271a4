import { TIMING } from '@onward/insights'
import { sql } from 'kysely'
import type { Bench } from '../bench.ts'
import { feed, makeTasks } from '../webhooks/feed.ts'
import { openRig, type Rig } from '../webhooks/open-rig.ts'
import { subscribe } from '../webhooks/subscribe.ts'
import { waitUntilQuiet } from '../webhooks/wait-until-quiet.ts'
import { noteCommits } from './note-commits.ts'

const PORTS = 20
const MOST_MS = 1_000

export const bench: Bench = {
  summary: 'a bad endpoint delays nobody: the wait of the healthy ones while others hang, beside a run in which none does',
  options: { endpoints: 1_000, hanging: 50, deliveries: 20_000, rate: 400, seed: 1 },
  async run(lab, { endpoints = 0, hanging = 0, deliveries = 0, rate = 0, seed = 0 }) {
    lab.say('milliseconds from the commit that makes a delivery to its request at the receiver')
    for (const bad of [0, hanging]) {
      const waits = await measure({ endpoints, hanging: bad, deliveries, rate, seed })
      const at = (part: number) => Math.round(waits[Math.ceil(waits.length * part) - 1] ?? Number.NaN)
      lab.say(`${bad} of ${endpoints} hang: ${waits.length} to the others, p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`)
      if (bad > 0 && !(at(0.99) < MOST_MS)) throw new Error(`p99 is not below ${MOST_MS} ms`)
    }
  },
}

type Options = { endpoints: number; hanging: number; deliveries: number; rate: number; seed: number }

/** The waits of deliveries to healthy endpoints, sorted. Throws when one did not arrive. */
async function measure({ endpoints, hanging, deliveries, rate, seed }: Options): Promise<number[]> {
  const rig = await openRig({ ports: PORTS, failing: 0, seed, timing: TIMING })
  try {
    await noteCommits(rig.db)
    const every = hanging === 0 ? Number.POSITIVE_INFINITY : endpoints / hanging
    const urls = Array.from({ length: endpoints }, (_, n) => {
      const hangs = hanging > 0 && Math.floor((n + 1) / every) > Math.floor(n / every)
      return `${rig.receivers.ready[n % PORTS]}/${hangs ? 'hang' : 'ok'}/${n}`
    })
    const appKeys = await subscribe(await rig.startInsights(), urls)
    await feed(rig, makeTasks(appKeys, deliveries), rate, async () => {})
    await waitUntilQuiet(rig, sql`true`, deliveries)
    const healthy = sql<boolean>`delivered_at is not null or subscription_id in (select id from subscription where callback_url like '%/hang/%')`
    await waitUntilQuiet(rig, healthy, deliveries)
    return await waitsOf(rig)
  } finally {
    await rig.close()
  }
}

async function waitsOf(rig: Rig): Promise<number[]> {
  const arrivals = new Map(await rig.receivers.ask<[string, number][]>('arrivals'))
  const { rows } = await sql<{ id: string; made: number }>`
    select d.id, extract(epoch from c.at)::float8 * 1000 as made
    from delivery d join committed c on c.id = d.id join subscription s on s.id = d.subscription_id where s.callback_url not like '%/hang/%'`.execute(
    rig.db,
  )
  const missing = rows.filter((row) => !arrivals.has(row.id)).length
  if (missing > 0) throw new Error(`${missing} deliveries to healthy endpoints did not arrive`)
  return rows.map((row) => (arrivals.get(row.id) ?? 0) - row.made).sort((a, b) => a - b)
}
