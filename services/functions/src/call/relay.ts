import { setTimeout as sleep } from 'node:timers/promises'
import { TASK_QUEUE, type TaskConsumedJob } from '@onward/contract'
import { inTime, type Log, openBatch, type Queue, type Queues } from '@onward/runtime'
import { deleteOutbox, leaseOutbox, mergeOutbox, moveLeases, type OutboxRow, releaseOutbox } from '../db/outbox.ts'
import type { Db } from '../db/tables.ts'

/** The relay: publishes the outbox to the queue. Each process runs one; there is no leader. */
export type Relay = {
  /** Call this after inserting outbox rows. */
  wake(): void
  /** Publishes once more, then stops. Rows that are not confirmed stay in the outbox for another process. */
  close(): Promise<void>
}

const LEASE_SECONDS = 30
/** How long after a row is leased its job is checked. Shorter than the lease. */
const CHECK_AFTER_MS = 25_000
/** Maximum number of rows that one process has in the queue; a longer backlog stays in Postgres. */
const IN_QUEUE_MAX = 200
const POLL_MS = 500
const PUBLISH_TIMEOUT_MS = 10_000

/**
 * Starts the relay. It deletes a row when the queue sends the `completed` event of the row's job. Because that event can be missed, it also
 * reads the job's state shortly before the lease expires. If the job is still pending, it extends the lease; otherwise expired leases would
 * let it publish more than IN_QUEUE_MAX rows. A message carries at most `batchMax` tasks.
 */
export function openRelay(db: Db, queues: Queues, batchMax: number, log: Log): Relay {
  const queue: Queue<TaskConsumedJob> = queues.queue(TASK_QUEUE)
  const held = new Map<string, NodeJS.Timeout>()
  const confirmed = openBatch<string>(IN_QUEUE_MAX, (ids) => deleteOutbox(db, ids))
  const expiring = openBatch<string>(IN_QUEUE_MAX, checkJobs)
  let open = true
  let woken = false
  let wakeUp: (() => void) | undefined

  queue.onCompleted((id) => {
    if (held.has(id)) confirm(id)
  })

  function hold(id: string): void {
    clearTimeout(held.get(id))
    held.set(
      id,
      setTimeout(() => void expiring.add(id), CHECK_AFTER_MS),
    )
  }

  /**
   * Deletes rows whose job is completed and extends the lease of rows whose job is pending. Other rows are published again after their
   * lease expires. Never rejects.
   */
  async function checkJobs(ids: readonly string[]): Promise<void> {
    try {
      const states = await Promise.all(ids.map((id) => inTime(PUBLISH_TIMEOUT_MS, queue.state(id))))
      const waiting = ids.filter((id, i) => held.has(id) && states[i] === 'pending')
      ids.forEach((id, i) => {
        if (held.has(id) && states[i] === 'completed') confirm(id)
        else if (!waiting.includes(id)) drop(id)
      })
      if (waiting.length === 0) return
      await moveLeases(db, waiting, LEASE_SECONDS)
      for (const id of waiting) if (held.has(id)) hold(id)
    } catch (err) {
      log.warn({ err, rows: ids.length }, 'the state of jobs in the queue could not be read')
      ids.forEach(drop)
    }
  }

  function drop(id: string): void {
    clearTimeout(held.get(id))
    held.delete(id)
  }

  function confirm(id: string): void {
    drop(id)
    // If the delete fails, the lease expires, and the next process to lease the row finds its job completed.
    confirmed.add(id).catch((err: unknown) => log.warn({ err }, 'a confirmed outbox row could not be deleted'))
    if (held.size < IN_QUEUE_MAX / 2) wake()
  }

  function wake(): void {
    woken = true
    wakeUp?.()
  }

  async function publish(row: OutboxRow): Promise<void> {
    if (row.sent) {
      const state = await queue.state(row.id)
      if (state === 'completed') return confirm(row.id)
      if (state === 'failed') await queue.remove(row.id)
      else if (state === 'pending') return
    }
    await queue.add({ id: row.id, data: { events: row.events } })
  }

  async function drain(): Promise<void> {
    while (open && held.size < IN_QUEUE_MAX) {
      const room = IN_QUEUE_MAX - held.size
      const leasedAt = performance.now()
      const rows = await leaseOutbox(db, room, LEASE_SECONDS)
      if (rows.length === 0) return
      for (const { id } of rows) hold(id)
      const results = await Promise.allSettled(rows.map((row) => inTime(PUBLISH_TIMEOUT_MS, publish(row))))
      const failed = rows.filter((_row, i) => results[i]?.status === 'rejected')
      if (failed.length === 0) {
        if (rows.length === room) await mergeOutbox(db, batchMax)
        continue
      }
      for (const { id } of failed) drop(id)
      const err = results.find((result) => result.status === 'rejected')?.reason
      log.warn({ err, rows: failed.length }, 'tasks could not be added to the queue and stay in the outbox')
      // Later, the lease may have expired and another process may have leased the rows.
      if (performance.now() - leasedAt < CHECK_AFTER_MS) await releaseOutbox(db, failed, 1)
      return
    }
  }

  async function loop(): Promise<void> {
    while (open) {
      woken = false
      await drain().catch((err: unknown) => log.warn({ err }, 'the outbox could not be drained'))
      if (!open || woken) continue
      const stop = new AbortController()
      wakeUp = () => stop.abort()
      await sleep(POLL_MS, undefined, { signal: stop.signal }).catch(() => {})
      wakeUp = undefined
    }
  }

  const running = loop()
  return {
    wake,
    async close() {
      open = false
      wake()
      await running
      await drainOnce(db, publish, log)
      for (const id of [...held.keys()]) drop(id)
      await confirmed.idle()
    },
  }
}

/** Publishes the rows of the last calls before the process ends, so that they need not wait for another process. */
async function drainOnce(db: Db, publish: (row: OutboxRow) => Promise<void>, log: Log): Promise<void> {
  try {
    const rows = await leaseOutbox(db, IN_QUEUE_MAX, 1)
    await Promise.allSettled(rows.map((row) => inTime(2_000, publish(row))))
  } catch (err) {
    log.warn({ err }, 'the last outbox rows could not be published; another process will publish them')
  }
}
