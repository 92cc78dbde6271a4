import { openBatch } from '@onward/runtime'
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

/** Sends what is due. Subscriptions are its lines: however one of them behaves, the others don't wait for it. */
export type Courier = {
  /** Sends what is due for subscriptions. Resolves at once, or when there is less to do. */
  wake(subscriptionIds: readonly string[]): Promise<void>
  /** Lets attempts in hand end, and leaves what is due to other processes. */
  close(): Promise<void>
}

/** Claims and records are group commits: while one statement is on its way, the next gathers. */
export function openCourier(ctx: Context): Courier {
  const closing = new AbortController()
  const claims = openBatch<Ask & { claimed: Claimed[] }>(MOST, async (asks) => {
    const bySubscription = new Map(asks.map((ask) => [ask.subscriptionId, ask.claimed]))
    // Longer than an attempt can take: who still holds a claim that has run out is gone.
    const claimed = await claimDeliveries(ctx.db, asks, 2 * ctx.timing.deadlineMs)
    for (const each of claimed) bySubscription.get(each.subscriptionId)?.push(each)
  })
  const records = openBatch<Made>(MOST, (made) => record(ctx, made, closing.signal))
  const retries = openBatch<Later>(MOST, (waits) => wakeLater(ctx, waits))

  async function take(subscriptionId: string, room: number): Promise<Claimed[]> {
    const claimed: Claimed[] = []
    try {
      await claims.add({ subscriptionId, room, claimed })
    } catch (err) {
      ctx.log.warn({ err }, 'deliveries could not be claimed; the sweep will find them')
    }
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

  const lines = openLines<Claimed>({ places: PLACES.prompt, dawdlers: PLACES.dawdling, promptMs: PLACES.promptMs, take, work })
  return {
    wake: (ids) => lines.wake(ids),
    async close() {
      const left = await lines.close(DRAIN_MS)
      closing.abort()
      await retries.idle()
      await wakeSubscriptions(ctx, left)
    },
  }
}
