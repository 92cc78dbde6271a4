import type { Log } from '../log.ts'
import { type Metrics, openGauge } from '../metrics.ts'
import { openPostgresQueues } from './postgres-queues.ts'
import type { Queues } from './queues.ts'
import { openRedisQueues } from './redis-queues.ts'

/**
 * Opens the queues in the store that `queueUrl` names: `redis://`, `rediss://`, `redis+cluster://`, `rediss+cluster://` or `postgres://`.
 * `prefix` separates deployments that share a Redis. In a Redis Cluster it must contain a `{tag}`, because all keys of a queue must be in
 * one slot.
 */
export async function openQueues(queueUrl: string, prefix: string, log: Log): Promise<Queues> {
  return /^postgres(ql)?:/.test(queueUrl) ? await openPostgresQueues(queueUrl, log) : openRedisQueues(queueUrl, prefix, log)
}

/** Adds the gauge `onward_queue_memory_share`. It has no samples if the store has no limit of its own, like Postgres. */
export function measureQueues(metrics: Metrics, queues: Queues, log: Log): void {
  const help = 'Share of the maxmemory of Redis that is used. From 1 on, Redis stores no more jobs.'
  openGauge(metrics, { name: 'onward_queue_memory_share', help }, () => queues.readMemoryShare(), log)
}
