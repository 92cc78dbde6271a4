import { setTimeout as sleep } from 'node:timers/promises'
import { inTime, type Log, openBatch, type Queue, type Queues, type Tracing } from '@onward/runtime'
import { deleteOutbox, extendLeases, leaseOutbox, mergeOutbox, type Outbox, type OutboxRow, releaseOutbox } from '../db/outbox.ts'
import type { Db } from '../db/tables.ts'

/** A relay: publishes an outbox to its queue. Each process runs one for each outbox; there is no leader. */
export type Relay = {
  /** Call this after inserting outbox rows. Without it, they are published half a second later. */
  wake(): void
  /** Publishes once more, then stops. Rows that are not confirmed stay in the outbox for another process. */
  close(): Promise<void>
}

type RelayParts = { readonly db: Db; readonly queues: Queues; readonly tracing?: Tracing | undefined; readonly log: Log }

/** The data of a job, without `traces` where no event belongs to a trace. */
type Message = { readonly events: unknown; readonly traces?: Readonly<Record<string, unknown>> }

const LEASE_SECONDS = 30
/** Time from the lease of a row until its job is checked. Shorter than the lease. */
const CHECK_AFTER_MS = 25_000
/** Maximum number of rows that one process has in the queue; a longer backlog stays in Postgres. */
const IN_QUEUE_MAX = 200
const POLL_MS = 500
/**
 * How long the relay waits after it published rows. The rows of this time become one message. Otherwise, under a light load, each call
 * would be a separate message, and cost insights a transaction.
 */
const GATHER_MS = 50
const PUBLISH_TIMEOUT_MS = 10_000
/**
 * How often a lease begins at the oldest row. The other leases begin near the last leased row. While an old snapshot is open, Postgres
 * keeps the index entries of deleted rows, and a lease that begins at the oldest row reads all of them.
 */
const FROM_OLDEST_EVERY_MS = 5_000

/**
 * Starts the relay. It deletes a row when the queue sends the `completed` event of the row's job. Because that event can be missed, it also
 * reads the job's state shortly before the lease expires. If the job is still pending, it extends the lease; otherwise expired leases would
 * let it publish more than IN_QUEUE_MAX rows.
 */
export function openRelay({ db, queues, tracing, log }: RelayParts, outbox: Outbox): Relay {
  const queue: Queue<Message> = queues.queue(outbox.queue)
  /** The rows in the queue whose lease this process holds, each with the timer that checks its job. */
  const held = new Map<string, NodeJS.Timeout>()
  const confirmed = openBatch<string>(IN_QUEUE_MAX, (ids) => deleteOutbox(db, outbox, ids))
  const expiring = openBatch<string>(IN_QUEUE_MAX, checkJobs)
  let open = true
  let woken = false
  /** The creation time of the oldest row in the last lease. */
  let from: Date | undefined
  /** When a lease last began at the oldest row of all. */
  let fromOldestAt = Number.NEGATIVE_INFINITY
  let endPause: (() => void) | undefined

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
      const pending: string[] = []
      for (const [i, id] of ids.entries()) {
        if (!held.has(id)) continue
        if (states[i] === 'completed') confirm(id)
        else if (states[i] === 'pending') pending.push(id)
        else drop(id)
      }
      if (pending.length === 0) return
      await extendLeases(db, outbox, pending, LEASE_SECONDS)
      for (const id of pending) if (held.has(id)) hold(id)
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
    endPause?.()
  }

  /** Adds the job of a row. If the row was published before, checks first whether its job is still in the queue. */
  async function publish(row: OutboxRow): Promise<void> {
    if (row.sent) {
      const state = await queue.state(row.id)
      if (state === 'completed') return confirm(row.id)
      if (state === 'failed') await queue.remove(row.id)
      else if (state === 'pending') return
    }
    await withPublishSpans(tracing, outbox.queue, row, (data) => queue.add({ id: row.id, data }))
  }

  /** Publishes the free rows, and a backlog until IN_QUEUE_MAX rows are in the queue. Returns whether it published any. */
  async function publishAll(): Promise<boolean> {
    let published = false
    while (open && held.size < IN_QUEUE_MAX) {
      const max = IN_QUEUE_MAX - held.size
      const leasedAt = performance.now()
      const fromOldest = leasedAt - fromOldestAt >= FROM_OLDEST_EVERY_MS
      if (fromOldest) fromOldestAt = leasedAt
      const rows = await leaseOutbox(db, outbox, max, LEASE_SECONDS, fromOldest ? undefined : from)
      if (rows.length === 0) break
      from = new Date(Math.min(...rows.map(({ createdAt }) => +createdAt)))
      for (const { id } of rows) hold(id)
      const results = await Promise.allSettled(rows.map((row) => inTime(PUBLISH_TIMEOUT_MS, publish(row))))
      const failed = rows.filter((_row, i) => results[i]?.status === 'rejected')
      if (failed.length === 0) {
        published = true
        if (rows.length < max) break
        // There may be a backlog; merge it into fewer, larger messages.
        await mergeOutbox(db, outbox.batchMax)
        continue
      }
      for (const { id } of failed) drop(id)
      const err = results.find((result) => result.status === 'rejected')?.reason
      log.warn({ err, queue: outbox.queue, rows: failed.length }, 'events could not be added to the queue and stay in the outbox')
      // Do not release a lease that may have expired: another process may have leased the rows since.
      if (performance.now() - leasedAt < CHECK_AFTER_MS) await releaseOutbox(db, outbox, failed, 1)
      break
    }
    return published
  }

  async function loop(): Promise<void> {
    let published = false
    while (open) {
      woken = false
      try {
        // Makes one message of the rows that were inserted during the pause.
        if (published) await mergeOutbox(db, outbox.batchMax)
        published = await publishAll()
      } catch (err) {
        published = false
        log.warn({ err }, 'the outbox could not be read or published; trying again')
      }
      if (!open) continue
      if (published) await sleep(GATHER_MS)
      else if (!woken) await untilWoken()
    }
  }

  async function untilWoken(): Promise<void> {
    const stop = new AbortController()
    endPause = () => stop.abort()
    await sleep(POLL_MS, undefined, { signal: stop.signal }).catch(() => {})
    endPause = undefined
  }

  const running = loop()
  return {
    wake,
    async close() {
      open = false
      wake()
      await running
      await publishLast(db, outbox, publish, log)
      for (const id of [...held.keys()]) drop(id)
      await expiring.idle()
      await confirmed.idle()
    },
  }
}

/** Adds the message of a row, in a span of each of its traces. Spans of insights belong to these. */
async function withPublishSpans(
  tracing: Tracing | undefined,
  queue: string,
  { events, traces }: OutboxRow,
  add: (message: Message) => Promise<void>,
): Promise<void> {
  if (traces === null) return await add({ events })
  if (tracing === undefined) return await add({ events, traces })
  const options = { kind: 'producer', attributes: { 'messaging.destination.name': queue } } as const
  const spans = Object.entries(traces).flatMap(([id, parent]) =>
    typeof parent === 'string' ? [[id, tracing.start(`publish ${queue}`, { parent, ...options })] as const] : [],
  )
  try {
    await add({ events, traces: Object.fromEntries(spans.map(([id, { traceparent }]) => [id, traceparent])) })
  } finally {
    for (const [, span] of spans) span.end()
  }
}

/** Publishes the rows of the last calls before the process ends, so that they need not wait for another process. */
async function publishLast(db: Db, outbox: Outbox, publish: (row: OutboxRow) => Promise<void>, log: Log): Promise<void> {
  try {
    const rows = await leaseOutbox(db, outbox, IN_QUEUE_MAX, 1)
    await Promise.allSettled(rows.map((row) => inTime(2_000, publish(row))))
  } catch (err) {
    log.warn({ err }, 'the last outbox rows could not be published; another process will publish them')
  }
}
