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
    attempts: counter('webhook_attempts_total', 'Attempts to deliver a webhook', ['result']),
    requeued: counter('webhook_requeues_total', 'Deliveries put back in the queue by the sweep'),
  }
}
