import {
  Counter,
  Gauge,
  Histogram,
  type Log,
  type Metrics,
  measurePartitions,
  measureTables,
  openGauge,
  openRequestSeconds,
  type RequestSeconds,
  type Shares,
  shareReads,
} from '@onward/runtime'
import type { BlockedUsers } from './blocking/blocked-users.ts'
import { countByWorkspace } from './db/call-statistics.ts'
import { CALL_LOG } from './db/calls.ts'
import { oldestEventSeconds } from './db/events.ts'
import { MAX_COUNTED, measureOutbox } from './db/outbox.ts'
import { measureProcesses } from './db/processes.ts'
import type { Db } from './db/tables.ts'

/** How many workspaces have a metric of their own. */
const BUSIEST = 20

/** The registry of this process and the counters that the code increments. */
export type FunctionsMetrics = {
  readonly registry: Metrics
  readonly requestSeconds: RequestSeconds
  readonly calls: Counter<'app' | 'outcome'>
  readonly appSeconds: Histogram<'app'>
  readonly addedSeconds: Histogram
  readonly renewals: Counter<'app' | 'result'>
  readonly refused: Counter
  readonly rateLimited: Counter<'limit'>
  readonly resent: Counter
  readonly responsesNotStored: Counter<'reason'>
  readonly bodiesNotStored: Counter
  readonly refusedNotStored: Counter
}

type Sources = {
  readonly db: Db
  readonly blocking: Pick<BlockedUsers, 'count'>
  readonly memory: Pick<Shares, 'held'>
  countRejected(): number
  readonly log: Log
}

/** Registers the metrics of this service. Gauges read their value from Postgres or from memory when they are scraped. */
export function openFunctionsMetrics(registry: Metrics, { db, blocking, memory, countRejected, log }: Sources): FunctionsMetrics {
  const registers = [registry]

  const gauge = (name: string, help: string, read: () => Promise<number>) => openGauge(registry, { name, help }, read, log)
  const outbox = shareReads(() => measureOutbox(db))
  const processes = shareReads(() => measureProcesses(db))
  gauge(
    'onward_functions_outbox_rows',
    `Outbox rows that insights has not confirmed, counted up to ${MAX_COUNTED}.`,
    async () => (await outbox()).rows,
  )
  gauge(
    'onward_functions_outbox_oldest_seconds',
    'Age of the oldest outbox row that insights has not confirmed.',
    async () => (await outbox()).oldestSeconds,
  )
  gauge('onward_functions_events_oldest_seconds', 'Age of the oldest event about a user that insights has not confirmed.', () =>
    oldestEventSeconds(db),
  )
  gauge('onward_functions_processes_silent', 'Processes without a heartbeat in the last 30 s.', async () => (await processes()).silent)
  gauge(
    'onward_functions_call_oldest_seconds',
    'Age of the oldest call attempt whose outcome is not recorded.',
    async () => (await processes()).oldestAttemptSeconds,
  )
  gauge('onward_functions_in_flight_bytes', 'Bytes that count as held by the requests in progress.', async () => memory.held)
  measurePartitions(registry, 'onward_functions', db, CALL_LOG, log)
  measureTables(registry, 'onward_functions', db, log)
  const busiest = {
    name: 'onward_functions_workspace_calls',
    help: `Calls of the last counted hour, of the ${BUSIEST} workspaces with the most calls.`,
    label: 'workspace',
  }
  openGauge(registry, busiest, () => countByWorkspace(db, BUSIEST), log)
  new Gauge({
    name: 'onward_functions_quarantined',
    help: 'Functions and whole apps that do not compile and are left out of the catalog.',
    registers,
    collect() {
      this.set(countRejected())
    },
  })
  new Gauge({
    name: 'onward_functions_blocked_users',
    help: 'Users at their task limit. blocked: calls are refused; lapsed: insights did not confirm the block in time, so calls are allowed.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { blocked, lapsed } = blocking.count()
      this.set({ state: 'blocked' }, blocked)
      this.set({ state: 'lapsed' }, lapsed)
    },
  })
  return {
    registry,
    requestSeconds: openRequestSeconds(registry),
    refused: new Counter({
      name: 'onward_functions_calls_refused_total',
      help: 'Calls refused because the user has reached the task limit.',
      registers,
    }),
    rateLimited: new Counter({
      name: 'onward_functions_rate_limited_total',
      help: 'Requests refused because a rate limit was reached, by limit.',
      labelNames: ['limit'] as const,
      registers,
    }),
    responsesNotStored: new Counter({
      name: 'onward_functions_answers_not_stored_total',
      help: 'Answers to requests with an Idempotency-Key of which only the status was stored. size: longer than 1 MiB; quota: of the user or application.',
      labelNames: ['reason'] as const,
      registers,
    }),
    bodiesNotStored: new Counter({
      name: 'onward_functions_bodies_not_stored_total',
      help: 'Calls that were logged without their bodies because their application had used up its quota of the day.',
      registers,
    }),
    refusedNotStored: new Counter({
      name: 'onward_functions_refused_calls_not_stored_total',
      help: 'Refused calls that are not in the calls log, because their user or application had too many in a minute, or Postgres failed.',
      registers,
    }),
    resent: new Counter({ name: 'onward_functions_tasks_resent_total', help: 'Tasks sent to insights again on request.', registers }),
    calls: new Counter({
      name: 'onward_functions_calls_total',
      help: 'Executed function calls by app and outcome.',
      labelNames: ['app', 'outcome'] as const,
      registers,
    }),
    appSeconds: new Histogram({
      name: 'onward_functions_app_seconds',
      help: 'Duration of the requests to apps that calls made, with their retries.',
      labelNames: ['app'] as const,
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    addedSeconds: new Histogram({
      name: 'onward_functions_added_seconds',
      help: 'Duration of calls from their credentials to their record, without the requests to apps.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    renewals: new Counter({
      name: 'onward_functions_renewals_total',
      help: 'Renewals of access tokens by app and result: renewed, failed (tried again later), or reconnect_required (only the user can repair it).',
      labelNames: ['app', 'result'] as const,
      registers,
    }),
  }
}

export type ModelMetrics = {
  readonly requests: Counter<'purpose' | 'outcome'>
  readonly seconds: Histogram<'purpose'>
  readonly tokens: Counter<'purpose' | 'kind'>
}

/** Registers the metrics of requests to the model server. */
export function openModelMetrics(registry: Metrics): ModelMetrics {
  const registers = [registry]
  return {
    requests: new Counter({
      name: 'onward_functions_model_requests_total',
      help: 'Requests to the model server by purpose and outcome. not_sent: the request was not sent, because the server fails or has too many requests in flight.',
      labelNames: ['purpose', 'outcome'] as const,
      registers,
    }),
    seconds: new Histogram({
      name: 'onward_functions_model_seconds',
      help: 'Duration of requests to the model server.',
      labelNames: ['purpose'] as const,
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30],
      registers,
    }),
    tokens: new Counter({
      name: 'onward_functions_model_tokens_total',
      help: 'Tokens of requests to the model server by purpose and kind (prompt, completion), as the server counts them.',
      labelNames: ['purpose', 'kind'] as const,
      registers,
    }),
  }
}
