import type { ArgumentWeights } from '@onward/predict'
import type { Gate, Log, OutgoingClient, Queues, Reach, Sealer } from '@onward/runtime'
import type { Blocking } from './blocking/follow-blocking.ts'
import type { Ledger } from './call/ledger.ts'
import type { LiveCatalog } from './catalog/live-catalog.ts'
import type { Config } from './config.ts'
import type { Renewals } from './connect/tokens/flights.ts'
import type { Db } from './db/tables.ts'
import type { FunctionsMetrics } from './metrics.ts'
import type { Model } from './predict/model/model.ts'
import type { HeldOptions } from './predict/names/options.ts'
import type { LearntPast } from './predict/past/open-past.ts'

<<<<<<< HEAD
/** The parts of the running service. `openContext` opens them; a stage receives only the parts that it uses. */
export type Context = {
  readonly config: Config
  /** Identifies this process in the rows that it owns: call attempts, leases and idempotency records. */
=======
const MEBIBYTE = 1_048_576
const FILE_CALLS = 8
/** How long the end waits for access tokens that are being renewed. */
const RENEWALS_MS = 10_000

export type Context = Pick<
  Config,
  'callBodies' | 'callsKeptDays' | 'callTimeoutMs' | 'clientProfile' | 'outgoingReach' | 'publicUrl' | 'taskBatchMax'
> & {
  /** Names this process in the rows that it holds. */
>>>>>>> b4ab60f (Create partitions far ahead and drop them by name)
  readonly processId: string
  readonly db: Db
  readonly queues: Queues
  readonly sealer: Sealer
  readonly catalog: LiveCatalog
  readonly onward: {
    readonly client: OutgoingClient
    /** Limits how many calls with files run at once: each can hold tens of megabytes. */
    readonly fileCalls: Gate
  }
  readonly oauth: {
    /** Sends token requests to the OAuth servers of apps. */
    readonly client: OutgoingClient
    readonly reach: Reach
    readonly renewals: Renewals
  }
  readonly ledger: Ledger
  readonly blocking: Blocking
  readonly prediction: {
    /** Undefined when no model server is configured. */
    readonly model: Model | undefined
    readonly past: LearntPast
    /** The learnt weights for `predictArguments`. */
    readonly argumentWeights: ArgumentWeights
    readonly options: HeldOptions
  }
  readonly metrics: FunctionsMetrics
  readonly log: Log
  /** Waits until calls in flight are recorded and published, then closes all parts. */
  close(): Promise<void>
}
<<<<<<< HEAD
=======

export async function openContext(config: Config): Promise<Context> {
  const log = openLog('functions', config.logLevel, config.logFile)
  const db = openDatabase<Tables>(config.databaseUrl, config.databaseConnections)
  await migrate(config.databaseDirectUrl, migrations)
  const knowledge = await readKnowledge(config.weightsFolder, config.rankerFolder)
  const catalog = await openLiveCatalog({ db, folders: config.appFolders, watchFolders: config.watchApps, knowledge, log })
  const queues = await openQueues(config.queueUrl, config.queuePrefix, log)
  const processId = uuidv7()
  const publisher = openPublisher(db, queues, config.taskBatchMax, log)
  const retention = await beginRetention(db, CALLS, (signal) => retain(db, config.callsKeptDays, signal), log)
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
  const { callBodies, callsKeptDays, callTimeoutMs, clientProfile, outgoingReach, publicUrl, taskBatchMax } = config
  return Object.freeze({
    ...{ callBodies, callsKeptDays, callTimeoutMs, clientProfile, outgoingReach, publicUrl, taskBatchMax },
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
>>>>>>> b4ab60f (Create partitions far ahead and drop them by name)
