import { type ComparedHour, compareHours, HOUR_MS } from '@onward/contract/pure'
import { functions, insights } from '../../api/doors.ts'
import { readEventHours, readTaskHours, resendCalls } from '../../api/endpoints.ts'
import { send } from '../../api/send.ts'
import { iso, spansOf } from './spans.ts'
import { JobError, type Work } from './use-job.ts'
import { TEXT } from './words.ts'

export type Compared = {
  readonly hours: readonly ComparedHour[]
  /** Calls that were still running, and were not compared. */
  readonly openCalls: number
  readonly doneDays: number
  readonly days: number
  /** The last hours that were asked for, to ask for the same ones again. */
  readonly asked: number
}

/** Compares the tasks of the last hours, day by day. */
export function compareWork(hours: number): Work<Compared> {
  return async (report, signal) => {
    const spans = spansOf(hours, new Date())
    let found: Compared = { hours: [], openCalls: 0, doneDays: 0, days: spans.length, asked: hours }
    report(found)
    for (const query of spans) {
      // Insights comes last, so that tasks counted between the requests do not appear to be missing.
      const calls = await send(functions, readTaskHours, { query, signal })
      const events = await send(insights, readEventHours, { query, signal })
      found = {
        ...found,
        hours: [...found.hours, ...compareHours(calls.hours, events.hours)],
        openCalls: calls.open_calls,
        doneDays: found.doneDays + 1,
      }
      report(found)
    }
  }
}

export type Resent = { readonly tasks: number; readonly doneHours: number; readonly hours: number; readonly confirming: boolean }

const POLL_MS = 1000
const CONFIRM_MS = 120_000

/** Sends the tasks of some hours to insights again, and waits until it has confirmed them. */
export function resendWork(hours: readonly string[]): Work<Resent> {
  return async (report, signal) => {
    let done: Resent = { tasks: 0, doneHours: 0, hours: hours.length, confirming: false }
    let sentAt: string | undefined
    report(done)
    for (const hour of hours) {
      const until = iso(Date.parse(hour) + HOUR_MS)
      let cursor: string | null = null
      do {
        const sent: { tasks: number; sent_at: string; _cursor: string | null } = await send(functions, resendCalls, {
          body: { since: hour, until, _cursor: cursor },
          signal,
        })
        done = { ...done, tasks: done.tasks + sent.tasks }
        sentAt = sent.sent_at
        cursor = sent._cursor
        report(done)
      } while (cursor !== null)
      done = { ...done, doneHours: done.doneHours + 1 }
      report(done)
    }
    if (sentAt === undefined) return
    report({ ...done, confirming: true })
    await waitUntilConfirmed(sentAt, signal)
    report(done)
  }
}

/** Waits until the outbox contains nothing that was queued before a time. */
async function waitUntilConfirmed(upTo: string, signal: AbortSignal): Promise<void> {
  const query = { since: upTo, until: iso(Date.parse(upTo) + 1) }
  const deadline = performance.now() + CONFIRM_MS
  for (;;) {
    const { outbox_oldest_at: oldest } = await send(functions, readTaskHours, { query, signal })
    if (oldest === null || Date.parse(oldest) > Date.parse(upTo)) return
    if (performance.now() > deadline) throw new JobError(TEXT.reconcile.notConfirmed)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    signal.throwIfAborted()
  }
}
