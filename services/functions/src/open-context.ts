import { setImmediate } from 'node:timers/promises'
import { checkRanker, inSlices, readArgumentWeights, readKnowledge, warmUp } from '@onward/predict'
import {
  beginRetention,
  deleteOldAudit,
  flushLog,
  lazy,
  makeGuard,
  openAssignmentTokens,
  openAuditLog,
  openClient,
  openDatabase,
  openEmbedTokens,
  openFreshCaches,
  openListener,
  openLog,
  openMetrics,
  openPrepared,
  openQueues,
  openRateLimits,
  openSealer,
  openSessionTokens,
  openShares,
  openSlowDatabase,
  openTurns,
  requireMigrations,
  uuidv7,
} from '@onward/runtime'
import { followBlocking } from './blocking/follow-blocking.ts'
import { retainCalls } from './call/count-hours.ts'
import { openKeyWrites } from './call/key-writes.ts'
import { openLedger } from './call/ledger.ts'
import { openRecentCalls } from './call/recent-calls.ts'
import { openRelay } from './call/relay.ts'
import { openSweeper } from './call/sweep.ts'
import { openImportProcesses } from './catalog/import-processes.ts'
import { openLiveCatalog } from './catalog/live-catalog.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { CHANGES_CHANNEL, findWorkspaceOf } from './db/applications.ts'
import { BLOCKING_CHANNEL } from './db/blocking.ts'
import { CALL_LOG } from './db/calls.ts'
import { migrations } from './db/migrations/index.ts'
import type { Tables } from './db/tables.ts'
import { openFunctionsMetrics, openModelMetrics } from './metrics.ts'
import { MAX_BODY_BYTES } from './onward/execute.ts'
import { openHeldAccounts } from './onward/held-accounts.ts'
import { openRenewals } from './onward/renewals.ts'
import { openModel } from './predict/model/model.ts'
import { openOptionCache } from './predict/names/options.ts'
import { openPast } from './predict/past.ts'
import { openServedApplications } from './served-applications.ts'

const MEBIBYTE = 1_048_576
/** How many applications a process holds in memory, a few kilobytes each. */
const MAX_APPLICATIONS = 10_000
/** How many accounts a process holds in memory, or more if users have several of an app. Each takes 1.5 KB. */
const MAX_ACCOUNTS = 20_000
/** How many bytes all requests in progress may hold. The memory of the process grows by two to three times as much. */
const IN_FLIGHT_BYTES = 128 * MEBIBYTE
/** One for the attempts, one for the records, and one each when a flush gets no answer. */
const LEDGER_CONNECTIONS = 4

/** Opens all parts of the service when the database has all migrations. */
export async function openContext(config: Config): Promise<Context> {
  const { databaseDirectUrl, outgoingReach: reach, taskBatchMax } = config
  const log = openLog('functions', config.logLevel, config.logFile)
  const db = openDatabase<Tables>(config.databaseUrl, config.databaseConnections)
  const slowDb = openSlowDatabase<Tables>(databaseDirectUrl)
  const prepared = openPrepared(databaseDirectUrl, LEDGER_CONNECTIONS)
  await requireMigrations('functions', config, migrations, log)
  await checkRanker(config.rankerFolder)
  // A process that never predicts does without these 10 MB.
  const knowledge = lazy(() => readKnowledge(config.weightsFolder, config.rankerFolder))
  const { appFolders: folders, checkedAppsFile: checkedFile, watchApps: watchFolders } = config
  const catalog = await openLiveCatalog({ db, folders, checkedFile, watchFolders, knowledge, log })
  const importProcesses = openImportProcesses(config.importWorker)
  const queues = await openQueues(config.queueUrl, config.queuePrefix, log)
  const processId = uuidv7()
  const relay = openRelay(db, queues, taskBatchMax, log)
  const retain = async (signal: AbortSignal) => {
    await deleteOldAudit(db)
    return await retainCalls(slowDb, config.callsKeptDays, signal)
  }
  const retention = await beginRetention(db, CALL_LOG, retain, log)
  const ledger = openLedger({ db, prepared, processId, batchMax: taskBatchMax, onQueued: relay.wake, log })
  const sweeper = await openSweeper(db, processId, ledger, taskBatchMax, relay.wake, log)
  const blocking = await followBlocking(db, log)

  const sealer = openSealer(config.sealingKeys)
  const caches = openFreshCaches(log)
  const applications = openServedApplications(db, sealer, caches.open(MAX_APPLICATIONS))
  const accounts = openHeldAccounts(db, caches.open(MAX_ACCOUNTS))
  const channels = { [BLOCKING_CHANNEL]: blocking.onNews, [CHANGES_CHANNEL]: caches.onNews }
  const listener = openListener(databaseDirectUrl, channels, log, caches.onAnswer)

  const calls = openClient({
    reach,
    ownUrl: config.publicUrl,
    connectTimeoutMs: 5_000,
    timeoutMs: config.callTimeoutMs,
    maxRequestBytes: MAX_BODY_BYTES,
    maxAnswerBytes: 10 * MEBIBYTE,
    overflow: 'fail',
  })
  const tokens = openClient({
    reach,
    ownUrl: config.publicUrl,
    connectTimeoutMs: 5_000,
    timeoutMs: 20_000,
    maxRequestBytes: 65_536,
    maxAnswerBytes: 65_536,
    overflow: 'fail',
  })
  const oauth = { client: tokens, reach, renewals: openRenewals() }

  const registry = openMetrics('functions')
  const functions = () => catalog.current.functions
  const model = await openModel(config.model, { db, functions, metrics: openModelMetrics(registry), log })
  const argumentWeights = await readArgumentWeights(config.weightsFolder)
  const past = openPast(db, knowledge, log)
  const prediction = { model, past, argumentWeights, options: openOptionCache(), warmUp: lazy(() => inSlices(warmUp())) }
  const memory = openShares(IN_FLIGHT_BYTES)
  const metrics = openFunctionsMetrics(registry, { db, blocking, memory, countRejected: () => functions().rejected.length, log })
  const keyWrites = openKeyWrites(db, metrics, log)
  const rateLimits = openRateLimits({ ...config, refused: metrics.rateLimited, log })
  return Object.freeze({
    config,
    processId,
    db,
    slowDb,
    queues,
    sealer,
    applications,
    accounts,
    catalog,
    importProcesses,
    onward: { client: calls, turns: openTurns(), reach },
    memory,
    oauth,
    newCallId: sweeper.newCallId,
    ledger,
    keyWrites,
    recentCalls: openRecentCalls(slowDb),
    blocking,
    prediction,
    rateLimits,
    guard: makeGuard((appKey) => findWorkspaceOf(db, appKey)),
    audit: openAuditLog(db, log),
    sessionTokens: openSessionTokens(config.adminToken),
    embedTokens: openEmbedTokens(config.adminToken),
    assignmentTokens: openAssignmentTokens(config.adminToken),
    metrics,
    log,
    async close() {
      // Ends onward calls in flight; they are recorded as not answered.
      await calls.close()
      await prediction.options.idle()
      // The ended calls must reach the ledger before it is asked whether it is idle.
      await setImmediate()
      await ledger.idle()
      // A renewal in flight may have replaced a refresh token, so the new one must be stored.
      await oauth.renewals
        .close()
        .catch((err: unknown) => log.warn({ err }, 'shutting down although access tokens are still being renewed'))
      await oauth.client.close()
      await model?.close()
      await prediction.past.close()
      importProcesses.close()
      await catalog.close()
      await keyWrites.close()
      await sweeper.close()
      await retention.close()
      await relay.close()
      await rateLimits.close()
      await queues.close()
      await listener.close()
      await blocking.close()
      await prepared.close()
      await slowDb.destroy()
      await db.destroy()
      await flushLog(log)
    },
  })
}
