import type { Piece } from './piece.ts'
import type { Word } from './prompt.ts'

const SMALL: ReadonlyMap<string, number> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, n) => [word, n]),
)
const TENS: ReadonlyMap<string, number> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, n) => [word, 20 + 10 * n]),
)
const TIMES: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
  ['dozen', 12],
])
const ORDINALS: ReadonlyMap<string, number> = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ').map((word, n) => [word, n + 1]),
)

/**
 * Finds "three", "twenty-five", "two hundred", "a dozen" and "third". "One" and "a" alone are left out, because they are rarely numbers.
 */
export function spelledNumbers(words: readonly Word[]): Piece[] {
  const found: Piece[] = []
  for (let at = 0; at < words.length; ) {
    const read = readNumber(words, at)
    if (read === null) {
      at += 1
      continue
    }
    const first = words[at] as Word
    const last = words[read.next - 1] as Word
    found.push({ kind: 'number', text: String(read.number), start: first.start, end: last.end, number: read.number })
    at = read.next
  }
  return found
}

function readNumber(words: readonly Word[], from: number): { number: number; next: number } | null {
  let total = 0
  let part: number | null = null
  let at = from
  const article = /^an?$/.test(words[from]?.lower ?? '') && TIMES.has(words[from + 1]?.lower ?? '')
  if (article) {
    part = 1
    at += 1
  }
  for (; at < words.length; at++) {
    const { lower, before } = words[at] as Word
    if (at > from && !/^[ -]$/.test(before)) break
    const small = SMALL.get(lower)
    const ten = TENS.get(lower)
    const times = TIMES.get(lower)
    if (ten !== undefined && (part === null || part % 100 === 0)) part = (part ?? 0) + ten
    else if (small !== undefined && (part === null || part % (small < 10 ? 10 : 100) === 0)) part = (part ?? 0) + small
    else if (times !== undefined && part !== null && times < 1_000) part *= times
    else if (times !== undefined && part !== null) {
      total += part * times
      part = 0
    } else break
  }
  const ordinal = at === from ? ORDINALS.get(words[from]?.lower ?? '') : undefined
  if (ordinal !== undefined && ordinal > 2) return { number: ordinal, next: from + 1 }
  if (part === null || (at - from === 1 && words[from]?.lower === 'one')) return null
  return { number: total + part, next: at }
}
