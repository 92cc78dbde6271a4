import { setImmediate } from 'node:timers/promises'
import { loadCatalog } from '@onward/catalog'
import {
  type Log,
  type Metrics,
  migrate,
  type OutgoingClient,
  openClient,
  openDatabase,
  openLog,
  openMetrics,
  openQueues,
  openSealer,
  type Queues,
  type Sealer,
  uuidv7,
} from '@onward/runtime'
import type { Kysely } from 'kysely'
import { MAX_BODY_BYTES } from './call/execute.ts'
import { type Ledger, openLedger } from './call/ledger.ts'
import { openPublisher } from './call/publish.ts'
import { openSweeper } from './call/sweep.ts'
import { compileFunctions, type Functions } from './catalog/functions.ts'
import type { Config } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import type { Tables } from './db/tables.ts'
import { type Measured, openMeasured } from './measured.ts'
import { makePredictor, type Predictor } from './predict/predictor.ts'

const MEBIBYTE = 1_048_576

export type Context = Pick<Config, 'callBodies' | 'callTimeoutMs' | 'clientProfile' | 'outgoingReach'> & {
  readonly db: Kysely<Tables>
  readonly queues: Queues
  readonly sealer: Sealer
  readonly functions: Functions
  readonly predictor: Predictor
  readonly onward: OutgoingClient
  readonly ledger: Ledger
  readonly metrics: Metrics
  readonly measured: Measured
  readonly log: Log
  /** Lets calls in hand be recorded and handed over, then closes everything. */
  close(): Promise<void>
}

export async function openContext(config: Config): Promise<Context> {
  const log = openLog('functions', config.logLevel, config.logFile)
  const functions = compileFunctions(await loadCatalog(config.appFolders))
  const db = openDatabase<Tables>(config.databaseUrl, config.databaseConnections)
  await migrate(db, migrations)
  const queues = await openQueues(config.queueUrl, config.queuePrefix, log)
  const processId = uuidv7()
  const publisher = openPublisher(db, queues, log)
  const sweeper = await openSweeper(db, processId, config.taskBatchMax, publisher.wake, log)
  const ledger = openLedger(db, processId, config.taskBatchMax, publisher.wake, log)
  const onward = openClient({
    reach: config.outgoingReach,
    connectTimeoutMs: 5_000,
    timeoutMs: config.callTimeoutMs,
    maxRequestBytes: MAX_BODY_BYTES,
    maxAnswerBytes: 10 * MEBIBYTE,
    overflow: 'fail',
  })
  const metrics = openMetrics('functions')
  const { callBodies, callTimeoutMs, clientProfile, outgoingReach } = config
  return Object.freeze({
    ...{ callBodies, callTimeoutMs, clientProfile, outgoingReach },
    ...{ db, queues, functions, onward, ledger, metrics, log },
    sealer: openSealer(config.sealingKeys),
    predictor: makePredictor(functions.all.map(({ fn }) => fn)),
    measured: openMeasured(metrics, db, log),
    async close() {
      // Onward calls that are still under way end here, and are recorded as not answered.
      await onward.close()
      await setImmediate()
      await ledger.idle()
      await sweeper.close()
      await publisher.close()
      await queues.close()
      await db.destroy()
    },
  })
}
