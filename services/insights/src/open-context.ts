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
  flushLog,
  makeGuard,
  openAssignmentTokens,
  openAuditLog,
  openClient,
  openDatabase,
  openEmbedTokens,
  openLog,
  openMetrics,
  openPoster,
  openQueues,
  openRateLimits,
  openRequestSeconds,
  openSealer,
  openSessionTokens,
  openSlowDatabase,
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

export async function openContext(config: Config): Promise<Context> {
  const log = openLog('insights', config.logLevel, config.logFile)
  const metrics = openMetrics('insights')
  const sealer = openSealer(config.sealingKeys)
  const queues = await openQueues(config.queueUrl, config.queuePrefix, log)
  const db: Db = openDatabase(config.databaseUrl, config.databaseConnections)
  const slowDb: Db = openSlowDatabase(config.databaseDirectUrl)
  openGauges(metrics, db, log)
  const poster = openPoster({
    reach: config.outgoingReach,
    ownUrl: config.publicUrl,
    deadlineMs: config.webhooks.timeoutMs,
    // Enough for all attempts of the process: receivers that hang must not use up the connections of other receivers on the same host.
    connections: MAX_IN_FLIGHT + MAX_SLOW,
    maxAnswerBytes: 16_384,
  })
  // The operator chose the provider, which may be at a private address. The library refuses plain HTTP.
  const oidcClient = openClient({
    reach: 'local',
    connectTimeoutMs: OIDC_TIMEOUT_MS,
    timeoutMs: OIDC_TIMEOUT_MS,
    maxRequestBytes: 65_536,
    maxAnswerBytes: 1_048_576,
    overflow: 'fail',
  })
  const counters = openCounters(metrics)
  const rateLimits = openRateLimits({ ...config, refused: counters.rateLimited, log })
  const deliveryQueue = queues.queue<DeliveryJob>(DELIVERY_QUEUE, { keepCompleted: false })
  const blockingQueue = queues.queue<BlockingJob>(BLOCKING_QUEUE, { keepCompleted: false })
  const resendQueue = queues.queue<ResendJob>(RESEND_QUEUE, { keepCompleted: false })
  const endedRightsQueue = queues.queue<EndedRightsJob>(ENDED_RIGHTS_QUEUE)
  return {
    config,
    log,
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
    guard: makeGuard((appKey) => findWorkspaceOf(db, appKey)),
    audit: openAuditLog(db, log),
    sessionTokens: openSessionTokens(config.adminToken),
    oidc: config.oidc && openOidcProvider(config.oidc, oidcClient, config.outgoingReach === 'local'),
    embedTokens: openEmbedTokens(config.adminToken),
    assignmentTokens: openAssignmentTokens(config.adminToken),
    metrics,
    requestSeconds: openRequestSeconds(metrics),
    counters,
    async runFollowUp({ subscriptions, blocking }) {
      await publishBlocking({ db, blockingQueue, counters, log }, blocking)
      await wakeSubscriptions({ deliveryQueue, log }, subscriptions)
    },
    async close() {
      // First, because jobs that are still running need the other parts.
      await queues.close()
      await rateLimits.close()
      await slowDb.destroy()
      await db.destroy()
      // Last, because this aborts the attempts in flight. They can no longer be recorded, and another process repeats them.
      await poster.close()
      await oidcClient.close()
      await flushLog(log)
    },
  }
}
