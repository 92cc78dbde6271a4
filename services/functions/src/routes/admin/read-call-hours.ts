import { readCallHours } from '@onward/contract'
import { readSpan } from '@onward/runtime'
import { readCallHours as readHours, readPending } from '../../db/call-hours.ts'
import { route } from '../route.ts'

export const readCallHoursRoute = route(readCallHours, async (ctx, { query }) => {
  const { since, until } = readSpan(query)
  // What is pending first: a call that ends in between is then told twice rather than not at all.
  const { openCalls, outboxOldestAt } = await readPending(ctx.db, until)
  const hours = await readHours(ctx.db, since, until)
  return {
    hours: hours.map(({ hour, tasks, bits }) => ({ hour: hour.toISOString(), tasks, xor: hexOf(bits) })),
    open_calls: openCalls,
    outbox_oldest_at: outboxOldestAt?.toISOString() ?? null,
  }
})

function hexOf(bits: string): string {
  return BigInt(`0b${bits}`).toString(16).padStart(32, '0')
}
