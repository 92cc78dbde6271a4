/** Returns the known word that is closest to a misspelt one, if one is close enough to be meant. Ignores case. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .filter((candidate) => Math.abs(candidate.length - word.length) <= 3)
    .map((candidate) => ({ candidate, edits: countEdits(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined
}

/**
 * Returns the optimal string alignment distance: the number of insertions, deletions, replacements and swaps of neighbours. The
 * Levenshtein distance counts a swap as two edits, so the most common typo would get no suggestion in a short word.
 */
function countEdits(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replace, swap))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
