import { TASK_QUEUE, type TaskConsumed } from '@onward/contract'
import { openLog, openQueues, uuidv7 } from '@onward/runtime'
import type { Suite } from '@onward/testbed'
import { APP_KEY } from './open-partner.ts'

/** Adds jobs of tasks to a suite's queue, as area A does. */
export type Feeder = {
  /** Resolves when the job has been worked off; gives how long that took, in milliseconds. */
  feed(events: readonly TaskConsumed[]): Promise<number>
  close(): Promise<void>
}

export async function openFeeder(suite: Suite): Promise<Feeder> {
  const queues = await openQueues(suite.queueUrl, suite.queuePrefix, openLog('bench', 'silent'))
  const tasks = queues.queue<{ events: readonly TaskConsumed[] }>(TASK_QUEUE)
  return {
    async feed(events) {
      const jobId = uuidv7()
      const start = performance.now()
      await tasks.add({ id: jobId, data: { events } })
      for (;;) {
        const state = await tasks.state(jobId)
        if (state === 'completed') return performance.now() - start
        if (state === 'failed' || performance.now() - start > 60_000) throw new Error(`a job is ${state} after 60 s`)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    },
    close: () => queues.close(),
  }
}

/** A task of the benchmark's application that occurred at some time. */
export function taskAt(userId: string, at: Date, id: string = uuidv7(at.getTime())): TaskConsumed {
  return { id, app_key: APP_KEY, user_id: userId, function_name: 'slack-post-message', occurred_at: at.toISOString() }
}
