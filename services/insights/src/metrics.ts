import { Counter, type Metrics } from '@onward/runtime'

export type Counters = ReturnType<typeof openCounters>

export function openCounters(metrics: Metrics) {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name: `onward_insights_${name}`, help, labelNames: [...labelNames], registers: [metrics] })
  return {
    counted: counter('tasks_counted_total', 'Tasks counted'),
    repeated: counter('tasks_repeated_total', 'Task events that came again and were not counted again'),
    conflicting: counter('tasks_conflicting_total', 'Repeated task events whose content differs from that of the first'),
    quarantined: counter('tasks_quarantined_total', 'Task events and jobs put in quarantine'),
    differing: counter('usage_differing_total', 'Windows and days of users that a rebuild found to differ from their events'),
    corrected: counter('usage_corrected_total', 'Windows and days of users that a rebuild put right'),
    attempts: counter('webhook_attempts_total', 'Attempts to deliver a webhook', ['result']),
    requeued: counter('webhook_requeues_total', 'Subscriptions with overdue deliveries that the sweep has found'),
    published: counter('limit_states_published_total', 'States of users who are blocked, or are no more, that functions was told'),
  }
}
