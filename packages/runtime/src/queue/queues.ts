/** A job as a worker receives it. A job may run more than once. */
export type Job<T> = { readonly id: string; readonly data: T }

/** A job to add. Adding an id that the queue still knows changes nothing; without an id, the queue chooses one. */
export type NewJob<T> = { readonly data: T; readonly id?: string; readonly delayMs?: number }

/**
 * `pending`: waiting, delayed or running. `failed`: the queue will not run the job again. `unknown`: never added, or finished and no longer
 * stored.
 */
export type JobState = 'pending' | 'completed' | 'failed' | 'unknown'

/** `delayed` jobs wait until their delay or the pause before a retry is over. */
export type JobCounts = { readonly waiting: number; readonly delayed: number; readonly active: number }

/**
 * A queue of jobs. Adding fails fast if the store becomes unreachable, but waits if it was never reachable: limit each use with `inTime`,
 * usually to `QUEUE_TIMEOUT_MS`.
 * The caller must store what it adds, so that it can add it again after a failure.
 */
export type Queue<T> = {
  add(job: NewJob<T>): Promise<void>
  /** Not atomic: after a failure, some of the jobs may be in the queue. */
  addAll(jobs: readonly NewJob<T>[]): Promise<void>
  state(id: string): Promise<JobState>
  /** Removes a job that is not running. Does nothing if there is no such job. */
  remove(id: string): Promise<void>
  counts(): Promise<JobCounts>
  /** Calls the listener with the id of each completed job. An event can get lost, so also check `state`. */
  onCompleted(listener: (id: string) => void): void
}

/** Maximum time of one use of a queue: without it, a use waits for ever if the store was never reachable. */
export const QUEUE_TIMEOUT_MS = 5_000

/** `close` resolves when the running jobs have ended. */
export type Worker = { close(): Promise<void> }

export type QueueOptions = {
  /** Whether completed jobs are kept for two minutes, so that `state` can report them. True unless given. */
  readonly keepCompleted?: boolean
}

/** The queues of one store. `close` closes everything that was opened here, workers first. */
export type Queues = {
  queue<T>(name: string, options?: QueueOptions): Queue<T>
  /**
   * Runs at most `concurrency` jobs at once. A job that throws is retried without end, after 0.1 s, 0.2 s and so on, at most 30 s. Waits
   * while the store is unreachable.
   */
  worker<T>(name: string, work: (job: Job<T>) => Promise<void>, concurrency: number): Worker
  /** Removes the completed jobs of the queues that were opened here for adding. Their state becomes `unknown`. */
  forgetCompleted(): Promise<void>
  /** Rejects when the store does not answer, or is full. */
  ping(): Promise<void>
  /** Returns which share of the `maxmemory` of Redis is used; undefined if there is no such limit. */
  readMemoryShare(): Promise<number | undefined>
  close(): Promise<void>
}
