import { distance } from 'fastest-levenshtein'

/** Returns the known word that is closest to a misspelt one, if one is close enough to be meant. Ignores case. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .filter((candidate) => Math.abs(candidate.length - word.length) <= 3)
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined
}
