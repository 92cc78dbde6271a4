import type { Log, Queue } from '@onward/runtime'
import { lockFailed, replayDeliveries } from '../db/deliveries.ts'
import { finishReplay, insertDoneReplay, lockReplay, type NewReplay, pageFailed, pickReplay, saveReplayProgress } from '../db/replays.ts'
import type { Db } from '../db/tables.ts'
import { type DeliveryJob, wakeSubscriptions } from './queue.ts'

/** Maximum number of deliveries that one transaction makes due. */
const PAGE = 200

type Parts = { readonly db: Db; readonly deliveryQueue: Queue<DeliveryJob>; readonly log: Log }

/**
 * Continues the running replays page by page; workspaces take turns. When a page fails, it continues with the other replays and then throws
 * the first error; the next call repeats the page. After a crash, another process continues.
 */
export async function runReplays(parts: Parts, signal: AbortSignal): Promise<void> {
  const failures = new Map<string, unknown>()
  while (!signal.aborted) {
    const id = await pickReplay(parts.db, [...failures.keys()])
    if (id === undefined) break
    try {
      await wakeSubscriptions(parts, await parts.db.transaction().execute((tx) => replayPage(tx, id)))
    } catch (err) {
      failures.set(id, err)
    }
  }
  const [firstError] = failures.values()
  if (failures.size > 0) throw firstError
}

/** Makes the next failed deliveries of a replay due, or ends it if there are none. Returns the subscriptions to wake after the commit. */
async function replayPage(tx: Db, id: string): Promise<string[]> {
  const workspaceId = await lockReplay(tx, id)
  if (workspaceId === undefined) return []
  const page = await pageFailed(tx, id, PAGE)
  const last = page.at(-1)
  if (last === undefined) {
    await finishReplay(tx, id)
    return []
  }
  const { replayed, subscriptions } = await replayFailed(
    tx,
    workspaceId,
    page.map((delivery) => delivery.id),
  )
  await saveReplayProgress(tx, id, { replayed, skipped: page.length - replayed, last })
  return subscriptions
}

/** Sends up to 1,000 given deliveries again and stores a replay. Skips deliveries that are not failed or not of the workspace. */
export async function replayGiven(parts: Parts, replay: Omit<NewReplay, 'deliveries'>, ids: readonly string[]): Promise<void> {
  const subscriptions = await parts.db.transaction().execute(async (tx) => {
    const done = await replayFailed(tx, replay.workspaceId, ids)
    await insertDoneReplay(tx, { ...replay, deliveries: ids.length }, done.replayed)
    return done.subscriptions
  })
  await wakeSubscriptions(parts, subscriptions)
}

/** Makes the failed deliveries among `ids` due, if their subscription is active and belongs to the workspace. */
async function replayFailed(tx: Db, workspaceId: string, ids: readonly string[]): Promise<{ replayed: number; subscriptions: string[] }> {
  const failed = await lockFailed(tx, workspaceId, ids)
  await replayDeliveries(
    tx,
    failed.map((delivery) => delivery.id),
  )
  return { replayed: failed.length, subscriptions: [...new Set(failed.map((delivery) => delivery.subscriptionId))] }
}
