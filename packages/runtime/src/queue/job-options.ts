import type { JobsOptions, WorkerOptions } from 'bullmq'

/** For so long finished jobs are kept, so that a producer that missed the `completed` event can still ask for the state. */
export const FINISHED_KEPT_S = 120

export const JOB_OPTIONS: JobsOptions = {
  attempts: 2_147_483_647,
  backoff: { type: 'custom' },
  removeOnComplete: { age: FINISHED_KEPT_S },
}

/**
 * BullMQ fails a job for good once its worker died `maxStalledCount` times (1 by default), whatever `attempts` says.
 * A process that is killed often must not cost a task, so there is no such end here.
 */
export const WORKER_OPTIONS: Omit<WorkerOptions, 'connection'> = {
  maxStalledCount: 2_147_483_647,
  stalledInterval: 5_000,
  lockDuration: 15_000,
  // How long a worker rests once the store failed it: 15 s by default.
  runRetryDelay: 1_000,
  settings: { backoffStrategy: (attemptsMade) => Math.min(30_000, 100 * 2 ** Math.min(attemptsMade - 1, 10)) },
}
