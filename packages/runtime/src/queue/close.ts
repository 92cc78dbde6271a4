import type { Queue, QueueEvents, Worker } from 'bullmq'

type Parts = { queues: Queue[]; workers: Worker[]; events: QueueEvents[] }

/** Workers first, so that jobs in hand end and are acknowledged; then the rest; then the connections. Each step is bounded. */
export async function closeInOrder({ workers, queues, events }: Parts, closeConnections: () => Promise<void>): Promise<void> {
  await within(8_000, Promise.allSettled(workers.map((worker) => worker.close())))
  await within(2_000, Promise.allSettled([...queues, ...events].map((part) => part.close())))
  await within(2_000, closeConnections())
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, end])
  clearTimeout(timer)
}
