import { setImmediate } from 'node:timers/promises'
import { enablePgvector, selectEmbeddings, selectNearest } from '../../db/embeddings.ts'
import type { Db } from '../../db/tables.ts'

/** Finds the functions whose embeddings are nearest to a vector. */
type Search = {
  /** Loads the embeddings of these texts and discards all others. */
  load(hashes: readonly string[]): Promise<void>
  /** Returns the hashes of at most `count` texts, nearest first. They may include texts that were not loaded. */
  nearest(vector: readonly number[], count: number): Promise<string[]>
}

/** Searches in Postgres if it has pgvector, otherwise in memory. */
export async function openSearch(db: Db, model: string): Promise<Search> {
  if (!(await enablePgvector(db))) return openMemorySearch(db, model)
  return { load: async () => {}, nearest: (vector, count) => selectNearest(db, model, vector, count) }
}

/** The number of rows per query, and of vectors that are compared before other work can run. */
const STEP = 500

/** Searches in memory: 6 MB per 1,000 functions with 1,536 dimensions. */
function openMemorySearch(db: Db, model: string): Search {
  let vectors: ReadonlyMap<string, Float32Array> = new Map()

  return {
    async load(hashes) {
      const next = new Map<string, Float32Array>()
      for (const hash of hashes) {
        const known = vectors.get(hash)
        if (known !== undefined) next.set(hash, known)
      }
      const missing = hashes.filter((hash) => !next.has(hash))
      for (let from = 0; from < missing.length; from += STEP) {
        for (const { hash, vector } of await selectEmbeddings(db, model, missing.slice(from, from + STEP))) next.set(hash, unit(vector))
      }
      vectors = next
    },
    async nearest(vector, count) {
      const wanted = unit(Float32Array.from(vector))
      const found: { hash: string; cosine: number }[] = []
      let compared = 0
      for (const [hash, each] of vectors) {
        if (each.length === wanted.length) found.push({ hash, cosine: dot(wanted, each) })
        if (++compared % STEP === 0) await setImmediate()
      }
      return found
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, count)
        .map(({ hash }) => hash)
    },
  }
}

/** Scales a vector to length 1. */
function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector))
  return length === 0 ? vector : vector.map((each) => each / length)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let place = 0; place < a.length; place++) sum += (a[place] as number) * (b[place] as number)
  return sum
}
