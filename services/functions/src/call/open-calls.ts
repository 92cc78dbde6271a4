import { setImmediate } from 'node:timers/promises'
import { type Closers, type Log, type Prepared, type Queues, type RateLimits, type Tracing, uuidv7 } from '@onward/runtime'
import type { Config } from '../config.ts'
import { EVENT_OUTBOX, taskOutbox } from '../db/outbox.ts'
import type { Db } from '../db/tables.ts'
import type { FunctionsMetrics } from '../metrics.ts'
import { type BodyQuota, openBodyQuota } from './body-quota.ts'
import { type KeyWrites, openKeyWrites } from './key-writes.ts'
import { type LargeCalls, openLargeCalls } from './large-calls.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { openRefusedCalls, type RefusedCalls } from './refused-calls.ts'
import { openRelay } from './relay.ts'
import { openSweeper, type Sweeper } from './sweep.ts'

/** What the process knows and stores about its calls. */
export type Calls = {
  /** Identifies this process in the rows that it owns: call attempts, leases and idempotency records. */
  readonly processId: string
  readonly newId: Sweeper['newCallId']
  readonly ledger: Ledger
  readonly bodyQuota: BodyQuota
  readonly keyWrites: KeyWrites
  readonly large: LargeCalls
  readonly refused: RefusedCalls
}

type Parts = {
  readonly config: Pick<Config, 'outgoingReach' | 'taskBatchMax'>
  readonly db: Db
  readonly prepared: Prepared
  readonly queues: Queues
  readonly metrics: FunctionsMetrics
  readonly rateLimits: RateLimits
  readonly tracing: Tracing | undefined
  readonly log: Log
}

/** Opens the parts that record calls, and publish their tasks and the events about users. Close them when all calls have ended; closing records and publishes these. */
export async function openCalls(
  opened: Closers,
  { config, db, prepared, queues, metrics, rateLimits, tracing, log }: Parts,
): Promise<Calls> {
  const processId = uuidv7()
  const { outgoingReach: reach, taskBatchMax: batchMax } = config
  const relay = opened.add(openRelay({ db, queues, tracing, log }, taskOutbox(batchMax)), (each) => each.close())
  opened.add(openRelay({ db, queues, tracing, log }, EVENT_OUTBOX), (each) => each.close())
  const ledger = openLedger({ db, prepared, processId, batchMax, onQueued: relay.wake, tracing, log })
  const own = { id: processId, reach }
  const sweeper = opened.add(await openSweeper(db, own, ledger, batchMax, relay.wake, log), (each) => each.close())
  const bodyQuota = openBodyQuota(db, metrics, log)
  const newId = sweeper.newCallId
  const refused = opened.add(openRefusedCalls({ db, newId, rateLimits, metrics, log }), (each) => each.idle())
  const keyWrites = opened.add(openKeyWrites(db, metrics, log), (each) => each.close())
  opened.add(ledger, async () => {
    // A call that has just ended takes some microtasks to reach the quota, and some more to reach the ledger. Each wait lets them run before
    // it is asked whether the next part is idle.
    await setImmediate()
    await bodyQuota.idle()
    await setImmediate()
    await ledger.idle()
  })
  return { processId, newId, ledger, bodyQuota, keyWrites, large: openLargeCalls(), refused }
}
