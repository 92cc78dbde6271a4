import { inTime, type Log, openBatch, type Queue } from '@onward/runtime'
import { type ClaimedDelivery, type ClaimRequest, claimDeliveries } from '../db/delivery-attempts.ts'
import type { Counters } from '../metrics.ts'
import { type AttemptParts, makeAttempt } from './attempt.ts'
import { type AttemptResult, MAX_IN_FLIGHT, MAX_SLOW, PROMPT_MS } from './concurrency.ts'
import { openLanes } from './lanes.ts'
import { type DeliveryJob, type Retry, wakeLater, wakeSubscriptions } from './queue.ts'
import { type MadeAttempt, type RecordParts, recordAttempts } from './record-attempts.ts'

/** Maximum number of rows in one statement. */
const CHUNK = 500
/** Time that attempts in flight have to finish after a stop begins. */
const DRAIN_MS = 5_000
/** Time without claims after a claim has failed. Shorter than the interval of the sweep. */
const PAUSE_MS = 1_000

/** Sends due deliveries. Each subscription has a lane, so that a slow receiver does not delay the others. */
export type Dispatcher = {
  /** Sends the due deliveries of subscriptions. Resolves at once; during a backlog, only when fewer subscriptions are waiting. */
  wake(subscriptionIds: readonly string[]): Promise<void>
  /**
   * Waits for attempts in flight, and hands the remaining deliveries over to other processes. `stopJobs` must stop the worker that wakes
   * this dispatcher: otherwise this process could receive these deliveries again.
   */
  close(stopJobs: () => Promise<void>): Promise<void>
}

type Parts = AttemptParts & RecordParts & { readonly deliveryQueue: Queue<DeliveryJob>; readonly counters: Counters; readonly log: Log }

/** Claims and records are group commits: requests that come while a statement is running share the next one. */
export function openDispatcher(parts: Parts): Dispatcher {
  const { db, log, counters, config } = parts
  const closing = new AbortController()
  const claims = openBatch<ClaimRequest & { claimed: ClaimedDelivery[] }>(CHUNK, async (requests) => {
    const bySubscription = new Map(requests.map((request) => [request.subscriptionId, request.claimed]))
    try {
      // Longer than an attempt can take, so that a claim expires only if its process died.
      const claimed = await claimDeliveries(db, requests, 2 * config.webhooks.timeoutMs)
      for (const each of claimed) bySubscription.get(each.subscriptionId)?.push(each)
    } catch (err) {
      log.warn({ err, subscriptions: requests.length }, 'could not claim deliveries; trying again')
      throw err
    }
  })
  const records = openBatch<MadeAttempt>(CHUNK, (made) => recordAttempts(parts, made, closing.signal))
  const retries = openBatch<Retry>(CHUNK, (due) => wakeLater(parts, due))

  async function claim(subscriptionId: string, room: number): Promise<ClaimedDelivery[]> {
    const claimed: ClaimedDelivery[] = []
    await claims.add({ subscriptionId, room, claimed })
    return claimed
  }

  async function work(delivery: ClaimedDelivery): Promise<AttemptResult> {
    try {
      const made = await makeAttempt(parts, delivery)
      await records.add(made)
      counters.attempts.inc({ result: made.verdict.kind })
      // Not awaited: the lane can go on without the queue.
      if (made.verdict.kind === 'retry') void retries.add({ id: delivery.subscriptionId, delayMs: made.verdict.delayMs })
      return made
    } catch (err) {
      log.warn({ err, delivery: delivery.id }, 'could not make or record an attempt; it is repeated when its claim expires')
      return { failure: 'unknown', durationMs: 0 }
    }
  }

  const lanes = openLanes({ maxInFlight: MAX_IN_FLIGHT, maxSlow: MAX_SLOW, promptMs: PROMPT_MS, claim, pauseMs: PAUSE_MS, work })
  return {
    wake: (ids) => lanes.wake(ids),
    async close(stopJobs) {
      // In parallel, because a running job may wait for the lanes. `stopJobs` may never resolve while the queue's store is unreachable; its
      // timeout can be ignored, because no jobs arrive then.
      await Promise.all([lanes.close(DRAIN_MS), inTime(DRAIN_MS, stopJobs()).catch(() => {})])
      closing.abort()
      await retries.idle()
      await wakeSubscriptions(parts, lanes.remaining())
    },
  }
}
