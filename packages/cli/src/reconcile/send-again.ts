import { send, type Target } from '@onward/client'
import { readCallHours, resendCalls } from '@onward/contract'
import { isoTime } from './compare-hours.ts'

const HOUR_MS = 3_600_000
const POLL_MS = 500
/** How long insights may take to confirm what was sent. */
const CONFIRM_MS = 120_000

/** Has the tasks of hours sent once more, and waits until insights has confirmed them. Gives the number of tasks. */
export async function sendAgain(functions: Target, hours: readonly string[]): Promise<number> {
  let tasks = 0
  let sentAt: string | undefined
  for (const hour of hours) {
    let cursor: string | null = null
    do {
      const until = isoTime(Date.parse(hour) + HOUR_MS)
      const sent: { tasks: number; sent_at: string; _cursor: string | null } = await send(functions, resendCalls, {
        body: { since: hour, until, _cursor: cursor },
      })
      tasks += sent.tasks
      sentAt = sent.sent_at
      cursor = sent._cursor
    } while (cursor !== null)
  }
  if (sentAt !== undefined) await confirmed(functions, sentAt)
  return tasks
}

/** Resolves when the outbox holds nothing that was queued up to a time. */
export async function confirmed(functions: Target, upTo: string): Promise<void> {
  const query = { since: upTo, until: isoTime(Date.parse(upTo) + 1) }
  const deadline = Date.now() + CONFIRM_MS
  for (;;) {
    const { outbox_oldest_at: oldest } = await send(functions, readCallHours, { query })
    if (oldest === null || Date.parse(oldest) > Date.parse(upTo)) return
    if (Date.now() > deadline) throw new Error(`insights has not confirmed in ${CONFIRM_MS / 1_000} s what was queued at ${oldest}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
