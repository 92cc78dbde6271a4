import type { ArgumentInput } from '@onward/predict'
import type { Log } from '@onward/runtime'
import type { Callable, Functions } from '../../catalog/functions.ts'
import type { ModelSettings } from '../../config.ts'
import type { Db } from '../../db/tables.ts'
import type { ModelMetrics } from '../../metrics.ts'
import { type Advice, advise, type Question } from './advise.ts'
import { openChooser } from './choose.ts'
import { openEmbeddings } from './embeddings.ts'
import { fill } from './fill.ts'
import { askModel } from './model-error.ts'
import { openPhrasingWriter } from './write-phrasings.ts'

/** Predictions with a model server. The methods never throw. If the server fails or is slow, they return what the offline ranking says. */
export type Model = {
  /** The number of functions of the offline ranking that `advise` can use. */
  readonly candidates: number
  /** Returns a better ranking, or the offline ranking unchanged. */
  advise(question: Question): Promise<Advice>
  /** Returns the arguments that the model suggests, or `{}`. `gone` aborts when the client disconnects. */
  fill(input: ArgumentInput, callable: Callable, gone: AbortSignal): Promise<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

type ModelParts = {
  readonly db: Db
  functions(): Functions
  readonly metrics: ModelMetrics
  readonly log: Log
}

/** Returns undefined when no model server is configured. */
export async function openModel(settings: ModelSettings | undefined, parts: ModelParts): Promise<Model | undefined> {
  if (settings === undefined) return undefined
  const { db, functions, metrics, log } = parts
  // Loaded only when needed, because the client library is large.
  const { openModelServer } = await import('./model-server.ts')
  const server = openModelServer({ settings, metrics, log })
  const { name, embeddingModel, requestTokens, timeoutMs } = settings
  const embeddings = embeddingModel === undefined ? undefined : await openEmbeddings({ db, server, model: embeddingModel, functions, log })
  const chat = name === undefined ? undefined : { server, requestTokens, chooser: openChooser(server, requestTokens) }
  const writer = chat === undefined ? undefined : openPhrasingWriter({ db, server, requestTokens, functions, log })
  return {
    candidates: settings.offered,
    advise: (question) => advise({ settings, chat, embeddings, log }, question),
    async fill(input, callable, gone) {
      let args: Readonly<Record<string, unknown>> = {}
      if (chat === undefined || input.prompt === null) return args
      await askModel(log, timeoutMs, gone, async (signal) => {
        const turn = { signal, spent: { requests: 0, promptTokens: 0, completionTokens: 0 } }
        await fill({ ...chat, callable, input, turn }, (valid) => {
          args = valid
        })
      })
      return args
    },
    async close() {
      await embeddings?.close()
      await writer?.close()
      await server.close()
    },
  }
}
