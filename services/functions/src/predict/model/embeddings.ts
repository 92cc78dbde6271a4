import { setImmediate } from 'node:timers/promises'
import { type Log, openLoop } from '@onward/runtime'
import { functionText } from '../../catalog/function-text.ts'
import type { Callable, Functions } from '../../catalog/functions.ts'
import { selectEmbedded } from '../../db/embeddings.ts'
import type { Db } from '../../db/tables.ts'
import { embedMissing } from './embed-missing.ts'
import { askModel, ModelError } from './model-error.ts'
import type { ModelServer } from './model-server.ts'
import { openSearch } from './search.ts'

export type Embeddings = {
  /**
   * Returns the numbers of the functions nearest to a prompt, nearest first. Returns an empty list when the embeddings are not ready or the
   * request is late.
   */
  nearest(prompt: string, functions: Functions, count: number, signal: AbortSignal): Promise<number[]>
  close(): Promise<void>
}

type EmbeddingsParts = {
  readonly db: Db
  readonly server: Pick<ModelServer, 'embed'>
  readonly model: string
  functions(): Functions
  readonly log: Log
}

const CHECK_MS = 1_000
/** An unchanged catalog is checked again after this time, so that its embeddings stay marked as used. */
const REFRESH_MS = 3_600_000
/** The deadline for embedding a prompt. */
const PROMPT_MS = 1_500
/** The pause after a failure. */
const PAUSE_MS = 10_000
/** The number of functions to convert to texts before other work can run. */
const STEP = 500
/** The share of functions that need an embedding. With fewer, the search would prefer the functions that have one. */
const MIN_SHARE = 0.9

/** The catalog that the search has loaded. */
type Ready = { readonly functions: Functions; readonly numbers: ReadonlyMap<string, readonly number[]>; readonly at: number }

/** Embeds the functions of the catalog in the background, now and when they change. */
export async function openEmbeddings({ db, server, model, functions, log }: EmbeddingsParts): Promise<Embeddings> {
  const search = await openSearch(db, model)
  let ready: Ready | undefined
  let complete = false
  let pausedUntil = 0
  const loop = openLoop(CHECK_MS, follow, log, 'at once')

  async function follow(signal: AbortSignal): Promise<void> {
    const now = functions()
    if (Date.now() < pausedUntil) return
    if (complete && ready?.functions === now && Date.now() - ready.at < REFRESH_MS) return
    const texts = await textsOf(now.all)
    try {
      await embedMissing(
        { db, server, model },
        [...texts.values()].map(({ text }) => text),
        signal,
      )
      complete = true
    } catch (err) {
      complete = false
      pausedUntil = Date.now() + PAUSE_MS
      if (!(err instanceof ModelError)) throw err
      if (err.failure !== 'not_sent' && err.failure !== 'canceled') log.warn({ err }, 'functions could not be embedded; retrying in 10 s')
    }
    const hashes = [...texts.keys()]
    const stored = await selectEmbedded(db, model, hashes)
    if (stored.size < MIN_SHARE * hashes.length) return
    await search.load(hashes)
    ready = { functions: now, numbers: new Map([...texts].map(([hash, { numbers }]) => [hash, numbers])), at: Date.now() }
  }

  return {
    async nearest(prompt, wanted, count, signal) {
      // If the catalog has just changed, the numbers of the loaded embeddings belong to other functions.
      if (ready?.functions !== wanted) return []
      const { numbers } = ready
      const found = await askModel(log, PROMPT_MS, signal, async (ending) => {
        const [vector = []] = await server.embed('embed_prompt', [prompt], ending)
        return await search.nearest(vector, count)
      })
      return (found ?? []).flatMap((hash) => numbers.get(hash) ?? [])
    },
    close: () => loop.close(),
  }
}

/** Returns the texts of functions by hash, with the numbers of the functions that share each. */
async function textsOf(all: readonly Callable[]) {
  const texts = new Map<string, { text: ReturnType<typeof functionText>; numbers: number[] }>()
  for (const [number, { fn }] of all.entries()) {
    if (number % STEP === STEP - 1) await setImmediate()
    const text = functionText(fn)
    const known = texts.get(text.hash)
    if (known === undefined) texts.set(text.hash, { text, numbers: [number] })
    else known.numbers.push(number)
  }
  return texts
}
