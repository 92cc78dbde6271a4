import { setImmediate } from 'node:timers/promises'
import { type Log, openLoop } from '@onward/runtime'
import type { Kysely } from 'kysely'
import type { Callable, Functions } from '../../../catalog/functions.ts'
import { selectEmbedded } from '../../../db/embeddings.ts'
import type { Tables } from '../../../db/tables.ts'
import { helpOf } from '../server/help-of.ts'
import { ModelError } from '../server/model-error.ts'
import type { ModelServer } from '../server/model-server.ts'
import { embedMissing } from './embed-missing.ts'
import { embeddedText } from './embedded-text.ts'
import { openSearch } from './open-search.ts'

export type Embeddings = {
  /** The functions of the catalog nearest to a prompt, nearest first, by number; [] when it can't be told, or not in time. */
  nearest(prompt: string, functions: Functions, count: number, signal: AbortSignal): Promise<number[]>
  close(): Promise<void>
}

export type EmbeddingsParts = {
  readonly db: Kysely<Tables>
  readonly server: Pick<ModelServer, 'embed'>
  readonly model: string
  functions(): Functions
  readonly log: Log
}

const LOOK_MS = 1_000
/** A catalog that stays as it is is looked at all the same, so that its embeddings count as used. */
const AGAIN_MS = 3_600_000
/** Longer is not waited for the embedding of a prompt. */
const PROMPT_MS = 1_500
/** After a failure. */
const PAUSE_MS = 10_000
const STEP = 500
/** The share of functions that must have an embedding: with fewer the search would only prefer those that have. */
const ENOUGH = 0.9

/** What the search is ready for. */
type Ready = { readonly functions: Functions; readonly numbers: ReadonlyMap<string, readonly number[]>; readonly at: number }

/** Embeds the catalog in the background, and again what changes in it. */
export async function openEmbeddings({ db, server, model, functions, log }: EmbeddingsParts): Promise<Embeddings> {
  const search = await openSearch(db, model)
  let ready: Ready | undefined
  let complete = false
  let pausedUntil = 0
  const loop = openLoop(LOOK_MS, follow, log, 'at once')

  async function follow(signal: AbortSignal): Promise<void> {
    const now = functions()
    if (Date.now() < pausedUntil) return
    if (complete && ready?.functions === now && Date.now() - ready.at < AGAIN_MS) return
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
      if (err.failure !== 'not_asked' && err.failure !== 'gone') log.warn({ err }, 'functions could not be embedded; it is tried again')
    }
    const hashes = [...texts.keys()]
    const stored = await selectEmbedded(db, model, hashes)
    if (stored.size < ENOUGH * hashes.length) return
    await search.load(hashes)
    ready = { functions: now, numbers: new Map([...texts].map(([hash, { numbers }]) => [hash, numbers])), at: Date.now() }
  }

  return {
    async nearest(prompt, wanted, count, signal) {
      // The catalog has just changed: numbers of the one before would name other functions.
      if (ready?.functions !== wanted) return []
      const { numbers } = ready
      const found = await helpOf(log, PROMPT_MS, signal, async (ending) => {
        const [vector = []] = await server.embed('embed_prompt', [prompt], ending)
        return await search.nearest(vector, count)
      })
      return (found ?? []).flatMap((hash) => numbers.get(hash) ?? [])
    },
    close: () => loop.close(),
  }
}

/** The texts of functions by hash, with the numbers of those that have each. */
async function textsOf(all: readonly Callable[]) {
  const texts = new Map<string, { text: ReturnType<typeof embeddedText>; numbers: number[] }>()
  for (const [number, { fn }] of all.entries()) {
    if (number % STEP === STEP - 1) await setImmediate()
    const text = embeddedText(fn)
    const known = texts.get(text.hash)
    if (known === undefined) texts.set(text.hash, { text, numbers: [number] })
    else known.numbers.push(number)
  }
  return texts
}
