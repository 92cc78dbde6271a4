/** A document as weighted terms: the same term in a title weighs more than in a description. */
export type WeightedTerms = ReadonlyMap<string, number>

/** Okapi BM25 (Robertson and Zaragoza 2009) with the usual constants. */
const K1 = 1.2
const B = 0.75

export type Bm25 = {
  /** The score of every document that shares a term with the query, by document number. */
  scores(query: readonly string[]): Map<number, number>
  /** How much a term tells documents apart; for a term in no document the most that a term can. */
  idf(term: string): number
  has(term: string): boolean
}

export function buildBm25(documents: readonly WeightedTerms[]): Bm25 {
  const lengths = documents.map((terms) => [...terms.values()].reduce((sum, weight) => sum + weight, 0))
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length)
  const postings = new Map<string, { document: number; weight: number }[]>()
  for (const [document, terms] of documents.entries()) {
    for (const [term, weight] of terms) {
      const list = postings.get(term)
      if (list === undefined) postings.set(term, [{ document, weight }])
      else list.push({ document, weight })
    }
  }

  function idf(term: string): number {
    const found = postings.get(term)?.length ?? 0
    return Math.log(1 + (documents.length - found + 0.5) / (found + 0.5))
  }

  return {
    idf,
    has: (term) => postings.has(term),
    scores(query) {
      const scores = new Map<number, number>()
      for (const term of new Set(query)) {
        const weightOfTerm = idf(term)
        for (const { document, weight } of postings.get(term) ?? []) {
          const norm = K1 * (1 - B + (B * (lengths[document] ?? 0)) / average)
          scores.set(document, (scores.get(document) ?? 0) + (weightOfTerm * weight * (K1 + 1)) / (weight + norm))
        }
      }
      return scores
    },
  }
}
