import type { Kysely } from 'kysely'
import { hasVectors, selectNearest } from '../../../db/embeddings.ts'
import type { Tables } from '../../../db/tables.ts'
import { openMemorySearch } from './memory-search.ts'
import type { Search } from './search.ts'

/** Searches in Postgres where it has pgvector, and in memory where it has not. */
export async function openSearch(db: Kysely<Tables>, model: string): Promise<Search> {
  if (!(await hasVectors(db))) return openMemorySearch(db, model)
  return { load: async () => {}, nearest: (vector, count) => selectNearest(db, model, vector, count) }
}
