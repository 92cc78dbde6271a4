import { stem } from '../../words/stems.ts'
import { findDurations, secondsOf } from './durations.ts'
import { isoCodeOf } from './gazetteer.ts'
import type { Kind, Piece } from './piece.ts'
import type { Word } from './prompt.ts'
import { spelledNumbers } from './spelled-numbers.ts'

const NUMBER =
  /(?<![\p{L}\p{N}_.@/]|\d[-,:])(?<currency>[$€£¥₹] ?)?(?<sign>-(?=\d))?(?<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?<scale>k|K|M|bn)?(?<percent> ?%| percent\b)?(?:st|nd|rd|th)?(?![\p{N}_@]|[.,:/]\d)/gu
/** The unit after a number. */
const UNIT = /^(?:[ -]?)(\p{L}+)/u
const SCALES: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, bn: 1e9 }
const SCALE_WORDS: Readonly<Record<string, number>> = { hundred: 1e2, thousand: 1e3, million: 1e6, billion: 1e9 }

/** Finds numbers in digits and in words, amounts of money and percentages. The unit is the word that follows. */
export function findNumbers(prompt: string, words: readonly Word[]): Piece[] {
  return [...inFigures(prompt), ...pairs(prompt), ...spelledNumbers(words)]
    .map((found) => withUnit(prompt, found))
    .concat(findDurations(prompt))
}

function inFigures(prompt: string): Piece[] {
  return [...prompt.matchAll(NUMBER)].flatMap((match) => {
    const { currency, sign = '', digits = '', scale, percent } = match.groups as Record<string, string | undefined>
    const after = prompt.slice(match.index + match[0].length)
    if (scale === undefined && /^\p{L}/u.test(after) && !ATTACHED_UNIT.test(after)) return []
    const word = /^ (hundred|thousand|million|billion)\b/.exec(after)
    const times = (scale === undefined ? 1 : (SCALES[scale] ?? 1)) * (word === null ? 1 : (SCALE_WORDS[word[1] as string] ?? 1))
    const kind: Kind = currency !== undefined ? 'money' : percent !== undefined ? 'percent' : 'number'
    const end = match.index + match[0].length + (word === null ? 0 : word[0].length)
    const number = Number(sign + digits.replaceAll(',', '')) * times
    return [{ kind, text: prompt.slice(match.index, end), start: match.index, end, number }]
  })
}

/** Units that may follow a number without a space. Other letters directly after digits make it an id, not a number. */
const ATTACHED_UNIT = /^(?:st|nd|rd|th|px|kg|g|mg|km|cm|mm|mi|ft|lbs?|oz|h|hrs?|min|mins|s|ms|kb|mb|gb|tb|l|ml|w|kw|hp|m|in|usd|eur)\b/i

/** Finds both numbers of "18:24" (chapter and verse), "16:9" (ratio) and "20-30" (range). */
function pairs(prompt: string): Piece[] {
  return [...prompt.matchAll(/(?<![\p{L}\p{N}:.,/-])(\d{1,4})([:–-])(\d{1,4})(?![\p{N}:.,/-]\d|\p{N})/gu)].flatMap((match) => {
    const [, first = '', mark = '', second = ''] = match
    const next = match.index + first.length + mark.length
    return [
      { kind: 'number' as const, text: first, start: match.index, end: match.index + first.length, number: Number(first) },
      { kind: 'number' as const, text: second, start: next, end: next + second.length, number: Number(second) },
    ]
  })
}

function withUnit(prompt: string, found: Piece): Piece {
  const unit = UNIT.exec(prompt.slice(found.end, found.end + 40))?.[1]
  if (unit === undefined) return found
  const seconds = found.number === undefined ? undefined : secondsOf(unit)
  const kind = found.kind === 'number' && isoCodeOf(unit.replace(/s?$/, unit.length > 3 ? 's' : ''))?.length === 3 ? 'money' : found.kind
  return { ...found, kind, unit: stem(unit.toLowerCase()), ...(seconds !== undefined && { seconds: (found.number as number) * seconds }) }
}
