import { inTime, openBatch } from '@onward/runtime'
import type { Context } from '../context.ts'
import { type Ask, type Claimed, claimDeliveries } from '../db/deliveries.ts'
import { deliver } from './deliver.ts'
import { openLines } from './lines.ts'
import { PLACES } from './places.ts'
import { type Made, record } from './record.ts'
import { type Later, wakeLater, wakeSubscriptions } from './wake.ts'
import type { Shown } from './window.ts'

/** Rows of one statement. */
const MOST = 500
/** How long attempts in hand may take once the service is told to stop. */
const DRAIN_MS = 5_000
/** How long nothing is claimed once that has failed: much less than the sweep takes to find what is due. */
const REST_MS = 1_000

/** Sends what is due. Subscriptions are its lines: however one of them behaves, the others don't wait for it. */
export type Courier = {
  /** Sends what is due for subscriptions. Resolves at once, or when there is less to do. */
  wake(subscriptionIds: readonly string[]): Promise<void>
  /**
   * Lets attempts in hand end, and leaves what is due to other processes. `stopJobs` ends the jobs that wake this one: what it
   * hands over must not come back to it.
   */
  close(stopJobs: () => Promise<void>): Promise<void>
}

/** Claims and records are group commits: while one statement is on its way, the next gathers. */
export function openCourier(ctx: Context): Courier {
  const closing = new AbortController()
  const claims = openBatch<Ask & { claimed: Claimed[] }>(MOST, async (asks) => {
    const bySubscription = new Map(asks.map((ask) => [ask.subscriptionId, ask.claimed]))
    try {
      // Longer than an attempt can take: who still holds a claim that has run out is gone.
      const claimed = await claimDeliveries(ctx.db, asks, 2 * ctx.timing.deadlineMs)
      for (const each of claimed) bySubscription.get(each.subscriptionId)?.push(each)
    } catch (err) {
      ctx.log.warn({ err, subscriptions: asks.length }, 'deliveries could not be claimed; that is tried again')
      throw err
    }
  })
  const records = openBatch<Made>(MOST, (made) => record(ctx, made, closing.signal))
  const retries = openBatch<Later>(MOST, (waits) => wakeLater(ctx, waits))

  async function take(subscriptionId: string, room: number): Promise<Claimed[]> {
    const claimed: Claimed[] = []
    await claims.add({ subscriptionId, room, claimed })
    return claimed
  }

  async function work(delivery: Claimed): Promise<Shown> {
    try {
      const made = await deliver(ctx, delivery)
      await records.add(made)
      ctx.counters.attempts.inc({ result: made.verdict.kind })
      // Nobody waits for the queue.
      if (made.verdict.kind === 'retry') void retries.add({ id: delivery.subscriptionId, delayMs: made.verdict.delayMs })
      return made
    } catch (err) {
      ctx.log.warn({ err, delivery: delivery.id }, 'an attempt could not be made or recorded; it is made again when its claim has run out')
      return { failure: 'unknown', durationMs: 0 }
    }
  }

  const { prompt: places, dawdling: dawdlers, promptMs } = PLACES
  const lines = openLines<Claimed>({ places, dawdlers, promptMs, take, restMs: REST_MS, work })
  return {
    wake: (ids) => lines.wake(ids),
    async close(stopJobs) {
      // Together: a job in hand may wait for a place. With the queue's store away it may not end, but then nothing comes from it either.
      await Promise.all([lines.close(DRAIN_MS), inTime(DRAIN_MS, stopJobs()).catch(() => {})])
      closing.abort()
      await retries.idle()
      await wakeSubscriptions(ctx, lines.left())
    },
  }
}
