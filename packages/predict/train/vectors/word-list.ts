import { STOP_WORDS } from '../../src/words/stop-words.ts'
import { words } from '../../src/words/words.ts'
import { MODERN_WORDS } from './modern-words.ts'

/** The words to learn: as many of `english` (the most frequent first) as `count`, then those of the lexicon, of applications and of the texts that are not among them. */
export function wordList(english: readonly string[], count: number, lexicon: readonly string[], texts: readonly string[]): string[] {
  const frequent = english.filter((word) => /^[a-z][a-z0-9]+$/.test(word)).slice(0, count)
  const known = new Set(frequent)
  const added = [...MODERN_WORDS, ...lexicon, ...seldom(texts)].filter((word) => /^[a-z]{3,18}$/.test(word) && !known.has(word))
  return [...frequent, ...new Set(added)]
}

/** What stands in a single text only is as a rule a name, or wrong. */
function seldom(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const word of texts.flatMap((text) => [...new Set(words(text))])) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].flatMap(([word, count]) => (count > 1 && !STOP_WORDS.has(word) ? word : []))
}
