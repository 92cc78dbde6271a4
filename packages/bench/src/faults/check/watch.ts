import { QUEUE_PREFIX, TASK_QUEUE } from '@onward/contract'
import { openLog, openLoop, openQueues } from '@onward/runtime'
import type { Rig } from '../rig/open-rig.ts'

/** Looks at the queue store once a second. */
export type Watch = {
  /** Jobs that wait or are being done. */
  jobs(): Promise<number>
  /** The most that was seen. */
  readonly most: { jobs: number; keys: number; memoryBytes: number }
  close(): Promise<void>
}

export async function openWatch(rig: Rig): Promise<Watch> {
  const log = openLog('faults', 'silent')
  const queues = await openQueues(rig.queueUrl, QUEUE_PREFIX, log)
  const queue = queues.queue(TASK_QUEUE)
  const most = { jobs: 0, keys: 0, memoryBytes: 0 }

  async function jobs(): Promise<number> {
    const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'active', 'delayed')
    return waiting + active + delayed
  }

  async function look(): Promise<void> {
    most.jobs = Math.max(most.jobs, await jobs())
    if (rig.redis === undefined) return
    const [keys, info] = await rig.redis.session((client) => Promise.all([client.dbsize(), client.info('memory')]))
    most.keys = Math.max(most.keys, keys)
    most.memoryBytes = Math.max(most.memoryBytes, Number(/used_memory:(\d+)/.exec(info)?.[1] ?? 0))
  }

  const loop = openLoop(1_000, look, log)
  return {
    jobs,
    most,
    async close() {
      await loop.close()
      await queues.close()
    },
  }
}
