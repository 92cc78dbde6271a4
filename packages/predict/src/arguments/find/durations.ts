import type { Slot } from '../slot/slot.ts'
import type { Piece } from './piece.ts'

const UNITS: readonly (readonly [seconds: number, names: RegExp])[] = [
  [0.001, /^(?:milliseconds?|ms)$/],
  [1, /^(?:seconds?|secs?)$/],
  [60, /^(?:minutes?|mins?)$/],
  [3_600, /^(?:hours?|hrs?|h)$/],
  [86_400, /^days?$/],
  [604_800, /^weeks?$/],
]
const DURATION =
  /(?<![\p{L}\p{N}.,])(?<count>half an?|an?) (?<unit>minute|hour|day|week)(?<half> and a half)?(?![\p{L}\p{N}])|(?<![\p{L}\p{N}.,])(?<hours>\d+) ?h(?:(?:ou)?rs?)?,? (?:and )?(?<minutes>\d+) ?m(?:in(?:ute)?s?)?(?![\p{L}\p{N}])/giu

/** Finds durations that are not a number with a unit: "an hour and a half", "2 hours and 30 minutes". */
export function findDurations(prompt: string): Piece[] {
  return [...prompt.matchAll(DURATION)].map(({ 0: text, index, groups: { count, unit = '', half, hours, minutes } = {} }) => {
    const single = /^half/i.test(count ?? '') ? 0.5 : half === undefined ? 1 : 1.5
    const seconds = count === undefined ? Number(hours) * 3_600 + Number(minutes) * 60 : single * (secondsOf(unit) ?? 0)
    return { kind: 'number', text, start: index, end: index + text.length, seconds }
  })
}

/** Returns the number of seconds of a unit of time, or undefined. */
export function secondsOf(unit: string): number | undefined {
  return UNITS.find(([, names]) => names.test(unit.toLowerCase()))?.[0]
}

/** Returns a duration in the unit of a slot: 1800 for "30 minutes" when the slot counts seconds. Undefined when the slot shows no unit. */
export function durationFor({ schema: { description = '' }, path }: Slot, { seconds }: Piece): number | undefined {
  if (seconds === undefined || /\bunix\b/i.test(description)) return undefined
  const words = `${path.at(-1)?.replaceAll('_', ' ')} ${description}`.match(/\b(?:milliseconds?|seconds?|minutes?|hours?|days?)\b/gi)
  const unit = secondsOf(words?.[0] ?? '')
  return unit === undefined ? undefined : Math.round((seconds / unit) * 1_000) / 1_000
}
