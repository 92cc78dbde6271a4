/** Returns the known word that is closest to a misspelt one, if one is close enough to be meant. Ignores case. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3))
  return closest(word, known, () => most)
}

/** Two short words are often only two edits apart without being misspellings, such as `state` and `status`. */
const SHORT = 6

/**
 * Returns the known name of which `name` is a misspelling, ignoring case: at most two edits away, or one if either name is shorter than
 * `SHORT`. Stricter than `nearest`, so that it can decide whether a name is refused.
 */
export function correctName(name: string, known: readonly string[]): string | undefined {
  return closest(name, known, (candidate) => (Math.min(name.length, candidate.length) < SHORT ? 1 : 2))
}

/** Returns the known word with the fewest edits, among those that need at most `mostEdits`. */
function closest(word: string, known: readonly string[], mostEdits: (candidate: string) => number): string | undefined {
  const [best] = known
    .filter((candidate) => Math.abs(candidate.length - word.length) <= 3)
    .map((candidate) => ({ candidate, edits: countEdits(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= mostEdits(candidate))
    .sort((a, b) => a.edits - b.edits)
  return best?.candidate
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
