import { quantile } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import { feed, makeTasks, subscribe, untilDeliveries } from '../rig/deliveries.ts'
import type { Rig } from '../rig/open-rig.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import { openTaskQueue } from '../rig/task-queue.ts'

const PORTS = 20
const MAX_MS = 1_000

/** Records when the transaction of each delivery is about to commit. */
const RECORD_COMMITS = `create table committed (id uuid, at timestamptz);
  create function record_commit() returns trigger language plpgsql as
    $$ begin insert into committed values (new.id, clock_timestamp()); return new; end $$;
  create constraint trigger record_commit after insert on delivery deferrable initially deferred
    for each row execute function record_commit()`

type Load = { readonly endpoints: number; readonly deliveries: number; readonly rate: number }

export const hanging: Command = {
  summary: 'a bad endpoint delays no other: the delay of healthy endpoints while others hang, beside a run in which none hangs',
  options: { endpoints: 1_000, hanging: 50, deliveries: 20_000, rate: 400 },
  async run({ say, withRig }, given) {
    const load = { endpoints: given.number('endpoints'), deliveries: given.number('deliveries'), rate: given.number('rate') }
    say('milliseconds from the commit of a delivery to its request at the receiver')
    for (const bad of [0, given.number('hanging')]) {
      const thirdParty = { ports: PORTS, failing: 0, seed: 1 }
      const delays = await withRig({ functions: 0, insights: 1, links: false, thirdParty }, (rig) => measure(rig, load, bad))
      const at = (share: number) => Math.round(quantile(delays, share))
      say(`${bad} of ${load.endpoints} hang: ${delays.length} to the others, p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`)
      if (bad > 0 && !(at(0.99) < MAX_MS)) throw new Error(`p99 is not below ${MAX_MS} ms`)
    }
  },
}

/** Returns the delays of deliveries to healthy endpoints. Throws when one did not arrive. */
async function measure(rig: Rig, { endpoints, deliveries, rate }: Load, bad: number): Promise<number[]> {
  await rig.start()
  await queryPostgres(rig.insightsDb, RECORD_COMMITS)
  // Spreads the hanging endpoints evenly.
  const every = bad === 0 ? Number.POSITIVE_INFINITY : endpoints / bad
  const urls = Array.from({ length: endpoints }, (_, n) => {
    const hangs = bad > 0 && Math.floor((n + 1) / every) > Math.floor(n / every)
    return `${rig.thirdParty.ready[n % PORTS]}/${hangs ? 'hang' : 'ok'}/${n}`
  })
  const tasks = makeTasks(await subscribe(rig, urls), deliveries)
  const queue = await openTaskQueue(rig.queueUrl)
  await feed(queue, tasks, rate).finally(() => queue.close())
  await untilDeliveries(rig, 'true', deliveries)
  const hangingIds = "(select id from subscription where callback_url like '%/hang/%')"
  await untilDeliveries(rig, `(delivered_at is not null or subscription_id in ${hangingIds})`, deliveries)

  const arrivals = new Map((await rig.thirdPartyLog()).receipts.map(({ id, firstAt }) => [id, firstAt]))
  const rows = await queryPostgres<{ id: string; committed: number }>(
    rig.insightsDb,
    `select d.id, extract(epoch from c.at)::float8 * 1000 as committed
    from delivery d join committed c on c.id = d.id where d.subscription_id not in ${hangingIds}`,
  )
  const missing = rows.filter(({ id }) => !arrivals.has(id)).length
  if (missing > 0) throw new Error(`${missing} deliveries to healthy endpoints did not arrive`)
  return rows.map(({ id, committed }) => (arrivals.get(id) ?? 0) - committed)
}
