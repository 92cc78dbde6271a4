import * as endpoints from '@onward/contract'
import { HOUR_MS } from '@onward/contract'
import { readSpan } from '@onward/runtime'
import { readRun } from '../../db/reconciliation.ts'
import type { ReconcileRun } from '../../db/tables.ts'
import { isRunning, startRun, stopRun } from '../../maintenance/reconcile-run.ts'
import { adminRoute, invalidParameters } from '../route.ts'

/** A call attempt becomes visible in functions within this time. */
const SETTLE_MS = 10_000
/** Longer than functions waits for insights to confirm tasks. */
const SILENT_MS = 180_000

export const startReconcileRoute = adminRoute(endpoints.startReconcile, async (ctx, { body, noteChange }) => {
  const span = readSpan(body)
  const since = Math.floor(+span.since / HOUR_MS) * HOUR_MS
  const until = Math.min(+span.until, Date.now() - SETTLE_MS)
  if (since >= until) throw invalidParameters('since: must be in the past, by ten seconds at least')
  const only = body.hours?.map((hour) => new Date(hour).toISOString()) ?? null
  const run = await startRun({ ...ctx, db: ctx.slowDb }, { since, until, dryRun: body.dry_run, only })
  noteChange(null, { id: run.id })
  return present(run)
})

export const readReconcileRoute = adminRoute(endpoints.readReconcile, async (ctx) => {
  const run = await readRun(ctx.db)
  return { run: run && present(run) }
})

export const stopReconcileRoute = adminRoute(endpoints.stopReconcile, async (ctx, { noteChange }) => {
  const { before, after } = await stopRun(ctx.db)
  noteChange(before && { id: before.id, state: before.state }, after && { id: after.id, state: after.state })
  return { run: after && present(after) }
})

function present(run: ReconcileRun) {
  const silent = isRunning(run) && Date.now() - Date.parse(run.changedAt) > SILENT_MS
  return {
    id: run.id,
    state: silent ? ('failed' as const) : run.state,
    error: silent ? 'functions did not answer, or insights did not confirm its tasks, within three minutes; look at the queue' : null,
    started_at: run.startedAt,
    since: run.since,
    until: run.until,
    dry_run: run.dryRun,
    parts: run.parts,
    parts_done: run.parts - run.pending.length,
    open_calls: run.openCalls,
    tasks_sent: run.hours.reduce((sum, { sent }) => sum + (sent ?? 0), 0),
    hours: run.hours.map(({ sent, ...hour }) => ({ ...hour, sent_again: sent !== null })),
  }
}
