import { deleteOldAudit, openAccess } from '@onward/access'
import { checkRanker, readKnowledge } from '@onward/predict'
import {
  beginRetention,
  type Closers,
  flushLog,
  lazy,
  measureClock,
  measureQueues,
  openAll,
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
  openTracing,
  requireMigrations,
} from '@onward/runtime'
import { followBlocking } from './blocking/follow-blocking.ts'
import { openCalls } from './call/open-calls.ts'
import { openLiveCatalog } from './catalog/live-catalog.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { CHANGES_CHANNEL, findWorkspaceOf } from './db/applications.ts'
import { BLOCKING_CHANNEL } from './db/blocking.ts'
import { CALL_LOG } from './db/calls.ts'
import { deleteExpiredSignIns } from './db/mcp-secrets.ts'
import { migrations } from './db/migrations/index.ts'
import type { Tables } from './db/tables.ts'
import { openFunctionsMetrics, openModelMetrics } from './metrics.ts'
import { openHeldAccounts } from './onward/held-accounts.ts'
import { openOutgoing } from './onward/open-outgoing.ts'
import { openPrediction } from './predict/open-prediction.ts'
import { openServedApplications } from './served-applications.ts'
import { retainCalls } from './statistics/count-calls.ts'
import { openRecentCalls } from './statistics/recent-calls.ts'

const MEBIBYTE = 1_048_576
/** How many bytes all requests in progress may hold. The memory of the process grows by two to three times as much. */
const IN_FLIGHT_BYTES = 128 * MEBIBYTE
/** One for the attempts, one for the records, and one each when a flush gets no response. */
const LEDGER_CONNECTIONS = 4

/**
 * Opens all parts of the service when the database has all migrations. `close` ends the onward calls in flight, waits until all calls are
 * recorded and published, then closes all parts.
 */
export function openContext(config: Config): Promise<Context & { close(): Promise<void> }> {
  return openAll((opened) => openParts(config, opened))
}

async function openParts(config: Config, opened: Closers): ReturnType<typeof openContext> {
  const { databaseDirectUrl } = config
  const tracing = opened.add(await openTracing('functions', config.tracing), (each) => each?.close())
  const log = opened.add(openLog('functions', config.logLevel, config.logFile, tracing), flushLog)
  tracing?.warnOn(log)
  const db = opened.add(openDatabase<Tables>(config.databaseUrl, config.databaseConnections, tracing), (each) => each.destroy())
  const slowDb = opened.add(openSlowDatabase<Tables>(databaseDirectUrl, tracing), (each) => each.destroy())
  const prepared = opened.add(openPrepared(databaseDirectUrl, LEDGER_CONNECTIONS), close)
  await requireMigrations('functions', config, migrations, log)
  await checkRanker(config.rankerFolder)

  const blocking = opened.add(await followBlocking(db, log), close)
  const sealer = openSealer(config.sealingKeys)
  const caches = openFreshCaches(log)
  const applications = openServedApplications(db, sealer, caches)
  const accounts = openHeldAccounts(db, caches)
  const channels = { [BLOCKING_CHANNEL]: blocking.onNews, [CHANGES_CHANNEL]: caches.onNews }
  opened.add(openListener(databaseDirectUrl, channels, log, caches.onResponse), close)

  const registry = openMetrics('functions')
  const memory = openShares(IN_FLIGHT_BYTES)
  const functions = () => catalog.current.functions
  const metrics = openFunctionsMetrics(registry, { db, blocking, memory, countRejected: () => functions().rejected.length, log })
  const queues = opened.add(await openQueues(config.queueUrl, config.queuePrefix, log), close)
  measureQueues(registry, queues, log)
  measureClock(registry, db, log)
  const rateLimits = opened.add(openRateLimits({ ...config, refused: metrics.rateLimited, log }), close)

  const retain = async (signal: AbortSignal) => {
    await deleteOldAudit(db)
    await deleteExpiredSignIns(db)
    return await retainCalls(slowDb, config.callsKeptDays, signal)
  }
  opened.add(await beginRetention(db, CALL_LOG, retain, log), close)
  const calls = await openCalls(opened, { config, db, prepared, queues, metrics, rateLimits, tracing, log })

  // A process that never predicts does without these 10 MB.
  const knowledge = lazy(() => readKnowledge(config.weightsFolder, config.rankerFolder))
  const { appFolders: folders, checkedAppsFile: checkedFile, watchApps: watchFolders, importWorker } = config
  const catalog = opened.add(await openLiveCatalog({ db, folders, checkedFile, watchFolders, importWorker, knowledge, log }), close)
  const prediction = await openPrediction(opened, { config, db, knowledge, functions, metrics: openModelMetrics(registry), log })

  // Opened last and closed first, because calls in flight use all other parts.
  const outgoing = openOutgoing(opened, config, tracing, log)
  return Object.freeze({
    config,
    db,
    slowDb,
    queues,
    sealer,
    applications,
    accounts,
    catalog,
    ...outgoing,
    memory,
    calls,
    recentCalls: openRecentCalls(slowDb),
    blocking,
    prediction,
    rateLimits,
    access: openAccess({ db, log, adminToken: config.adminToken, workspaceOf: (appKey) => findWorkspaceOf(db, appKey) }),
    metrics,
    tracing,
    log,
    close: opened.close,
  })
}

function close(part: { close(): unknown }): unknown {
  return part.close()
}
