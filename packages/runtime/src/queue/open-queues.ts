import type { Log } from '../log.ts'
import { openPostgresQueues } from './postgres-queues.ts'
import type { Queues } from './queues.ts'
import { openRedisQueues } from './redis-queues.ts'

/**
 * `redis://`, `rediss://`, `redis+cluster://`, `rediss+cluster://` or `postgres://`. `prefix` sets one deployment's queues apart from
 * another's on the same Redis; in a cluster all of a queue's keys must lie in one slot, so that it has to hold a `{tag}`.
 */
export async function openQueues(queueUrl: string, prefix: string, log: Log): Promise<Queues> {
  return /^postgres(ql)?:/.test(queueUrl) ? await openPostgresQueues(queueUrl, log) : openRedisQueues(queueUrl, prefix, log)
}
