import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { selectEmbeddings } from '../../../db/embeddings.ts'
import type { Tables } from '../../../db/tables.ts'
import type { Search } from './search.ts'

/** Rows that are read at once, and vectors that are compared before others have their turn. */
const STEP = 500

/** Searches in this process, which holds every vector: 6 MB per 1 000 functions at 1 536 numbers. */
export function openMemorySearch(db: Kysely<Tables>, model: string): Search {
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

/** The vector of length 1 in the same direction. */
function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector))
  return length === 0 ? vector : vector.map((each) => each / length)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let place = 0; place < a.length; place++) sum += (a[place] as number) * (b[place] as number)
  return sum
}
