import type { Bag } from './bag.ts'

const K1 = 1.2

/** Okapi BM25 (Robertson and Zaragoza 2009) over documents by number; what each term adds is worked out beforehand. */
export type Bm25 = {
  /** How much a term tells documents apart. For one in no document, -1 too, the most that a term can. */
  idf(term: number): number
  /** Adds to each document's score what the terms are worth. */
  add(terms: readonly number[], scores: Float32Array): void
  /** Each document's score by the best of several lists of terms. `one` is all zero before and after. */
  addBest(lists: readonly (readonly number[])[], scores: Float32Array, one: Float32Array): void
}

type Options = {
  /** One more than the highest term. */
  readonly size: number
  /** 0 to 1: how much of a document's length is held against it. */
  readonly lengthCounts?: number
  /** Changes what a term weighs. */
  readonly idf?: (term: number, own: number) => number
}

/** Yields where other work may come between. */
export function* buildBm25(
  documents: readonly Bag[],
  { size, lengthCounts = 0.75, idf = (_, own) => own }: Options,
): Generator<void, Bm25> {
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
    // What is known of a term from another catalog must make no difference.
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
