import { setImmediate } from 'node:timers/promises'
import { readKnowledge } from '@onward/predict'
import {
  beginRetention,
  type Gate,
  inTime,
  type Log,
  type Metrics,
  migrate,
  type OutgoingClient,
  openClient,
  openDatabase,
  openGate,
  openLog,
  openMetrics,
  openQueues,
  openSealer,
  type Queues,
  type Sealer,
  uuidv7,
} from '@onward/runtime'
import type { Kysely } from 'kysely'
import { MAX_BODY_BYTES } from './call/bounds.ts'
import { type Ledger, openLedger } from './call/ledger.ts'
import { openPublisher } from './call/publish.ts'
import { CALLS, retain } from './call/retain.ts'
import { openSweeper } from './call/sweep.ts'
import type { Functions } from './catalog/functions.ts'
import { type LiveCatalog, openLiveCatalog } from './catalog/live-catalog.ts'
import type { Config } from './config.ts'
import { openRenewals, type Renewals } from './connect/tokens/flights.ts'
import { migrations } from './db/migrations/index.ts'
import type { Tables } from './db/tables.ts'
import { followLimits, type Limits } from './limits/follow-limits.ts'
import { type Measured, openMeasured } from './measured.ts'
import { loadModel } from './predict/model/load-model.ts'
import type { Model } from './predict/model/model.ts'
import { type HeldOptions, holdOptions } from './predict/names/options.ts'
import { type LearntPast, openPast } from './predict/past/open-past.ts'

const MEBIBYTE = 1_048_576
const FILE_CALLS = 8
/** How long the end waits for access tokens that are being renewed. */
const RENEWALS_MS = 10_000

export type Context = Pick<
  Config,
  'callBodies' | 'callsKeptDays' | 'callTimeoutMs' | 'clientProfile' | 'databaseDirectUrl' | 'outgoingReach' | 'publicUrl' | 'taskBatchMax'
> & {
  /** Names this process in the rows that it holds. */
  readonly processId: string
  readonly db: Kysely<Tables>
  readonly queues: Queues
  readonly sealer: Sealer
  readonly catalog: LiveCatalog
  /** Those of the catalog as it is now. */
  readonly functions: Functions
  readonly onward: OutgoingClient
  /** Lets in calls with files: each may hold tens of megabytes. */
  readonly fileCalls: Gate
  /** For the OAuth servers of apps. */
  readonly tokens: OutgoingClient
  readonly renewals: Renewals
  readonly ledger: Ledger
  /** Helps to predict, where a model server is set. */
  readonly model: Model | undefined
  /** What prompts were for before. */
  readonly past: LearntPast
  /** What apps offered lately where the names of a prompt were looked up. */
  readonly options: HeldOptions
  /** Who may not call for now. */
  readonly limits: Limits
  readonly metrics: Metrics
  readonly measured: Measured
  readonly log: Log
  /** Lets calls in hand be recorded and handed over, then closes everything. */
  close(): Promise<void>
}

export async function openContext(config: Config): Promise<Context> {
  const log = openLog('functions', config.logLevel, config.logFile)
  const db = openDatabase<Tables>(config.databaseUrl, config.databaseConnections)
  await migrate(config.databaseDirectUrl, migrations)
  const knowledge = await readKnowledge(config.weightsFolder, config.rankerFolder)
  const catalog = await openLiveCatalog({ db, folders: config.appFolders, watchFolders: config.watchApps, knowledge, log })
  const queues = await openQueues(config.queueUrl, config.queuePrefix, log)
  const processId = uuidv7()
  const publisher = openPublisher(db, queues, config.taskBatchMax, log)
  const retention = await beginRetention(
    db,
    CALLS,
    config.databaseDirectUrl,
    (signal) => retain(db, config.callsKeptDays, config.databaseDirectUrl, signal),
    log,
  )
  const sweeper = await openSweeper(db, processId, config.taskBatchMax, publisher.wake, log)
  const ledger = openLedger(db, processId, config.taskBatchMax, publisher.wake, log)
  const limits = await followLimits(db, config.databaseDirectUrl, log)
  const onward = openClient({
    reach: config.outgoingReach,
    connectTimeoutMs: 5_000,
    timeoutMs: config.callTimeoutMs,
    maxRequestBytes: MAX_BODY_BYTES,
    maxAnswerBytes: 10 * MEBIBYTE,
    overflow: 'fail',
  })
  const tokens = openClient({
    reach: config.outgoingReach,
    connectTimeoutMs: 5_000,
    timeoutMs: 20_000,
    maxRequestBytes: 65_536,
    maxAnswerBytes: 65_536,
    overflow: 'fail',
  })
  const renewals = openRenewals()
  const metrics = openMetrics('functions')
  const model = await loadModel(config.model, { db, functions: () => catalog.current.functions, metrics, log })
  const options = holdOptions()
  const past = openPast(db, knowledge, log)
  const { callBodies, callsKeptDays, callTimeoutMs, clientProfile, databaseDirectUrl, outgoingReach, publicUrl, taskBatchMax } = config
  return Object.freeze({
    ...{ callBodies, callsKeptDays, callTimeoutMs, clientProfile, databaseDirectUrl, outgoingReach, publicUrl, taskBatchMax },
    ...{ processId, db, queues, catalog, onward, tokens, renewals, ledger, limits, metrics, model, past, options, log },
    get functions() {
      return catalog.current.functions
    },
    fileCalls: openGate(FILE_CALLS, 8 * FILE_CALLS),
    sealer: openSealer(config.sealingKeys),
    measured: openMeasured(metrics, { db, limits, countQuarantined: () => catalog.current.functions.quarantined.length, log }),
    async close() {
      // Onward calls that are still under way end here, and are recorded as not answered.
      await onward.close()
      await options.idle()
      await setImmediate()
      await ledger.idle()
      // A token that is on its way may have taken the place of the one before: it must be stored.
      await inTime(RENEWALS_MS, renewals.idle()).catch((err: unknown) => log.warn({ err }, 'access tokens were being renewed'))
      await tokens.close()
      await model?.close()
      await past.close()
      await catalog.close()
      await sweeper.close()
      await retention.close()
      await publisher.close()
      await queues.close()
      await limits.close()
      await db.destroy()
    },
  })
}
