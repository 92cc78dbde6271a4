import type { Steps } from '../in-slices.ts'

/** Distinct terms with the weight of each. Plain arrays: for so few numbers, a typed array takes 200 bytes more. */
export type Bag = { readonly terms: readonly number[]; readonly weights: readonly number[] }

/** Counts the terms of several lists. Each occurrence of a term adds the `weight` of its list. */
export function bagOf(...lists: readonly (readonly [terms: readonly number[], weight: number])[]): Bag {
  const counts = new Map<number, number>()
  for (const [terms, weight] of lists) {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight)
  }
  return { terms: [...counts.keys()], weights: [...counts.values()] }
}

const K1 = 1.2

/** Okapi BM25 (Robertson and Zaragoza 2009) over numbered documents. The contribution of each term is computed when the index is built. */
export type Bm25 = {
  /** Returns the inverse document frequency of a term: the maximum for a term that is in no document, such as -1. */
  idf(term: number): number
  /** Adds the score of the terms to each document's entry in `scores`. */
  add(terms: readonly number[], scores: Float32Array): void
  /** Writes each document's best score over several lists of terms. `one` is scratch memory: all zeros before and after. */
  addBest(lists: readonly (readonly number[])[], scores: Float32Array, one: Float32Array): void
}

type Options = {
  /** One more than the highest term. */
  readonly size: number
  /** 0 to 1: how strongly a long document is penalized. */
  readonly lengthCounts?: number
  /** Replaces the idf of a term; `own` is its idf in these documents. */
  readonly idf?: (term: number, own: number) => number
}

/** Yields so that other work can run in between. */
export function* buildBm25(documents: readonly Bag[], { size, lengthCounts = 0.75, idf = (_, own) => own }: Options): Steps<Bm25> {
  const count = documents.length
  const found = new Uint32Array(size + 1)
  const lengths = new Float32Array(count)
  for (const [d, { terms, weights }] of documents.entries()) {
    for (const term of terms) (found[term] as number) += 1
    lengths[d] = weights.reduce((sum, weight) => sum + weight, 0)
    yield
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, count) || 1
  const idfs = new Float32Array(size)
  const unknown = idf(-1, ownIdf(0))
  const starts = new Uint32Array(size + 1)
  for (let term = 0; term < size; term++) {
    starts[term + 1] = (starts[term] as number) + (found[term] as number)
    // A term that only another catalog knows is treated like an unknown term, so that rankings do not depend on other catalogs.
    idfs[term] = found[term] === 0 ? unknown : idf(term, ownIdf(found[term] as number))
  }
  yield
  const next = starts.slice()
  const postings = new Uint32Array(starts[size] as number)
  const impacts = new Float32Array(postings.length)
  for (const [d, { terms, weights }] of documents.entries()) {
    const norm = K1 * (1 - lengthCounts + (lengthCounts * (lengths[d] as number)) / average)
    for (let k = 0; k < terms.length; k++) {
      const [term, weight] = [terms[k] as number, weights[k] as number]
      const at = next[term] as number
      next[term] = at + 1
      postings[at] = d
      impacts[at] = ((idfs[term] as number) * weight * (K1 + 1)) / (weight + norm)
    }
    yield
  }

  function ownIdf(documentsWithTerm: number): number {
    return Math.log(1 + (count - documentsWithTerm + 0.5) / (documentsWithTerm + 0.5))
  }

  function add(terms: readonly number[], scores: Float32Array): void {
    for (const term of terms) {
      const end = starts[term + 1] as number
      for (let p = starts[term] as number; p < end; p++) (scores[postings[p] as number] as number) += impacts[p] as number
    }
  }

  return {
    idf: (term) => (term < 0 || term >= size ? unknown : (idfs[term] as number)),
    add,
    addBest(lists, scores, one) {
      for (const terms of lists) {
        add(terms, one)
        for (const term of terms) {
          const end = starts[term + 1] as number
          for (let p = starts[term] as number; p < end; p++) {
            const d = postings[p] as number
            if ((one[d] as number) > (scores[d] as number)) scores[d] = one[d] as number
            one[d] = 0
          }
        }
      }
    },
  }
}
