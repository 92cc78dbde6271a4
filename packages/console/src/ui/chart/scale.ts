import { DAY_MS } from '@onward/contract/pure'
import { ticks } from 'd3-array'

/** The vertical axis of a chart: whole numbers from 0 to `max`, with lines at `ticks`. */
export type Scale = { readonly max: number; readonly ticks: readonly number[] }

/** Returns an axis that shows the largest value, with about `count` lines at round numbers. */
export function scaleOf(largest: number, count = 3): Scale {
  const top = Math.max(1, largest)
  const found = ticks(0, top, count).filter(Number.isInteger)
  const last = found.at(-1) ?? 0
  const step = found.length > 1 ? last - (found.at(-2) ?? 0) : Math.ceil(top)
  const all = last >= top ? found : [...found, last + step]
  return { max: all.at(-1) ?? 1, ticks: all }
}

/** Returns which of `count` points get a label, so that labels are at least `room` pixels apart. The spacing is even, from the first on. */
export function labelled(count: number, width: number, room = 72): number[] {
  if (count === 0 || width <= 0) return []
  const every = Math.max(1, Math.ceil((room * count) / width))
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every)
}

/**
 * Returns which points get the name of their day as label: the first ones of days, evenly spaced. `days` has the day of each point. The first
 * point has no label, because its day may have begun before it.
 */
export function labelledDays(days: readonly string[], width: number, room = 72): number[] {
  const starts = [...days.keys()].filter((at) => at > 0 && days[at] !== days[at - 1])
  const perDay = days.length / Math.max(1, starts.length)
  const every = Math.max(1, Math.ceil((room * days.length) / Math.max(1, width * perDay)))
  return starts.filter((_, at) => at % every === 0)
}

/** Returns the index of the point at a position, for `count` points that share `width` evenly. */
export function pointAt(x: number, width: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor((x / width) * count)))
}

/** Returns the running total, for a curve that climbs towards a limit. */
export function cumulate(values: readonly number[]): number[] {
  let total = 0
  return values.map((value) => {
    total += value
    return total
  })
}

/**
 * Returns the value at `end` if it goes on as on average since `start`; undefined in the first day, when there is too little to say.
 * `consumed` is the value at `now`.
 */
export function projectedAt(consumed: number, start: Date, now: Date, end: Date): number | undefined {
  const passed = now.getTime() - start.getTime()
  if (passed < DAY_MS || now >= end) return undefined
  return Math.round((consumed * (end.getTime() - start.getTime())) / passed)
}

/**
 * Returns where the line of a projection ends: at most a little above `known`, the largest of the other values, which would otherwise be
 * flat. `share` is how much of the way from the last value, `now`, to the end of the chart that is.
 */
export function projectionOf(projected: number, now: number, known: number): { readonly end: number; readonly share: number } {
  const end = Math.min(projected, known * 1.25)
  return { end, share: projected === now ? 1 : (end - now) / (projected - now) }
}

/** The path of a line through points. */
export function linePath(points: readonly (readonly [x: number, y: number])[]): string {
  return points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
}

/** The path of the area between a line and the bottom of a chart. */
export function areaPath(points: readonly (readonly [x: number, y: number])[], bottom: number): string {
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return ''
  return `${linePath(points)}L${round(last[0])} ${bottom}L${round(first[0])} ${bottom}Z`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Sums hours to days of the reader's zone. `dayOf` returns the day of an hour. Each sum has the first hour of its day. */
export function byDay<P extends { readonly at: Date; readonly values: readonly number[] }>(
  hours: readonly P[],
  dayOf: (at: Date) => string,
): { readonly at: Date; readonly values: readonly number[] }[] {
  const days = new Map<string, { at: Date; values: number[] }>()
  for (const { at, values } of hours) {
    const day = dayOf(at)
    const found = days.get(day)
    if (found === undefined) days.set(day, { at, values: [...values] })
    else found.values = found.values.map((value, index) => value + (values[index] ?? 0))
  }
  return [...days.values()]
}
