/** Distinct terms, each with what it weighs. */
export type Bag = { readonly terms: Uint32Array; readonly weights: Float32Array }

/** Counts lists of terms into one bag; each list counts by its weight. */
export function bagOf(...lists: readonly (readonly [terms: readonly number[], weight: number])[]): Bag {
  const counts = new Map<number, number>()
  for (const [terms, weight] of lists) {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight)
  }
  return { terms: Uint32Array.from(counts.keys()), weights: Float32Array.from(counts.values()) }
}
