import type { Queue, QueueEvents, Worker } from 'bullmq'
import { inTime } from '../in-time.ts'

type Parts = { queues: Queue[]; workers: Worker[]; events: QueueEvents[] }

/** Workers first, so that jobs in hand end and are acknowledged; then the rest; then the connections. Each step is bounded. */
export async function closeInOrder({ workers, queues, events }: Parts, closeConnections: () => Promise<void>): Promise<void> {
  const steps: [number, () => Promise<unknown>][] = [
    [8_000, () => Promise.allSettled(workers.map((worker) => worker.close()))],
    [2_000, () => Promise.allSettled([...queues, ...events].map((part) => part.close()))],
    [2_000, closeConnections],
  ]
  // With the store away a step may not end; the next one is taken all the same.
  for (const [ms, step] of steps) await inTime(ms, step()).catch(() => {})
}
