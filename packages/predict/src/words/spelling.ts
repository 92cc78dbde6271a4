/** Returns whether two words differ by one letter that is missing, added, wrong, or swapped with the next one. */
export function isOneEdit(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const [rest, otherRest] = [one.slice(at), other.slice(at)]
  return (
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    rest.slice(1) === otherRest.slice(1) ||
    (rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2))
  )
}

/** The words of a catalog, to find which word a misspelled word means. */
export type Spelling = { has(word: string): boolean; near(word: string): readonly string[] }

/** `counts` tells how often the catalog has each word: of two words, the more frequent one is meant. */
export function openSpelling(counts: ReadonlyMap<string, number>): Spelling {
  const byLetter = new Map<string, string[]>()
  for (const [word] of [...counts].sort((a, b) => b[1] - a[1])) {
    // The first letter is seldom wrong.
    const letter = word.slice(0, 1)
    const list = byLetter.get(letter)
    if (list === undefined) byLetter.set(letter, [word])
    else list.push(word)
  }
  return { has: (word) => counts.has(word), near: (word) => byLetter.get(word.slice(0, 1)) ?? [] }
}
