import type { ArgumentInput } from '@onward/predict'
import type { Log, Metrics } from '@onward/runtime'
import type { Kysely } from 'kysely'
import type { Callable, Functions } from '../../catalog/functions.ts'
import type { ModelSettings } from '../../config.ts'
import type { Tables } from '../../db/tables.ts'
import { type Advice, advise, type Question } from './advise.ts'
import { askForCall } from './choosing/ask-for-call.ts'
import { openEmbeddings } from './embeddings/embeddings.ts'
import { helpOf } from './server/help-of.ts'
import { openModelServer } from './server/model-server.ts'

/** A model server's help. It never fails: when the server is slow, down or wrong there is just no help, after five seconds at the latest. */
export type Model = {
  /** So many functions of the offline ranking are of use to `advise`. */
  readonly candidates: number
  /** A better ranking, or the offline one as it is. */
  advise(question: Question): Promise<Advice>
  /** The arguments that a model gives one function; {} when it is of no help. `gone` is aborted when nobody waits any more. */
  fill(input: ArgumentInput, callable: Callable, gone: AbortSignal): Promise<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

export type ModelParts = {
  readonly db: Kysely<Tables>
  functions(): Functions
  readonly metrics: Metrics
  readonly log: Log
}

const DEADLINE_MS = 5_000
const CANDIDATES = 50

export async function openModel(settings: ModelSettings, { db, functions, metrics, log }: ModelParts): Promise<Model> {
  const server = openModelServer({ settings, metrics, log })
  const { name, embeddingModel } = settings
  const embeddings = embeddingModel === undefined ? undefined : await openEmbeddings({ db, server, model: embeddingModel, functions, log })
  return {
    candidates: CANDIDATES,
    advise: (question) => advise({ server: name === undefined ? undefined : server, embeddings, log, deadlineMs: DEADLINE_MS }, question),
    async fill(input, callable, gone) {
      if (name === undefined || input.prompt === null) return {}
      let args: Readonly<Record<string, unknown>> = {}
      await helpOf(log, DEADLINE_MS, gone, async (signal) => {
        const choice = await askForCall(server, [callable], { input, purpose: 'fill', signal })
        if (typeof choice === 'string') return
        args = choice.arguments
        args = await choice.mended()
      })
      return args
    },
    async close() {
      await embeddings?.close()
      await server.close()
    },
  }
}
