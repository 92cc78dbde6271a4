import { stemmer } from 'stemmer'

const MAX_KNOWN = 50_000
const known = new Map<string, string>()

/** The stem (Porter) of one lower-case word. */
export function stem(word: string): string {
  const before = known.get(word)
  if (before !== undefined) return before
  if (known.size >= MAX_KNOWN) known.clear()
  const made = stemmer(word)
  known.set(word, made)
  return made
}
