import type { Job, Queue, QueueEvents, Worker } from 'bullmq'

/** BullMQ on the store that the URL names. All that it opened is closed by `close`, workers first. */
export type Queues = {
  /**
   * Fails fast when the store goes away, but waits for it when it has never been there: bound each use with `inTime`.
   * Whoever adds jobs keeps its own record and tries again.
   */
  queue<T>(name: string): Queue<T>
  /** Waits for the store as long as it takes. A job is tried again for ever, after 0.1 s, 0.2 s … at most 30 s. */
  worker<T>(name: string, work: (job: Job<T>) => Promise<void>, concurrency: number): Worker<T>
  events(name: string): QueueEvents
  ping(): Promise<void>
  close(): Promise<void>
}
