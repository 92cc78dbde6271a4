import { failureOf, type Log, type Metrics, openClient } from '@onward/runtime'
import { OpenAI } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import type { ModelSettings } from '../../../config.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { type Breaker, openBreaker } from './breaker.ts'
import { openMeasure, type Purpose } from './measure.ts'
import { ModelError } from './model-error.ts'
import { readVectors } from './read-vectors.ts'

const MEBIBYTE = 1_048_576
/** No request takes longer, whatever its signal says. */
const LONGEST_MS = 30_000

type ChatRequest = Omit<ChatCompletionCreateParamsNonStreaming, 'model'>

/** The model server, asked through the official client. All of it throws ModelErrors only. */
export type ModelServer = {
  /** What `read` makes of the one message of an answer; what it throws as `rubbish` counts as a failure of the server. */
  chat<T>(purpose: Purpose, request: ChatRequest, read: (message: unknown) => T, signal: AbortSignal): Promise<T>
  /** One vector per text, all of one length. */
  embed(purpose: Purpose, texts: readonly string[], signal: AbortSignal): Promise<number[][]>
  close(): Promise<void>
}

type Parts = { readonly settings: ModelSettings; readonly metrics: Metrics; readonly log: Log }

export function openModelServer({ settings, metrics, log }: Parts): ModelServer {
  // The address is the operator's own: it may be a private one.
  const client = openClient({
    reach: 'local',
    connectTimeoutMs: 3_000,
    timeoutMs: LONGEST_MS,
    maxRequestBytes: MEBIBYTE,
    maxAnswerBytes: 16 * MEBIBYTE,
    overflow: 'fail',
  })
  const { apiKey, baseUrl, name = '', embeddingModel = '' } = settings
  const openai = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    // The library would take each of these out of the environment.
    ...{ adminAPIKey: null, organization: null, project: null, webhookSecret: null, logLevel: 'off' },
    ...(apiKey === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    maxRetries: 0,
    timeout: LONGEST_MS,
    fetch: boundedFetch(client.http),
  })
  const measure = openMeasure(metrics)
  const breakerOf = (what: string) =>
    openBreaker(Date.now, (failure) => log.warn({ failure }, `the model server fails, and is not asked for ${what} for a while`))
  const chats = breakerOf('choices')
  const embeddings = breakerOf('embeddings')

  function ask<T>(breaker: Breaker, purpose: Purpose, signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    return measure(purpose, () =>
      breaker(async () => {
        try {
          return await request()
        } catch (err) {
          throw modelErrorOf(err, signal)
        }
      }),
    )
  }

  return {
    chat: (purpose, request, read, signal) =>
      ask(chats, purpose, signal, async () => {
        const answer: unknown = await openai.chat.completions.create({ ...request, model: name }, { signal })
        return read(messageOf(answer))
      }),
    embed: (purpose, texts, signal) =>
      ask(embeddings, purpose, signal, async () => {
        const answer: unknown = await openai.embeddings.create(
          { model: embeddingModel, input: [...texts], encoding_format: 'float' },
          { signal },
        )
        return readVectors(answer, texts.length)
      }),
    close: () => client.close(),
  }
}

function messageOf(answer: unknown): unknown {
  const [choice] = (answer as { choices?: { message?: unknown; finish_reason?: unknown }[] } | null)?.choices ?? []
  // Cut off: what is missing may be the call.
  if (choice?.finish_reason === 'length') throw new ModelError('rubbish')
  return choice?.message
}

function modelErrorOf(err: unknown, signal: AbortSignal): ModelError {
  if (err instanceof ModelError) return err
  if (signal.aborted) return new ModelError((signal.reason as Error | undefined)?.name === 'TimeoutError' ? 'late' : 'gone')
  if (err instanceof OpenAI.APIConnectionTimeoutError) return new ModelError('late')
  if (err instanceof OpenAI.APIConnectionError) return new ModelError(failureOf(err.cause)?.kind === 'timed_out' ? 'late' : 'unreachable')
  if (err instanceof OpenAI.APIError) return new ModelError('refused', err.status)
  // The body was no JSON, or of another shape than the library reads.
  return new ModelError('rubbish')
}
