import { type JobState as BullState, type IQueueBackend, type JobsOptions, type KeepJobs, type WorkerOptions, withBackend } from 'bullmq'
import type { Log } from '../log.ts'
import { inTime } from '../time.ts'
import type { JobState, Queues } from './queues.ts'

/** How long completed jobs are kept, so that a producer that missed the event can still read their state. */
export const COMPLETED_KEPT_SECONDS = 120

/** Maximum number of completed jobs that are removed from a queue at once. */
const FORGOTTEN_MAX = 1_000

/** How long a worker or a listener waits for news in one command. A second later, BullMQ closes the connection. */
export const BLOCK_MS = 3_000

/** A store of BullMQ: how to connect to it. `C` is the type of its connections. */
type Store<B extends IQueueBackend, C> = {
  readonly backend: Parameters<typeof withBackend<B, C>>[0]
  readonly prefix?: string
  /** Which completed jobs are kept. */
  readonly kept: KeepJobs
  /** Returns a connection for one queue, one worker with this concurrency, or one listener for events. */
  connect(use: 'queue' | 'events' | { readonly concurrency: number }): C
  ping(): Promise<void>
  readMemoryShare(): Promise<number | undefined>
  /** Closes all connections. BullMQ does not close connections that it was given. */
  disconnect(): Promise<void>
}

const WORKER_OPTIONS: Omit<WorkerOptions, 'connection'> = {
  // BullMQ fails a job whose worker is killed more often than this, even if `attempts` allows more. Its default is 1.
  maxStalledCount: 2_147_483_647,
  stalledInterval: 5_000,
  lockDuration: 15_000,
  // The pause of a worker after the store failed; 15 s by default.
  runRetryDelay: 1_000,
  drainDelay: BLOCK_MS / 1_000,
  settings: { backoffStrategy: (attemptsMade) => Math.min(30_000, 100 * 2 ** Math.min(attemptsMade - 1, 10)) },
}

export function openBullQueues<B extends IQueueBackend, C>(store: Store<B, C>, log: Log): Queues {
  const bull = withBackend(store.backend)
  const { prefix } = store
  const workers: Part[] = []
  const others: Part[] = []
  const producers: { clean(graceMs: number, limit: number, type: 'completed'): Promise<string[]> }[] = []

  function opened<P extends Part>(part: P, parts: Part[]): P {
    part.on('error', (err) => log.warn({ err }, 'the connection to the queue failed'))
    parts.push(part)
    return part
  }

  return {
    queue(name, { keepCompleted = true } = {}) {
      const defaultJobOptions = {
        attempts: 2_147_483_647,
        backoff: { type: 'custom' },
        removeOnComplete: keepCompleted ? store.kept : true,
      }
      const queue = opened(new bull.Queue<unknown>(name, { connection: store.connect('queue'), prefix, defaultJobOptions }), others)
      producers.push(queue)
      return {
        async add({ data, id, delayMs }) {
          await queue.add(name, data, optionsOf(id, delayMs))
        },
        async addAll(jobs) {
          await queue.addBulk(jobs.map(({ data, id, delayMs }) => ({ name, data, opts: optionsOf(id, delayMs) })))
        },
        state: async (id) => stateOf(await queue.getJobState(id)),
        async remove(id) {
          await queue.remove(id)
        },
        async counts() {
          const { waiting = 0, delayed = 0, active = 0 } = await queue.getJobCounts('waiting', 'delayed', 'active')
          return { waiting, delayed, active }
        },
        onCompleted(listener) {
          const events = opened(
            new bull.QueueEvents(name, { connection: store.connect('events'), prefix, blockingTimeout: BLOCK_MS }),
            others,
          )
          events.on('completed', ({ jobId }) => listener(jobId))
        },
      }
    },
    worker<T>(name: string, work: (job: { id: string; data: T }) => Promise<void>, concurrency: number) {
      const connection = store.connect({ concurrency })
      const worker = new bull.Worker<T>(name, ({ id = '', data }) => work({ id, data }), {
        connection,
        prefix,
        concurrency,
        ...WORKER_OPTIONS,
      })
      return opened(worker, workers)
    },
    async forgetCompleted() {
      for (const queue of producers) while ((await queue.clean(0, FORGOTTEN_MAX, 'completed')).length === FORGOTTEN_MAX);
    },
    ping: store.ping,
    readMemoryShare: store.readMemoryShare,
    async close() {
      // Close the workers first, so that running jobs end and are acknowledged. Each step has a time limit, because it may never end while
      // the store is unreachable.
      const closeAll = (parts: readonly Part[]) => Promise.allSettled(parts.map((part) => part.close()))
      await inTime(8_000, closeAll(workers)).catch(() => {})
      await inTime(2_000, closeAll(others)).catch(() => {})
      await inTime(2_000, store.disconnect()).catch(() => {})
    },
  }
}

/** Leaves out undefined options, which would replace BullMQ's defaults. */
function optionsOf(id: string | undefined, delayMs: number | undefined): JobsOptions {
  return { ...(id === undefined ? {} : { jobId: id }), ...(delayMs === undefined ? {} : { delay: delayMs }) }
}

type Part = { on(event: 'error', listener: (err: Error) => void): unknown; close(): Promise<void> }

function stateOf(state: BullState | 'unknown'): JobState {
  return state === 'completed' || state === 'failed' || state === 'unknown' ? state : 'pending'
}
