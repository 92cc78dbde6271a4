import type { Kysely } from 'kysely'
import { insertEmbeddings, keepEmbeddings, selectEmbedded } from '../../../db/embeddings.ts'
import type { Tables } from '../../../db/tables.ts'
import type { ModelServer } from '../server/model-server.ts'
import type { EmbeddedText } from './embedded-text.ts'

/** Texts of one request. */
const BATCH = 64

type Parts = { readonly db: Kysely<Tables>; readonly server: Pick<ModelServer, 'embed'>; readonly model: string }

/**
 * Sees to it that each of these texts has an embedding in Postgres, and that what nobody uses goes. Other processes may be at the
 * same work: each begins somewhere else and looks again before each request. Throws when a request fails; what was stored stays.
 */
export async function embedMissing({ db, server, model }: Parts, texts: readonly EmbeddedText[], signal: AbortSignal): Promise<void> {
  const hashes = texts.map(({ hash }) => hash)
  await keepEmbeddings(db, model, hashes)
  const stored = await selectEmbedded(db, model, hashes)
  const missing = turned(texts.filter(({ hash }) => !stored.has(hash)))
  for (let from = 0; from < missing.length && !signal.aborted; from += BATCH) {
    const batch = missing.slice(from, from + BATCH)
    const there = await selectEmbedded(
      db,
      model,
      batch.map(({ hash }) => hash),
    )
    const wanted = batch.filter(({ hash }) => !there.has(hash))
    if (wanted.length === 0) continue
    const vectors = await server.embed(
      'embed_functions',
      wanted.map(({ text }) => text),
      signal,
    )
    await insertEmbeddings(
      db,
      model,
      wanted.map(({ hash }, place) => ({ hash, vector: vectors[place] as number[] })),
    )
  }
}

function turned<T>(items: readonly T[]): T[] {
  const from = Math.floor(Math.random() * items.length)
  return [...items.slice(from), ...items.slice(0, from)]
}
