import { LIMIT_QUEUE, type LimitStatesJob } from '@onward/contract'
import {
  type Log,
  type Metrics,
  openDatabase,
  openLog,
  openMetrics,
  openPoster,
  openQueues,
  openSealer,
  type Poster,
  type Queue,
  type Queues,
  type Sealer,
} from '@onward/runtime'
import type { Config } from './config.ts'
import type { Db } from './db/tables.ts'
import { DELIVERY_QUEUE, type DeliveryJob } from './events/delivery-job.ts'
import { PLACES } from './events/places.ts'
import { openSigningKeys, type SigningKeys } from './events/signing-keys.ts'
import type { Timing } from './events/timing.ts'
import { openGauges } from './gauges.ts'
import { type Counters, openCounters } from './metrics.ts'

/** The live parts of the service. */
export type Context = {
  readonly config: Config
  readonly timing: Timing
  readonly log: Log
  readonly db: Db
  readonly sealer: Sealer
  readonly signingKeys: SigningKeys
  readonly queues: Queues
  readonly deliveries: Queue<DeliveryJob>
  readonly limitStates: Queue<LimitStatesJob>
  readonly webhooks: Poster
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
  openGauges(metrics, db, log)
  const webhooks = openPoster({
    reach: config.outgoingReach,
    deadlineMs: timing.deadlineMs,
    // Many endpoints may lie on one host: those that hang take no connection from the others.
    connections: PLACES.prompt + PLACES.dawdling,
    maxAnswerBytes: 16_384,
  })
  return {
    config,
    timing,
    log,
    db,
    sealer,
    signingKeys: openSigningKeys(sealer),
    queues,
    deliveries: queues.queue<DeliveryJob>(DELIVERY_QUEUE, { keepCompleted: false }),
    limitStates: queues.queue<LimitStatesJob>(LIMIT_QUEUE, { keepCompleted: false }),
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
