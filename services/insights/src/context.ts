import {
  type Log,
  type Metrics,
  type OutgoingClient,
  openClient,
  openDatabase,
  openLog,
  openMetrics,
  openQueues,
  openSealer,
  type Queue,
  type Queues,
  type Sealer,
} from '@onward/runtime'
import type { Config } from './config.ts'
import type { Db } from './db/tables.ts'
import { DELIVERY_QUEUE, type DeliveryJob } from './events/delivery-job.ts'
import type { Timing } from './events/timing.ts'
import { type Counters, openCounters } from './metrics.ts'

/** The live parts of the service. */
export type Context = {
  readonly config: Config
  readonly timing: Timing
  readonly log: Log
  readonly db: Db
  readonly sealer: Sealer
  readonly queues: Queues
  readonly deliveries: Queue<DeliveryJob>
  readonly webhooks: OutgoingClient
  readonly metrics: Metrics
  readonly counters: Counters
  close(): Promise<void>
}

export async function openContext(config: Config, timing: Timing): Promise<Context> {
  const log = openLog('insights', config.logLevel, config.logFile)
  const metrics = openMetrics('insights')
  const sealer = openSealer(config.sealingKeys)
  const queues = await openQueues(config.queueUrl, config.queuePrefix, log)
  const db: Db = openDatabase(config.databaseUrl, config.databaseConnections)
  const webhooks = openClient({
    reach: config.outgoingReach,
    connectTimeoutMs: timing.deadlineMs,
    timeoutMs: timing.deadlineMs,
    maxRequestBytes: 65_536,
    maxAnswerBytes: 16_384,
    overflow: 'cut',
  })
  return {
    config,
    timing,
    log,
    db,
    sealer,
    queues,
    deliveries: queues.queue<DeliveryJob>(DELIVERY_QUEUE),
    webhooks,
    metrics,
    counters: openCounters(metrics),
    async close() {
      // Workers first: what they have in hand needs the rest.
      await queues.close()
      await db.destroy()
      // Last: an attempt that is cut off here finds no database to be recorded in, and is made again by another process.
      await webhooks.close()
    },
  }
}
