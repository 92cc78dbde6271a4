import type { Piece } from './piece.ts'
import type { Word } from './prompt.ts'

/** Short words inside names: "Proof of Work", "The Catcher in the Rye". */
const INSIDE = new Set(['of', 'de', 'la', 'del', 'von', 'van', 'der', 'the', 'in', 'for', 'to', 'on', 'at', 'du', 'le'])
/** Capitalized words that do not begin a name. */
const NOT_NAMES = new Set(
  "i the a an my our your his her their this that these those it we you he she they also please can could would will should what which who when where why how is are do does and or but if in on at for from to with of by as id api url ip ok yes no hi hello i'm i've i'd i'll let's what's here's there's it's don't".split(
    ' ',
  ),
)

/**
 * Finds runs of capitalized words, which may contain words such as "of the". Also finds each half of "Bridge of Sighs", which may be two
 * values.
 */
export function findNames(words: readonly Word[]): Piece[] {
  const found: Piece[] = []
  for (let at = 0; at < words.length; at++) {
    if (!opensName(words, at)) continue
    let end = at
    let plain = at
    let hasInside = false
    for (let next = at + 1; next < words.length; next++) {
      const word = words[next] as Word
      if (!/^(?: |-|\. |\.|&| & |')$/.test(word.before) || (/^\. $/.test(word.before) && (words[next - 1] as Word).text.length > 2)) break
      if (isCapital(word) || (/^\p{N}+$/u.test(word.text) && next === end + 1)) {
        if (next === end + 1 && !hasInside) plain = next
        end = next
      } else if (INSIDE.has(word.lower) && next - end <= 2) {
        hasInside = true
      } else break
    }
    const run = span(words, at, end)
    found.push(run)
    if (plain < end) found.push(span(words, at, plain), ...rest(words, plain + 1, end))
    at = end
  }
  return found
}

function rest(words: readonly Word[], from: number, to: number): Piece[] {
  const starts = words.slice(from, to + 1).findIndex((_, at) => opensName(words, from + at))
  return starts < 0 ? [] : [span(words, from + starts, to)]
}

function span(words: readonly Word[], from: number, to: number): Piece {
  const [first, last] = [words[from] as Word, words[to] as Word]
  const text = words
    .slice(from, to + 1)
    .map((word, n) => (n === 0 ? '' : word.before) + word.text)
    .join('')
  return { kind: 'name', text, start: first.start, end: last.end }
}

function isCapital({ text, lower }: Word): boolean {
  return /^\p{Lu}/u.test(text) && !NOT_NAMES.has(lower)
}

/** The first word of a sentence is always capitalized and mostly a verb, so it does not begin a name. */
function opensName(words: readonly Word[], at: number): boolean {
  const word = words[at] as Word
  const next = words[at + 1]
  const first = at === 0 || /[.!?:\n]/.test(word.before)
  // "Move it to In Progress".
  const isPhrase = !first && /^\p{Lu}\p{Ll}/u.test(word.text) && next?.before === ' ' && isCapital(next)
  return (isCapital(word) && (!first || (at > 0 && /:/.test(word.before)))) || isPhrase
}
