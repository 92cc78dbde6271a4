import { setTimeout as sleep } from 'node:timers/promises'
import { QUEUE_PREFIX, TASK_QUEUE, type TaskConsumed } from '@onward/contract'
import { openLog, openQueues, uuidv7 } from '@onward/runtime'
import { APP_KEY } from './workspace.ts'

/** The queue between the services. Runs use it only through this type. */
export type TaskQueue = {
  /** Adds a job of tasks, as functions does. */
  add(tasks: readonly TaskConsumed[]): Promise<void>
  /** Adds a job and waits until it is completed. Returns how many milliseconds that took. */
  complete(tasks: readonly TaskConsumed[]): Promise<number>
  /** Returns how many jobs wait or are active. */
  pending(): Promise<number>
  close(): Promise<void>
}

const COMPLETE_MS = 60_000

export async function openTaskQueue(queueUrl: string): Promise<TaskQueue> {
  const queues = await openQueues(queueUrl, QUEUE_PREFIX, openLog('bench', 'silent'))
  const queue = queues.queue<{ events: readonly TaskConsumed[] }>(TASK_QUEUE)
  return {
    add: (tasks) => queue.add({ id: uuidv7(), data: { events: tasks } }),
    async complete(tasks) {
      const id = uuidv7()
      const from = performance.now()
      await queue.add({ id, data: { events: tasks } })
      for (;;) {
        const state = await queue.state(id)
        const ms = performance.now() - from
        if (state === 'completed') return ms
        if (state === 'failed' || ms > COMPLETE_MS) throw new Error(`a job is ${state} after ${Math.round(ms)} ms`)
        await sleep(2)
      }
    },
    async pending() {
      const { waiting, active, delayed } = await queue.counts()
      return waiting + active + delayed
    },
    close: () => queues.close(),
  }
}

/** Returns a task of a user. */
export function makeTask(user_id: string, at: Date, app_key = APP_KEY): TaskConsumed {
  return { id: uuidv7(at.getTime()), app_key, user_id, function_name: 'addressbook-get-contact', occurred_at: at.toISOString() }
}
