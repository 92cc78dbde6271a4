import { openAccess } from '@onward/access'
import {
  BLOCKING_QUEUE,
  type BlockingJob,
  ENDED_RIGHTS_QUEUE,
  type EndedRightsJob,
  RESEND_QUEUE,
  type ResendJob,
  TASK_QUEUE,
} from '@onward/contract'
import {
  type Closers,
  flushLog,
  measureClock,
  measureQueues,
  openAll,
  openClient,
  openDatabase,
  openLog,
  openMetrics,
  openPoster,
  openQueues,
  openRateLimits,
  openRequestSeconds,
  openSealer,
  openSlowDatabase,
  openTracing,
} from '@onward/runtime'
import { publishBlocking } from './blocking/publish-blocking.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { findWorkspaceOf } from './db/applications.ts'
import type { Db } from './db/tables.ts'
import { openCounters, openGauges } from './metrics.ts'
import { OIDC_TIMEOUT_MS, openOidcProvider } from './people/oidc.ts'
import { MAX_IN_FLIGHT, MAX_SLOW } from './webhooks/concurrency.ts'
import { DELIVERY_QUEUE, type DeliveryJob, wakeSubscriptions } from './webhooks/queue.ts'
import { openSigningKeys } from './webhooks/signing-secrets.ts'

/** Opens all parts of the service. `close` ends the running jobs, then closes all parts. */
export function openContext(config: Config): Promise<Context & { close(): Promise<void> }> {
  return openAll((opened) => openParts(config, opened))
}

async function openParts(config: Config, opened: Closers): ReturnType<typeof openContext> {
  const tracing = opened.add(await openTracing('insights', config.tracing), (each) => each?.close())
  const log = opened.add(openLog('insights', config.logLevel, config.logFile, tracing), flushLog)
  tracing?.warnOn(log)
  const registry = openMetrics('insights')
  const counters = openCounters(registry)
  const sealer = openSealer(config.sealingKeys)
  // The operator chose the provider, which may be at a private address. The library refuses plain HTTP.
  const oidcClient = opened.add(
    openClient({
      reach: 'local',
      connectTimeoutMs: OIDC_TIMEOUT_MS,
      timeoutMs: OIDC_TIMEOUT_MS,
      maxRequestBytes: 65_536,
      maxResponseBytes: 1_048_576,
      overflow: 'fail',
    }),
    (each) => each.close(),
  )
  const poster = openPoster({
    reach: config.outgoingReach,
    ownUrl: config.publicUrl,
    proxyUrl: config.outgoingProxy,
    deadlineMs: config.webhooks.timeoutMs,
    // Enough for all attempts of the process: receivers that hang must not use up the connections of other receivers on the same host.
    connections: MAX_IN_FLIGHT + MAX_SLOW,
    maxResponseBytes: 16_384,
  })
  // Closed after the databases, because this aborts the attempts in flight. They can no longer be recorded, and another process repeats them.
  opened.add(poster, (each) => each.close())
  const db: Db = opened.add(openDatabase(config.databaseUrl, config.databaseConnections, tracing), (each) => each.destroy())
  const slowDb: Db = opened.add(openSlowDatabase(config.databaseDirectUrl, tracing), (each) => each.destroy())
  openGauges(registry, db, log)
  const rateLimits = opened.add(openRateLimits({ ...config, refused: counters.rateLimited, log }), (each) => each.close())
  // Closed first, because jobs that are still running need the other parts.
  const queues = opened.add(await openQueues(config.queueUrl, config.queuePrefix, log), (each) => each.close())
  measureQueues(registry, queues, log)
  measureClock(registry, db, log)
  const deliveryQueue = queues.queue<DeliveryJob>(DELIVERY_QUEUE, { keepCompleted: false })
  const blockingQueue = queues.queue<BlockingJob>(BLOCKING_QUEUE, { keepCompleted: false })
  const resendQueue = queues.queue<ResendJob>(RESEND_QUEUE, { keepCompleted: false })
  const endedRightsQueue = queues.queue<EndedRightsJob>(ENDED_RIGHTS_QUEUE)
  return {
    config,
    log,
    tracing,
    db,
    slowDb,
    sealer,
    signingKeys: openSigningKeys(sealer),
    queues,
    taskQueue: queues.queue<unknown>(TASK_QUEUE),
    deliveryQueue,
    blockingQueue,
    resendQueue,
    endedRightsQueue,
    poster,
    rateLimits,
    access: openAccess({ db, log, adminToken: config.adminToken, workspaceOf: (appKey) => findWorkspaceOf(db, appKey) }),
    oidc: config.oidc && openOidcProvider(config.oidc, oidcClient, config.outgoingReach === 'local'),
    metrics: { registry, requestSeconds: openRequestSeconds(registry) },
    counters,
    async runFollowUp({ subscriptions, blocking }) {
      await publishBlocking({ db, blockingQueue, counters, log }, blocking)
      await wakeSubscriptions({ deliveryQueue, log }, subscriptions)
    },
    close: opened.close,
  }
}
