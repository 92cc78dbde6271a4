import type { ResponseOf, startReconcile } from '@onward/contract'
import { HOUR_MS } from '@onward/contract/pure'
import { insights } from '../../api/doors.ts'
import { readReconcile, startReconcile as start } from '../../api/endpoints.ts'
import { send } from '../../api/send.ts'
import { JobError, type Work } from './use-job.ts'
import { TEXT } from './words.ts'

export type Run = ResponseOf<typeof startReconcile>

export type Span = { readonly since: string; readonly until: string }

/** The last `hours` hours up to now. The service begins with a full hour. */
export function spanOf(hours: number, now: Date): Span {
  return { since: new Date(now.getTime() - hours * HOUR_MS).toISOString(), until: now.toISOString() }
}

const POLL_MS = 500

/** Compares the tasks of a span, and sends the tasks of the hours `again` once more. The service does this; the work follows its progress. */
export function reconcileWork({ since, until }: Span, again: readonly string[]): Work<Run> {
  return async (report, signal) => {
    const body = { since, until, dry_run: again.length === 0, hours: [...again] }
    await follow(await send(insights, start, { body, signal }), report, signal)
  }
}

/** Returns the work for the comparison that is running, even if someone else started it; undefined if none is running. */
export async function runningWork(): Promise<Work<Run> | undefined> {
  const { run } = await send(insights, readReconcile, {})
  return run !== null && isRunning(run) ? (report, signal) => follow(run, report, signal) : undefined
}

async function follow(started: Run, report: (run: Run) => void, signal: AbortSignal): Promise<void> {
  for (let run = started; ; ) {
    report(run)
    if (run.state === 'failed') throw new JobError(run.error ?? TEXT.reconcile.failed)
    if (!isRunning(run)) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const { run: last } = await send(insights, readReconcile, { signal })
    if (last?.id !== started.id) throw new JobError(TEXT.reconcile.replaced)
    run = last
  }
}

function isRunning({ state }: Run): boolean {
  return state === 'comparing' || state === 'sending'
}
