import { inTime, type NewJob } from '@onward/runtime'
import type { Context } from '../context.ts'
import type { DeliveryJob } from './delivery-job.ts'

/** Subscriptions of one job: a process works them off together, several processes share several jobs. */
const CHUNK = 100
/** With a store that has never been there, adding would wait for ever. */
const ADD_MS = 5_000

type Parts = Pick<Context, 'deliveries' | 'log'>

/** Has new deliveries of subscriptions sent, once they are committed. Never fails: what could not be added is found by the sweep. */
export async function wakeSubscriptions(parts: Parts, ids: readonly string[]): Promise<void> {
  const distinct = [...new Set(ids)]
  const jobs = Array.from({ length: Math.ceil(distinct.length / CHUNK) }, (_, i) => ({
    data: { subscription_ids: distinct.slice(i * CHUNK, (i + 1) * CHUNK) },
  }))
  await add(parts, jobs)
}

/** A subscription with a delivery that is due in `delayMs`. */
export type Later = { readonly id: string; readonly delayMs: number }

/** Has retries sent when they are due. Never fails, like `wakeSubscriptions`. */
export async function wakeLater(parts: Parts, waits: readonly Later[]): Promise<void> {
  const now = Date.now()
  const jobs = waits.map(({ id, delayMs }) => {
    const at = wakeTime(now, delayMs)
    // One job for all that a subscription is to be sent in the same moment: adding a job that is there changes nothing.
    return { id: `${id}-${at}`, data: { subscription_ids: [id] }, delayMs: at - now }
  })
  await add(parts, jobs)
}

/**
 * When to look for what is due in `delayMs`: on a grid of a fiftieth of the wait, at most about a second, and one step later. The
 * database's clock decides what is due; nothing may be looked for too early where the clocks of two machines differ.
 */
export function wakeTime(nowMs: number, delayMs: number): number {
  const step = 2 ** Math.floor(Math.log2(Math.min(1_024, Math.max(1, delayMs / 50))))
  return (Math.floor((nowMs + delayMs) / step) + 2) * step
}

async function add(parts: Parts, jobs: readonly NewJob<DeliveryJob>[]): Promise<void> {
  if (jobs.length === 0) return
  try {
    await inTime(ADD_MS, parts.deliveries.addAll(jobs))
  } catch (err) {
    parts.log.warn({ err }, 'deliveries could not be put in the queue; the sweep will find them')
  }
}
