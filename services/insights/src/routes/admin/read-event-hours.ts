import * as endpoints from '@onward/contract'
import { readSpan } from '@onward/runtime'
import { readEventHours as readHours } from '../../db/event-hours.ts'
import { adminRoute } from './admin-route.ts'

export const readEventHours = adminRoute(endpoints.readEventHours, async (ctx, { query }) => {
  const { since, until } = readSpan(query)
  const hours = await readHours(ctx.db, since, until)
  return { hours: hours.map(({ hour, tasks, bits }) => ({ hour: hour.toISOString(), tasks, xor: hexOf(bits) })) }
})

function hexOf(bits: string): string {
  return BigInt(`0b${bits}`).toString(16).padStart(32, '0')
}
