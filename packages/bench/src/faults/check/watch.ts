import { QUEUE_PREFIX, TASK_QUEUE } from '@onward/contract'
import { openLog, openLoop, openQueues } from '@onward/runtime'
import type { Rig } from '../rig/open-rig.ts'
import { largest, type QueueSize, queueSize } from './queue-size.ts'

/** The most that was seen. */
export type MostSeen = {
  readonly jobs: number
  /** Undefined where the queue lives in Postgres. */
  readonly store: QueueSize | undefined
}

/** Looks at the queue store once a second. */
export type Watch = {
  /** Jobs that wait or are being done. */
  jobs(): Promise<number>
  readonly most: MostSeen
  close(): Promise<void>
}

export async function openWatch(rig: Rig): Promise<Watch> {
  const log = openLog('faults', 'silent')
  const queues = await openQueues(rig.queueUrl, QUEUE_PREFIX, log)
  const queue = queues.queue(TASK_QUEUE)
  const redisUrls = rig.redis === undefined ? rig.cluster?.nodeUrls : [rig.redis.url]
  let most: MostSeen = { jobs: 0, store: redisUrls && { keys: 0, memoryBytes: 0 } }

  async function jobs(): Promise<number> {
    const { waiting, active, delayed } = await queue.counts()
    return waiting + active + delayed
  }

  async function look(): Promise<void> {
    const [now, store] = await Promise.all([jobs(), redisUrls && queueSize(redisUrls)])
    most = { jobs: Math.max(most.jobs, now), store: store && largest(store, most.store ?? store) }
  }

  const loop = openLoop(1_000, look, log)
  return {
    jobs,
    get most() {
      return most
    },
    async close() {
      await loop.close()
      await queues.close()
    },
  }
}

/** In words: `400 jobs, 932 keys, 5.4 MiB`. */
export function mostInWords({ jobs, store }: MostSeen): string {
  return store === undefined ? `${jobs} jobs` : `${jobs} jobs, ${store.keys} keys, ${(store.memoryBytes / 1_048_576).toFixed(1)} MiB`
}
