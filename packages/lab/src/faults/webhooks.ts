import { setTimeout as sleep } from 'node:timers/promises'
import { openChance } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import { feed, feedLost, makeTasks, subscribe, untilDeliveries } from '../rig/deliveries.ts'
import type { LinkedService, Rig, RigOptions } from '../rig/open-rig.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import { withRedis } from '../rig/redis-server.ts'
import { openTaskQueue } from '../rig/task-queue.ts'

/** Twenty attempts: a receiver that fails three times in ten practically never fails twenty times in a row. */
const SETTINGS = {
  WEBHOOK_RETRY_DELAYS_MS: [200, 400, 800, ...Array.from({ length: 16 }, () => 1_600)].join(','),
  WEBHOOK_TIMEOUT_MS: '1000',
  WEBHOOK_SWEEP_EVERY_MS: '500',
  WEBHOOK_OVERDUE_MS: '1000',
}
const PORTS = 20
const MAX_REPEATED_PERCENT = 0.1

export type WebhookPlan = {
  readonly deliveries: number
  readonly endpoints: number
  readonly kills: number
  /** How many times the queue is emptied. */
  readonly flushes: number
  /** Deliveries per second. */
  readonly rate: number
  readonly seed: number
}

/** What the receivers saw (`received`) and what the tables say (`recorded`). */
export type WebhookReport = {
  /** Webhooks never answered 2xx, webhooks received with different bytes, and 2xx responses after the first. */
  readonly received: { readonly webhooks: number; readonly undelivered: number; readonly changed: number; readonly repeated: number }
  readonly recorded: Recorded
  /** Tasks that were added to the queue again. */
  readonly lost: number
}

/** `misnumbered` deliveries have attempts that are not numbered 1, 2, 3 … once each. */
type Recorded = { readonly attempts: number; readonly delivered: number; readonly givenUp: number; readonly misnumbered: number }

export const webhooks: Command = {
  summary: 'webhooks arrive at least once: receivers fail, processes are killed, the queue is emptied',
  options: { deliveries: 100_000, endpoints: 1_000, failing: 30, kills: 20, flushes: 1, rate: 400, seed: 1 },
  async run({ say, withRig }, given) {
    const [deliveries, endpoints, kills] = [given.number('deliveries'), given.number('endpoints'), given.number('kills')]
    const [flushes, rate, seed] = [given.number('flushes'), given.number('rate'), given.number('seed')]
    await withRig(webhookRig(given.number('failing'), seed), async (rig) => {
      if (flushes > 0 && rig.redis === undefined) say('LEFT OUT: without Redis, the queue is not emptied')
      const { received, recorded, lost } = await playWebhooks(rig, { deliveries, endpoints, kills, flushes, rate, seed })
      const repeated = (100 * received.repeated) / deliveries
      say(
        `delivered ${recorded.delivered} of ${deliveries}, given up ${recorded.givenUp}; tasks lost by the queue and added again: ${lost}`,
      )
      say(`attempts recorded ${recorded.attempts}, deliveries with misnumbered attempts ${recorded.misnumbered}`)
      say(`received ${received.webhooks}, never answered 2xx ${received.undelivered}, with different bytes ${received.changed}`)
      say(`answered 2xx more than once: ${received.repeated} times (${repeated.toFixed(3)} %)`)
      const arrived = recorded.delivered === deliveries && received.webhooks === deliveries
      const exact = received.undelivered + received.changed + recorded.misnumbered === 0
      if (!(arrived && exact && repeated < MAX_REPEATED_PERCENT)) throw new Error('a figure does not hold')
    })
  },
}

/** Two processes of insights with a fast schedule, and receivers that fail in `failing` of 100 requests. */
export function webhookRig(failing: number, seed: number): Partial<RigOptions> {
  return { functions: 0, links: false, insightsEnv: SETTINGS, thirdParty: { ports: PORTS, failing, seed } }
}

/** Sends deliveries while processes are killed, and waits until all have been delivered or given up. */
export async function playWebhooks(rig: Rig, { deliveries, endpoints, kills, flushes, rate, seed }: WebhookPlan): Promise<WebhookReport> {
  await rig.start()
  const queue = await openTaskQueue(rig.queueUrl)
  try {
    const urls = Array.from({ length: endpoints }, (_, n) => `${rig.thirdParty.ready[n % PORTS]}/flaky/${n}`)
    const tasks = makeTasks(await subscribe(rig, urls), deliveries)
    const chance = openChance(seed)
    const at = () => chance.between(0.02, 0.98) * deliveries
    const faults = [
      ...Array.from({ length: kills }, () => ({ at: at(), victim: chance.pick(rig.insights) })),
      ...Array.from({ length: flushes }, () => ({ at: at(), victim: undefined })),
    ].sort((a, b) => a.at - b.at)
    const restarting = new Set<LinkedService>()
    const made: Promise<void>[] = []
    await feed(queue, tasks, rate, (fed) => {
      for (let fault = faults[0]; fault !== undefined && fault.at <= fed; fault = faults[0]) {
        faults.shift()
        made.push(fault.victim === undefined ? emptyQueue(rig) : restart(fault.victim, restarting))
      }
    })
    await Promise.all(made)
    const counted = await untilDeliveries(rig, 'true', deliveries)
    const lost = counted < deliveries ? await feedLost(rig, queue, tasks) : 0
    await untilDeliveries(rig, '(delivered_at is not null or failed_at is not null)', deliveries)
    return { received: await readReceived(rig), recorded: await readRecorded(rig), lost }
  } finally {
    await queue.close()
  }
}

/** Kills a process and starts it again. Waits for an earlier restart of the same process. */
async function restart(service: LinkedService, restarting: Set<LinkedService>): Promise<void> {
  while (restarting.has(service)) await sleep(50)
  restarting.add(service)
  await service.kill()
  await service.start()
  restarting.delete(service)
}

async function emptyQueue({ redis }: Rig): Promise<void> {
  if (redis !== undefined) await withRedis(redis.url, (client) => client.flushall())
}

async function readReceived(rig: Rig): Promise<WebhookReport['received']> {
  const { receipts } = await rig.thirdPartyLog()
  return {
    webhooks: receipts.length,
    undelivered: receipts.filter(({ answered }) => answered === 0).length,
    changed: receipts.filter(({ bodies }) => bodies > 1).length,
    repeated: receipts.reduce((sum, { answered }) => sum + Math.max(0, answered - 1), 0),
  }
}

async function readRecorded({ insightsDb }: Rig): Promise<Recorded> {
  const [recorded] = await queryPostgres<Recorded>(
    insightsDb,
    `select coalesce(sum(attempts), 0)::int as attempts, count(delivered_at)::int as delivered, count(failed_at)::int as "givenUp",
      count(*) filter (where attempts <> made.numbers or attempts <> made.rows or attempts <> made.last)::int as misnumbered
    from delivery d left join lateral (
      select count(distinct number) as numbers, count(*) as rows, coalesce(max(number), 0) as last
      from delivery_attempt a where a.delivery_id = d.id
    ) made on true`,
  )
  return recorded ?? { attempts: 0, delivered: 0, givenUp: 0, misnumbered: 0 }
}
