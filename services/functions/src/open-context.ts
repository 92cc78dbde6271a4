import { setImmediate } from 'node:timers/promises'
import { deleteOldAudit, openAccess } from '@onward/access'
import { checkRanker, inSlices, readArgumentWeights, readKnowledge, warmUp } from '@onward/predict'
import {
  beginRetention,
  type Closers,
  flushLog,
  lazy,
  openAll,
  openClient,
  openDatabase,
  openFreshCaches,
  openListener,
  openLog,
  openMetrics,
  openPrepared,
  openQueues,
  openRateLimits,
  openSealer,
  openShares,
  openSlowDatabase,
  openTurns,
  requireMigrations,
  uuidv7,
} from '@onward/runtime'
import { followBlocking } from './blocking/follow-blocking.ts'
import { openBodyQuota } from './call/body-quota.ts'
import { openKeyWrites } from './call/key-writes.ts'
import { openLedger } from './call/ledger.ts'
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
import { retainCalls } from './statistics/count-calls.ts'
import { openRecentCalls } from './statistics/recent-calls.ts'

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
export function openContext(config: Config): Promise<Context> {
  return openAll((opened) => openParts(config, opened))
}

async function openParts(config: Config, opened: Closers): Promise<Context> {
  const { databaseDirectUrl, outgoingReach: reach, taskBatchMax, publicUrl: ownUrl } = config
  const log = opened.add(openLog('functions', config.logLevel, config.logFile), flushLog)
  const db = opened.add(openDatabase<Tables>(config.databaseUrl, config.databaseConnections), (each) => each.destroy())
  const slowDb = opened.add(openSlowDatabase<Tables>(databaseDirectUrl), (each) => each.destroy())
  const prepared = opened.add(openPrepared(databaseDirectUrl, LEDGER_CONNECTIONS), close)
  await requireMigrations('functions', config, migrations, log)
  await checkRanker(config.rankerFolder)

  const blocking = opened.add(await followBlocking(db, log), close)
  const sealer = openSealer(config.sealingKeys)
  const caches = openFreshCaches(log)
  const applications = openServedApplications(db, sealer, caches.open(MAX_APPLICATIONS))
  const accounts = openHeldAccounts(db, caches.open(MAX_ACCOUNTS))
  const channels = { [BLOCKING_CHANNEL]: blocking.onNews, [CHANGES_CHANNEL]: caches.onNews }
  opened.add(openListener(databaseDirectUrl, channels, log, caches.onAnswer), close)

  const registry = openMetrics('functions')
  const memory = openShares(IN_FLIGHT_BYTES)
  const functions = () => catalog.current.functions
  const metrics = openFunctionsMetrics(registry, { db, blocking, memory, countRejected: () => functions().rejected.length, log })
  const queues = opened.add(await openQueues(config.queueUrl, config.queuePrefix, log), close)
  const rateLimits = opened.add(openRateLimits({ ...config, refused: metrics.rateLimited, log }), close)

  const processId = uuidv7()
  const relay = opened.add(openRelay(db, queues, taskBatchMax, log), close)
  const retain = async (signal: AbortSignal) => {
    await deleteOldAudit(db)
    return await retainCalls(slowDb, config.callsKeptDays, signal)
  }
  opened.add(await beginRetention(db, CALL_LOG, retain, log), close)
  const ledger = openLedger({ db, prepared, processId, batchMax: taskBatchMax, onQueued: relay.wake, log })
  const sweeper = opened.add(await openSweeper(db, processId, ledger, taskBatchMax, relay.wake, log), close)
  const bodyQuota = openBodyQuota(db, metrics, log)
  const keyWrites = opened.add(openKeyWrites(db, metrics, log), close)

  // A process that never predicts does without these 10 MB.
  const knowledge = lazy(() => readKnowledge(config.weightsFolder, config.rankerFolder))
  const { appFolders: folders, checkedAppsFile: checkedFile, watchApps: watchFolders } = config
  const catalog = opened.add(await openLiveCatalog({ db, folders, checkedFile, watchFolders, knowledge, log }), close)
  const importProcesses = opened.add(openImportProcesses(config.importWorker), close)
  const past = opened.add(openPast(db, knowledge, log), close)
  const model = opened.add(await openModel(config.model, { db, functions, metrics: openModelMetrics(registry), log }), (each) =>
    each?.close(),
  )
  const argumentWeights = await readArgumentWeights(config.weightsFolder)
  const prediction = { model, past, argumentWeights, options: openOptionCache(), warmUp: lazy(() => inSlices(warmUp())) }

  const connectTimeoutMs = 5_000
  const tokenLimits = { timeoutMs: 20_000, maxRequestBytes: 65_536, maxAnswerBytes: 65_536 }
  const tokens = opened.add(openClient({ reach, ownUrl, connectTimeoutMs, ...tokenLimits, overflow: 'fail' }), close)
  // A renewal in flight may have replaced a refresh token, so the new one must be stored.
  const renewals = opened.add(openRenewals(), async (each) => {
    await each.close().catch((err: unknown) => log.warn({ err }, 'shutting down although access tokens are still being renewed'))
  })
  opened.add(ledger, async () => {
    // The ended calls must reach the ledger before it is asked whether it is idle.
    await setImmediate()
    await bodyQuota.idle()
    await setImmediate()
    await ledger.idle()
  })
  opened.add(prediction.options, (each) => each.idle())
  const callLimits = { timeoutMs: config.callTimeoutMs, maxRequestBytes: MAX_BODY_BYTES, maxAnswerBytes: 10 * MEBIBYTE }
  // Closed first, which ends onward calls in flight; they are recorded as not answered.
  const client = opened.add(openClient({ reach, ownUrl, connectTimeoutMs, ...callLimits, overflow: 'fail' }), close)
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
    onward: { client, turns: openTurns(), reach },
    memory,
    oauth: { client: tokens, reach, renewals },
    newCallId: sweeper.newCallId,
    ledger,
    bodyQuota,
    keyWrites,
    recentCalls: openRecentCalls(slowDb),
    blocking,
    prediction,
    rateLimits,
    access: openAccess({ db, log, adminToken: config.adminToken, workspaceOf: (appKey) => findWorkspaceOf(db, appKey) }),
    metrics,
    log,
    close: opened.close,
  })
}

function close(part: { close(): unknown }): unknown {
  return part.close()
}
