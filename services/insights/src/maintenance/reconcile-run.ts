import { randomUUID } from 'node:crypto'
import { type ComparedHour, DAY_MS, HOUR_MS, type ResendJob, type TaskHoursJob } from '@onward/contract'
import { inTime, QUEUE_TIMEOUT_MS, type Queue } from '@onward/runtime'
import { readRun, storeRun } from '../db/reconciliation.ts'
import type { Db, ReconcileRun } from '../db/tables.ts'

type Parts = { readonly db: Db; readonly resendQueue: Queue<ResendJob> }

type Asked = Pick<ReconcileRun, 'dryRun' | 'only'> & { readonly since: number; readonly until: number }

/** Starts a comparison of a span (in ms) in place of the last one, and asks functions for its days. */
export async function startRun({ db, resendQueue }: Parts, { since, until, dryRun, only }: Asked): Promise<ReconcileRun> {
  const days: string[] = []
  for (let from = since; from < until; from += DAY_MS) days.push(iso(from))
  const now = iso(Date.now())
  const times = { startedAt: now, changedAt: now, since: iso(since), until: iso(until) }
  const progress = { parts: days.length, pending: days, openCalls: 0, hours: [] }
  const run: ReconcileRun = { id: randomUUID(), state: 'comparing', ...times, dryRun, only, ...progress }
  await storeRun(db, run)
  await ask(resendQueue, run, DAY_MS)
  return run
}

/** Stops the comparison that is running. Parts that functions sends later are ignored. */
export async function stopRun(db: Db): Promise<{ readonly before: ReconcileRun | null; readonly after: ReconcileRun | null }> {
  return await db.transaction().execute(async (tx) => {
    const before = await readRun(tx, true)
    if (before === null || !isRunning(before)) return { before, after: before }
    const after: ReconcileRun = { ...before, state: 'stopped' }
    await storeRun(tx, after)
    return { before, after }
  })
}

export function isRunning({ state }: ReconcileRun): boolean {
  return state === 'comparing' || state === 'sending'
}

/** A part of a run that functions sent. */
type Part = Pick<TaskHoursJob, 'since' | 'until'> & NonNullable<TaskHoursJob['run']>

/**
 * Adds a compared part to its run. After the last day, asks functions to send the differing hours again. After the last of these hours, the
 * run is done. A part of a run that was stopped or replaced is ignored. A part that arrives twice replaces the first one.
 */
export async function addPart({ db, resendQueue }: Parts, part: Part, compared: readonly ComparedHour[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const run = await readRun(tx, true)
    const { since, until, id, resent_tasks: sent, open_calls: openCalls } = part
    const state = sent === null ? 'comparing' : 'sending'
    if (run === null || run.id !== id || run.state !== state) return
    const others = run.hours.filter(({ hour }) => hour < since || hour >= until)
    const found = compared.map(({ hour, functions, insights, same }) => {
      return { hour, functions: functions?.tasks ?? 0, insights: insights?.tasks ?? 0, same, sent }
    })
    const next: ReconcileRun = {
      ...run,
      changedAt: iso(Date.now()),
      pending: run.pending.filter((each) => each !== since),
      openCalls: Math.max(run.openCalls, openCalls),
      hours: [...others, ...found].sort((a, b) => (a.hour < b.hour ? -1 : 1)),
    }
    if (next.pending.length > 0) return await storeRun(tx, next)
    const toSend =
      state === 'sending' || run.dryRun ? [] : next.hours.filter(({ hour, same }) => !same && run.only?.includes(hour) !== false)
    if (toSend.length === 0) return await storeRun(tx, { ...next, state: 'done' })
    const sending: ReconcileRun = { ...next, state: 'sending', parts: toSend.length, pending: toSend.map(({ hour }) => hour) }
    // Before the commit: a run that is stored as `sending` without jobs would never end. If this rolls back, the parts of the jobs are ignored,
    // because the run is not `sending`.
    await ask(resendQueue, sending, HOUR_MS)
    await storeRun(tx, sending)
  })
}

/** Asks functions for all pending parts of a run, each of `lengthMs` at most. */
async function ask(resendQueue: Queue<ResendJob>, { id, state, pending, until }: ReconcileRun, lengthMs: number): Promise<void> {
  const asked = pending.map((since) => {
    const end = iso(Math.min(Date.parse(since) + lengthMs, Date.parse(until)))
    return resendQueue.add({ data: { hours: [], run: { id, since, until: end, resend: state === 'sending' } } })
  })
  await inTime(QUEUE_TIMEOUT_MS, Promise.all(asked))
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
