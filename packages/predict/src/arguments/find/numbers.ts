import { stem } from '../../words/stems.ts'
import type { Slot } from '../slot/slot.ts'
import { isoCodeOf } from './gazetteer.ts'
import type { Kind, Piece } from './piece.ts'
import type { Word } from './prompt.ts'

const NUMBER =
  /(?<![\p{L}\p{N}_.@/]|\d[-,:])(?<currency>[$€£¥₹] ?)?(?<sign>-(?=\d))?(?<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?<scale>k|K|M|bn| (?:hundred|thousand|million|billion)\b)?(?<percent> ?%| percent\b)?(?:st|nd|rd|th)?(?![\p{N}_@]|[.,:/]\d)/gu
/** The unit after a number. */
const UNIT = /^(?:[ -]?)(\p{L}+)/u
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  K: 1e3,
  M: 1e6,
  bn: 1e9,
  hundred: 1e2,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
}

/** Finds numbers in digits and in words, amounts of money and percentages. The unit is the word that follows. */
export function findNumbers(prompt: string, words: readonly Word[]): Piece[] {
  return [...inFigures(prompt), ...spelledNumbers(words)].map((found) => withUnit(prompt, found)).concat(findDurations(prompt))
}

function inFigures(prompt: string): Piece[] {
  return [...prompt.matchAll(NUMBER)].map((match) => {
    const { currency, sign = '', digits = '', scale = '', percent } = match.groups as Record<string, string | undefined>
    const kind: Kind = currency !== undefined ? 'money' : percent !== undefined ? 'percent' : 'number'
    const number = Number(sign + digits.replaceAll(',', '')) * (SCALES[scale.trim()] ?? 1)
    return { kind, text: match[0], start: match.index, end: match.index + match[0].length, number }
  })
}

function withUnit(prompt: string, found: Piece): Piece {
  const unit = UNIT.exec(prompt.slice(found.end, found.end + 40))?.[1]
  if (unit === undefined) return found
  const seconds = found.number === undefined ? undefined : secondsOf(unit)
  const kind = found.kind === 'number' && isoCodeOf(unit.replace(/s?$/, unit.length > 3 ? 's' : ''))?.length === 3 ? 'money' : found.kind
  return { ...found, kind, unit: stem(unit.toLowerCase()), ...(seconds !== undefined && { seconds: (found.number as number) * seconds }) }
}

const SPELLED: ReadonlyMap<string, number> = new Map([
  ...'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, n) => [word, n] as const),
  ...'twenty thirty forty fifty sixty'.split(' ').map((word, n) => [word, 20 + 10 * n] as const),
  ['dozen', 12],
])

/** Finds "three" and "a dozen". "One" is left out, because it is rarely a number. */
function spelledNumbers(words: readonly Word[]): Piece[] {
  return words.flatMap(({ lower, start, end }): Piece[] => {
    const number = SPELLED.get(lower)
    return number === undefined || number === 1 ? [] : [{ kind: 'number', text: String(number), start, end, number }]
  })
}

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
function findDurations(prompt: string): Piece[] {
  return [...prompt.matchAll(DURATION)].map(({ 0: text, index, groups: { count, unit = '', half, hours, minutes } = {} }) => {
    const single = /^half/i.test(count ?? '') ? 0.5 : half === undefined ? 1 : 1.5
    const seconds = count === undefined ? Number(hours) * 3_600 + Number(minutes) * 60 : single * (secondsOf(unit) ?? 0)
    return { kind: 'number', text, start: index, end: index + text.length, seconds }
  })
}

/** Returns the number of seconds of a unit of time, or undefined. */
function secondsOf(unit: string): number | undefined {
  return UNITS.find(([, names]) => names.test(unit.toLowerCase()))?.[0]
}

/** Returns a duration in the unit of a slot: 1800 for "30 minutes" when the slot counts seconds. Undefined when the slot shows no unit. */
export function durationFor({ schema: { description = '' }, path }: Slot, { seconds }: Piece): number | undefined {
  if (seconds === undefined || /\bunix\b/i.test(description)) return undefined
  const words = `${path.at(-1)?.replaceAll('_', ' ')} ${description}`.match(/\b(?:milliseconds?|seconds?|minutes?|hours?|days?)\b/gi)
  const unit = secondsOf(words?.[0] ?? '')
  return unit === undefined ? undefined : Math.round((seconds / unit) * 1_000) / 1_000
}
