import { isUuid } from '@onward/runtime'

/** What can be read from an event that could not be counted; null where there is nothing of use. */
export type EventFields = { readonly eventId: string | null; readonly appKey: string | null; readonly occurredAt: Date | null }

/** Times that Postgres and JavaScript tell alike: years of four digits. */
const FIRST = Date.UTC(1, 0)
const END = Date.UTC(10_000, 0)

export function eventFields(event: unknown): EventFields {
  const { id, app_key: appKey, occurred_at: occurredAt } = (event ?? {}) as Record<string, unknown>
  const time = typeof occurredAt === 'string' ? Date.parse(occurredAt) : Number.NaN
  return {
    eventId: typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null,
    appKey: typeof appKey === 'string' && !/[\0\p{Surrogate}]/u.test(appKey) ? appKey : null,
    occurredAt: time >= FIRST && time < END ? new Date(time) : null,
  }
}
