import { inTime, type Log, type NewJob, QUEUE_TIMEOUT_MS, type Queue } from '@onward/runtime'

/**
 * The queue that wakes a process when deliveries are due. The `delivery` table is the source of truth: if a job is lost, the sweep finds
 * its deliveries.
 */
export const DELIVERY_QUEUE = 'webhook-deliveries'

/** Subscriptions that may have due deliveries. */
export type DeliveryJob = { readonly subscription_ids: readonly string[] }

/** Maximum number of subscriptions in one job. Several jobs spread the work over several processes. */
const CHUNK = 100

type Parts = { readonly deliveryQueue: Queue<DeliveryJob>; readonly log: Log }

/** Wakes a process for subscriptions with committed deliveries. Never rejects: the sweep finds what could not be added to the queue. */
export async function wakeSubscriptions(parts: Parts, ids: readonly string[]): Promise<void> {
  const distinct = [...new Set(ids)]
  const jobs = Array.from({ length: Math.ceil(distinct.length / CHUNK) }, (_, i) => ({
    data: { subscription_ids: distinct.slice(i * CHUNK, (i + 1) * CHUNK) },
  }))
  await add(parts, jobs)
}

/** A subscription with a delivery that is due in `delayMs`. */
export type Retry = { readonly id: string; readonly delayMs: number }

/** Wakes a process when retries are due. Never rejects, like `wakeSubscriptions`. */
export async function wakeLater(parts: Parts, retries: readonly Retry[]): Promise<void> {
  const now = Date.now()
  const jobs = retries.map(({ id, delayMs }) => {
    const at = wakeTime(now, delayMs)
    // Adding a job whose id exists changes nothing: all retries of a subscription that are due at the same time share a job.
    return { id: `${id}-${at}`, data: { subscription_ids: [id] }, delayMs: at - now }
  })
  await add(parts, jobs)
}

/**
 * Returns the time at which to wake a subscription whose delivery is due in `delayMs`. Rounds up to multiples of about a fiftieth of the
 * delay, at most 1,024 ms, so that retries share jobs. Adds one more multiple, because the database's clock decides what is due: a job that
 * runs too early finds nothing.
 */
export function wakeTime(nowMs: number, delayMs: number): number {
  const step = 2 ** Math.floor(Math.log2(Math.min(1_024, Math.max(1, delayMs / 50))))
  return (Math.floor((nowMs + delayMs) / step) + 2) * step
}

async function add(parts: Parts, jobs: readonly NewJob<DeliveryJob>[]): Promise<void> {
  if (jobs.length === 0) return
  try {
    await inTime(QUEUE_TIMEOUT_MS, parts.deliveryQueue.addAll(jobs))
  } catch (err) {
    parts.log.warn({ err }, 'could not add deliveries to the queue; the sweep finds them')
  }
}
