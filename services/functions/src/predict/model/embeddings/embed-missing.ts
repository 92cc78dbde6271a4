import type { Kysely } from 'kysely'
import { insertEmbeddings, keepEmbeddings, selectEmbedded } from '../../../db/embeddings.ts'
import type { Tables } from '../../../db/tables.ts'
import { isOwnFault } from '../server/is-own-fault.ts'
import { ModelError } from '../server/model-error.ts'
import type { ModelServer } from '../server/model-server.ts'
import { within } from '../server/within.ts'
import type { EmbeddedText } from './embedded-text.ts'

/** Texts of one request, where the server takes as many. */
const BATCH = 64
/** So many texts that the server does not even take alone are passed over; with more it is no matter of the texts. */
const MAX_REFUSED = 10
const LONGEST_MS = 60_000

type Parts = { readonly db: Kysely<Tables>; readonly server: Pick<ModelServer, 'embed'>; readonly model: string }

/**
 * Sees to it that each of these texts has an embedding in Postgres, and that what nobody uses goes. Other processes may be at the
 * same work: each begins somewhere else and looks again before each request. Throws when a request fails, or at the end when the server did not
 * take some texts; what was stored stays.
 */
export async function embedMissing({ db, server, model }: Parts, texts: readonly EmbeddedText[], signal: AbortSignal): Promise<void> {
  const hashes = texts.map(({ hash }) => hash)
  await keepEmbeddings(db, model, hashes)
  const stored = await selectEmbedded(db, model, hashes)
  const missing = turned(texts.filter(({ hash }) => !stored.has(hash)))
  let most = BATCH
  let from = 0
  const refused: ModelError[] = []
  while (from < missing.length && refused.length < MAX_REFUSED && !signal.aborted) {
    const batch = missing.slice(from, from + most)
    const there = await selectEmbedded(
      db,
      model,
      batch.map(({ hash }) => hash),
    )
    const wanted = batch.filter(({ hash }) => !there.has(hash))
    const vectors = await embed(wanted)
    if (vectors instanceof ModelError && wanted.length > 1) {
      most = Math.ceil(wanted.length / 2)
      continue
    }
    if (vectors instanceof ModelError) {
      refused.push(vectors)
      most = BATCH
    } else if (vectors.length > 0) {
      const rows = wanted.map(({ hash }, place) => ({ hash, vector: vectors[place] as number[] }))
      await insertEmbeddings(db, model, rows)
    }
    from += batch.length
  }
  if (refused[0] !== undefined) throw refused[0]

  /** Their vectors, or that the server does not take these, or not as many at once. */
  async function embed(wanted: readonly EmbeddedText[]): Promise<number[][] | ModelError> {
    if (wanted.length === 0) return []
    const texts = wanted.map(({ text }) => text)
    try {
      // The client library leaves its listener on the signal that it is given.
      return await within(LONGEST_MS, signal, (ending) => server.embed('embed_functions', texts, ending))
    } catch (err) {
      if (err instanceof ModelError && isOwnFault(err)) return err
      throw err
    }
  }
}

function turned<T>(items: readonly T[]): T[] {
  const from = Math.floor(Math.random() * items.length)
  return [...items.slice(from), ...items.slice(0, from)]
}
