import { HOUR_MS } from '@onward/contract/pure'
import { defineAddress } from '../../list/address.ts'
import { hourOf } from '../../parts/call-hours.ts'
import type { Zone } from '../../text/format.ts'

export const PERIODS = ['24h', '7d', '30d', '90d'] as const
export type PeriodName = (typeof PERIODS)[number]

export const CHARTS = ['calls', 'tasks', 'success', 'duration'] as const
export type ChartName = (typeof CHARTS)[number]

export const KEYS = ['app', 'function_name', 'app_key'] as const
export type KeyName = (typeof KEYS)[number]

/** What the reader chose, as the address has it. */
export const OVERVIEW_ADDRESS = defineAddress({
  period: { kind: 'enum', label: 'Period', values: PERIODS, default: '24h' },
  chart: { kind: 'enum', label: 'Chart', values: CHARTS, default: 'calls' },
  by: { kind: 'enum', label: 'Divided by', values: KEYS, default: 'app' },
})

/** The times of a period, and since when the period of the same length before it lasts. Both begin and end with an hour. */
export type Span = { readonly since: Date; readonly until: Date; readonly before: Date; readonly step: 'hour' | 'day' }

const HOURS: Readonly<Record<PeriodName, number>> = { '24h': 24, '7d': 24 * 7, '30d': 24 * 30, '90d': 24 * 90 }

/** Returns the times of a period that ends with the running hour. Long periods begin with a day of the reader's zone. */
export function spanOf(period: PeriodName, now: Date, zone: Zone): Span {
  const until = new Date(hourOf(now).getTime() + HOUR_MS)
  const hours = HOURS[period]
  const days = hours > HOURS['7d']
  const since = days ? dayStart(now, hours / 24 - 1, zone) : new Date(until.getTime() - hours * HOUR_MS)
  return { since, until, before: new Date(2 * since.getTime() - until.getTime()), step: days ? 'day' : 'hour' }
}

function dayStart(now: Date, daysAgo: number, zone: Zone): Date {
  if (zone === 'UTC') return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - daysAgo))
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo)
}

/** Sums values to at most `most` groups of neighbours, for a small chart. */
export function grouped(values: readonly number[], most = 30): number[] {
  const size = Math.max(1, Math.ceil(values.length / most))
  const groups: number[] = []
  for (let at = 0; at < values.length; at += size) groups.push(values.slice(at, at + size).reduce((sum, value) => sum + value, 0))
  return groups
}
