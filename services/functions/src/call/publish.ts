import { setTimeout as sleep } from 'node:timers/promises'
import { TASK_QUEUE, type TaskConsumedJob } from '@onward/contract'
import { inTime, type Log, openBatch, type Queue, type Queues } from '@onward/runtime'
import type { Kysely } from 'kysely'
import { deleteOutbox, leaseOutbox, mergeOutbox, moveLeases, type OutboxRow, releaseOutbox } from '../db/outbox.ts'
import type { Tables } from '../db/tables.ts'

/** Drains the outbox into the queue. One runs in every process; there is no leader. */
export type Publisher = {
  /** There is something new in the outbox. */
  wake(): void
  /** Hands over what it holds, then stops. What is not confirmed by then stays in the outbox for the next process. */
  close(): Promise<void>
}

const LEASE_SECONDS = 30
/** The part of a lease after which its job is looked at: before it runs out. */
const LOOK_AFTER = 5 / 6
/** The queue holds a window of a few hundred rows per process; a longer backlog stays in Postgres. */
const WINDOW = 200
const POLL_MS = 500
const HAND_OVER_MS = 10_000

/**
 * A row is deleted only when its job is done: on the job's own `completed` event, or, should that be missed, on the job's state
 * when the lease is about to run out. A row whose job still waits then is held on to: were it let go, each lease would bring
 * another window of a long backlog to the queue. `batchMax` bounds the tasks of a message; `leaseSeconds` is for tests, which can't
 * wait so long.
 */
export function openPublisher(db: Kysely<Tables>, queues: Queues, batchMax: number, log: Log, leaseSeconds = LEASE_SECONDS): Publisher {
  const queue: Queue<TaskConsumedJob> = queues.queue(TASK_QUEUE)
  const events = queues.events(TASK_QUEUE)
  const held = new Map<string, NodeJS.Timeout>()
  const confirmed = openBatch<string>(WINDOW, (ids) => deleteOutbox(db, ids))
  const expiring = openBatch<string>(WINDOW, look)
  let open = true
  let woken = false
  let wakeUp: (() => void) | undefined

  events.on('completed', ({ jobId }) => {
    if (held.has(jobId)) confirm(jobId)
  })

  function hold(id: string): void {
    clearTimeout(held.get(id))
    held.set(
      id,
      setTimeout(() => void expiring.add(id), leaseSeconds * 1_000 * LOOK_AFTER),
    )
  }

  /** What is neither done nor in the queue any more is let go: whoever takes it next hands it over again. Never fails. */
  async function look(ids: readonly string[]): Promise<void> {
    try {
      const states = await Promise.all(ids.map((id) => inTime(HAND_OVER_MS, queue.getJobState(id))))
      const still = ids.filter((id, i) => held.has(id) && !['completed', 'failed', 'unknown'].includes(states[i] ?? ''))
      ids.forEach((id, i) => {
        if (held.has(id) && states[i] === 'completed') confirm(id)
        else if (!still.includes(id)) drop(id)
      })
      if (still.length === 0) return
      await moveLeases(db, still, leaseSeconds)
      for (const id of still) if (held.has(id)) hold(id)
    } catch (err) {
      log.warn({ err, rows: ids.length }, 'the state of tasks in the queue could not be read')
      ids.forEach(drop)
    }
  }

  function drop(id: string): void {
    clearTimeout(held.get(id))
    held.delete(id)
  }

  function confirm(id: string): void {
    drop(id)
    // When the delete fails the row's lease runs out, and whoever takes it next finds its job completed.
    confirmed.add(id).catch((err: unknown) => log.warn({ err }, 'a confirmed outbox row could not be deleted'))
    if (held.size < WINDOW / 2) wake()
  }

  function wake(): void {
    woken = true
    wakeUp?.()
  }

  async function handOver(row: OutboxRow): Promise<void> {
    if (row.sent) {
      const state = await queue.getJobState(row.id)
      if (state === 'completed') return confirm(row.id)
      if (state === 'failed') await queue.remove(row.id)
      else if (state !== 'unknown') return
    }
    await queue.add(TASK_QUEUE, { events: row.events }, { jobId: row.id })
  }

  async function drain(): Promise<void> {
    while (open && held.size < WINDOW) {
      const room = WINDOW - held.size
      const leasedAt = performance.now()
      const rows = await leaseOutbox(db, room, leaseSeconds)
      if (rows.length === 0) return
      for (const { id } of rows) hold(id)
      const results = await Promise.allSettled(rows.map((row) => inTime(HAND_OVER_MS, handOver(row))))
      const failed = rows.filter((_row, i) => results[i]?.status === 'rejected')
      if (failed.length === 0) {
        if (rows.length === room) await mergeOutbox(db, batchMax)
        continue
      }
      for (const { id } of failed) drop(id)
      const err = results.find((result) => result.status === 'rejected')?.reason
      log.warn({ err, rows: failed.length }, 'tasks wait in the outbox: the queue does not take them')
      // Once the lease is over they may be somebody else's.
      if (performance.now() - leasedAt < leaseSeconds * 1_000 * LOOK_AFTER) await releaseOutbox(db, failed, 1)
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
      await drainOnce(db, handOver, log)
      for (const id of [...held.keys()]) drop(id)
      await confirmed.idle()
    },
  }
}

/** On the way out, what was recorded last is handed over, so that it need not wait for another process. */
async function drainOnce(db: Kysely<Tables>, handOver: (row: OutboxRow) => Promise<void>, log: Log): Promise<void> {
  try {
    const rows = await leaseOutbox(db, WINDOW, 1)
    await Promise.allSettled(rows.map((row) => inTime(2_000, handOver(row))))
  } catch (err) {
    log.warn({ err }, 'the outbox keeps what could not be handed over')
  }
}
