import { Counter, type Log, type Metrics, measurePartitions, measureTables, openGauge, shareReads } from '@onward/runtime'
import { MAX_DUE, measureDeliveries } from './db/deliveries.ts'
import { countQuarantine, MAX_COUNTED } from './db/quarantine.ts'
import { measureComparison } from './db/reconciliation.ts'
import { countDisabled } from './db/subscriptions.ts'
import type { Db } from './db/tables.ts'
import { EVENT_PARTITIONS } from './db/task-events.ts'

const PREFIX = 'onward_insights'

export type Counters = ReturnType<typeof openCounters>

export function openCounters(metrics: Metrics) {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name: `${PREFIX}_${name}`, help, labelNames: [...labelNames], registers: [metrics] })
  return {
    counted: counter('tasks_counted_total', 'Tasks counted'),
    repeated: counter('tasks_repeated_total', 'Task events that came again and were not counted again'),
    conflicting: counter('tasks_conflicting_total', 'Repeated task events whose content differs from the first event'),
    quarantined: counter('tasks_quarantined_total', 'Task events and jobs put into quarantine'),
    differing: counter('usage_differing_total', 'Periods and days of users that a rebuild found to differ from their events'),
    corrected: counter('usage_corrected_total', 'Periods and days of users that a rebuild corrected'),
    attempts: counter('webhook_attempts_total', 'Attempts to deliver a webhook', ['result']),
    overdue: counter('webhook_requeues_total', 'Subscriptions with overdue deliveries that the sweep found'),
    rateLimited: counter('rate_limited_total', 'Requests refused because a rate limit was reached, by limit', ['limit']),
    published: counter('limit_states_published_total', 'Blocked and unblocked users published to functions'),
  }
}

/** Adds metrics that are read from Postgres at each scrape. */
export function openGauges(metrics: Metrics, db: Db, log: Log): void {
  const gauge = (name: string, help: string, read: () => Promise<number>) =>
    openGauge(metrics, { name: `${PREFIX}_${name}`, help }, read, log)
  const deliveries = shareReads(() => measureDeliveries(db))
  const comparison = shareReads(() => measureComparison(db))
  measurePartitions(metrics, PREFIX, db, EVENT_PARTITIONS, log)
  measureTables(metrics, PREFIX, db, log)
  gauge(
    'hours_differing',
    'Hours of the last two days in which functions and insights have different tasks',
    async () => (await comparison()).differing,
  )
  gauge(
    'compared_age_seconds',
    'Age of the newest tasks in the last comparison with functions',
    async () => (await comparison()).ageSeconds,
  )
  gauge('quarantine_rows', `Task events and jobs in quarantine, counted up to ${MAX_COUNTED}`, async () => await countQuarantine(db))
  gauge('deliveries_due', `Webhook deliveries that are due and not claimed, counted up to ${MAX_DUE}`, async () => (await deliveries()).due)
  gauge(
    'delivery_oldest_due_seconds',
    'How long the oldest due webhook delivery has been due',
    async () => (await deliveries()).oldestSeconds,
  )
  gauge('subscriptions_disabled', 'Disabled subscriptions', async () => await countDisabled(db))
}
