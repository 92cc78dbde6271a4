/** Returns the known word that is closest to a misspelt one, if one is close enough to be meant. Ignores case. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3))
  return within(word, known, () => most)[0]
}

/**
 * Returns known names that may be meant by a misspelt name, best first: names one or two edits away, or else names with the same words.
 * The first word counts most, because the name of a function begins with that of its app.
 */
export function nearestAll(name: string, known: readonly string[], count = 3): string[] {
  if (name.length > MAX_NAME) return []
  const close = within(name, known, misspellingEdits(name))
  if (close.length > 0) return close.slice(0, count)
  const words = wordsOf(name)
  return known
    .map((candidate) => ({ candidate, others: wordsOf(candidate) }))
    .map(({ candidate, others }) => ({ candidate, shared: sharedWords(words, others), first: Number(words[0] === others[0]) }))
    .filter(({ shared, first }) => shared + first / 10 >= 0.5)
    .sort((a, b) => b.first - a.first || b.shared - a.shared)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

/** A longer name is not compared, because that takes long and it is hardly a misspelling. */
const MAX_NAME = 100

function wordsOf(name: string): string[] {
  const words = name.toLowerCase().split(/[^a-z0-9]+/)
  return [...new Set(words.filter((word) => word !== ''))]
}

/** Returns the share of common words among all words of both. */
function sharedWords(words: readonly string[], others: readonly string[]): number {
  const common = words.filter((word) => others.includes(word)).length
  return common / (words.length + others.length - common || 1)
}

/** Two short words are often only two edits apart without being misspellings, such as `state` and `status`. */
const SHORT = 6

/**
 * Returns the known name that differs from `name` by at most two edits, or by one if either name is shorter than `SHORT`. Ignores case.
 * It is stricter than `nearest`, because a name that it corrects is refused.
 */
export function correctName(name: string, known: readonly string[]): string | undefined {
  return within(name, known, misspellingEdits(name))[0]
}

function misspellingEdits(name: string): (candidate: string) => number {
  return (candidate) => (Math.min(name.length, candidate.length) < SHORT ? 1 : 2)
}

/** Returns the known words that are at most `mostEdits` edits away, nearest first. */
function within(word: string, known: readonly string[], mostEdits: (candidate: string) => number): string[] {
  return known
    .map((candidate) => ({ candidate, most: mostEdits(candidate) }))
    .filter(({ candidate, most }) => Math.abs(candidate.length - word.length) <= Math.min(3, most))
    .map(({ candidate, most }) => ({ candidate, most, edits: countEdits(word.toLowerCase(), candidate.toLowerCase(), most) }))
    .filter(({ edits, most }) => edits <= most)
    .sort((a, b) => a.edits - b.edits)
    .map(({ candidate }) => candidate)
}

/**
 * Returns the optimal string alignment distance: the number of insertions, deletions, replacements and swaps of neighbours. The
 * Levenshtein distance counts a swap as two edits, so the most common typo would get no suggestion in a short word. Returns any number
 * above `most` for a greater distance: a name is compared with a thousand others, most of them very different.
 */
function countEdits(a: string, b: string, most: number): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replace, swap))
    }
    if (Math.min(...next) > most) return most + 1
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
