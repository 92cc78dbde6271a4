import type { Log } from '../log.ts'
import { openPostgresQueues } from './postgres-queues.ts'
import type { Queues } from './queues.ts'
import { openRedisQueues } from './redis-queues.ts'

/** `redis://`, `rediss://` or `postgres://`. `prefix` sets one deployment's queues apart from another's on the same Redis. */
export async function openQueues(queueUrl: string, prefix: string, log: Log): Promise<Queues> {
  return /^postgres(ql)?:/.test(queueUrl) ? await openPostgresQueues(queueUrl, log) : openRedisQueues(queueUrl, prefix, log)
}
