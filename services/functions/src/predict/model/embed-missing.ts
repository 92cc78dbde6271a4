import type { FunctionText } from '../../catalog/function-text.ts'
import { insertEmbeddings, refreshEmbeddings, selectEmbedded } from '../../db/embeddings.ts'
import type { Db } from '../../db/tables.ts'
import { isRequestFault, ModelError, within } from './model-error.ts'
import type { ModelServer } from './model-server.ts'

/** The number of texts per request. It is halved when the server refuses so many. */
const BATCH = 64
/** A text that the server refuses alone is skipped. After so many, the cause is not the texts, and the run fails. */
const MAX_REFUSED = 10
const MAX_MS = 60_000

type Parts = { readonly db: Db; readonly server: Pick<ModelServer, 'embed'>; readonly model: string }

/**
 * Makes sure that each text has an embedding in Postgres, and deletes unused embeddings. Other processes may do the same, so each starts at
 * a random text and reads again what is missing before each request. Throws when a request fails, or at the end when the server refused
 * some texts. Stored embeddings stay.
 */
export async function embedMissing({ db, server, model }: Parts, texts: readonly FunctionText[], signal: AbortSignal): Promise<void> {
  const hashes = texts.map(({ hash }) => hash)
  await refreshEmbeddings(db, model, hashes)
  const stored = await selectEmbedded(db, model, hashes)
  const missing = rotated(texts.filter(({ hash }) => !stored.has(hash)))
  let batchSize = BATCH
  let from = 0
  const refused: ModelError[] = []
  while (from < missing.length && refused.length < MAX_REFUSED && !signal.aborted) {
    const batch = missing.slice(from, from + batchSize)
    const storedSince = await selectEmbedded(
      db,
      model,
      batch.map(({ hash }) => hash),
    )
    const wanted = batch.filter(({ hash }) => !storedSince.has(hash))
    const vectors = await embed(wanted)
    if (vectors instanceof ModelError && wanted.length > 1) {
      batchSize = Math.ceil(wanted.length / 2)
      continue
    }
    if (vectors instanceof ModelError) {
      refused.push(vectors)
      batchSize = BATCH
    } else if (vectors.length > 0) {
      const rows = wanted.map(({ hash }, place) => ({ hash, vector: vectors[place] as number[] }))
      await insertEmbeddings(db, model, rows)
    }
    from += batch.length
  }
  if (refused[0] !== undefined) throw refused[0]

  /** Returns the vectors, or the error when the server refused these texts or their number. */
  async function embed(wanted: readonly FunctionText[]): Promise<number[][] | ModelError> {
    if (wanted.length === 0) return []
    const texts = wanted.map(({ text }) => text)
    try {
      // The client library does not remove its listener from the signal, so it gets a separate signal.
      return await within(MAX_MS, signal, (ending) => server.embed('embed_functions', texts, ending))
    } catch (err) {
      if (err instanceof ModelError && isRequestFault(err)) return err
      throw err
    }
  }
}

/** Returns the items from a random one on, followed by those before it. */
function rotated<T>(items: readonly T[]): T[] {
  const from = Math.floor(Math.random() * items.length)
  return [...items.slice(from), ...items.slice(0, from)]
}
