import type { Piece } from '../find/piece.ts'
import { firstFrom, type Prompt, type Word, wordsIn } from '../find/prompt.ts'

/** The words of the same sentence around a piece, nearest first. `cue` is the word before it, without articles and the like. */
export type Surroundings = {
  readonly before: readonly Word[]
  readonly after: readonly Word[]
  readonly inside: readonly Word[]
  readonly cue: string
}

const REACH = 7
const REACH_AFTER = 3
/** Words that may stand between a name and its value without separating them. */
const LINKS = new Set('of is as to the a an with be was are named called titled that equal equals its at in for it'.split(' '))

export function surroundingsOf(found: Piece, { words }: Prompt): Surroundings {
  const first = firstFrom(words, found.whole ?? found.start)
  const next = firstFrom(words, found.end)
  const before: Word[] = []
  for (let at = first - 1; at >= 0 && before.length < REACH; at--) {
    const word = words[at] as Word
    before.push(word)
    if (/[.!?;\n]\s/.test(words[at + 1]?.before ?? '') || (/[.!?]/.test(word.before) && /\s/.test(word.before))) break
  }
  if (/[.!?;\n]\s/.test(words[first]?.before ?? '')) before.length = 0
  const after: Word[] = []
  for (let at = next; at < words.length && after.length < REACH_AFTER; at++) {
    const word = words[at] as Word
    if (/[.,!?;:\n"”]\s/.test(word.before) && !/^["”'] /.test(word.before)) break
    after.push(word)
  }
  const cue = before.find(({ lower }) => !/^(?:the|an?|my|our|your|his|her|their|this|specific|given)$/.test(lower))?.lower ?? ''
  return { before, after, inside: wordsIn(words, found.start, found.end), cue }
}

/** Returns how near the nearest matching word is: 1 when adjacent, less for each word in between except links, 0 when none matches. */
export function nearness(words: readonly Word[], named: (word: Word) => boolean): number {
  let distance = 1
  for (const word of words) {
    if (named(word)) return 1 / distance
    if (!LINKS.has(word.lower)) distance += 1
  }
  return 0
}
