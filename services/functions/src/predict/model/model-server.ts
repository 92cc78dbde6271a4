import { type AxiosInstance, failureOf, type Log, openClient } from '@onward/runtime'
import { OpenAI } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import type { ModelSettings } from '../../config.ts'
import type { ModelMetrics } from '../../metrics.ts'
import { type Breaker, openBreaker } from './breaker.ts'
import { ModelError, type ModelFailure } from './model-error.ts'

const MEBIBYTE = 1_048_576
/** The longest duration of a request. */
const MAX_MS = 30_000

type Purpose = 'choose' | 'fill' | 'repair' | 'embed_prompt' | 'embed_functions'

type ChatRequest = Omit<ChatCompletionCreateParamsNonStreaming, 'model'>

/** The model server, called through the official client library. All methods throw ModelErrors only. */
export type ModelServer = {
  /** Returns what `read` returns for the message of the response. An `invalid` ModelError from `read` counts as a failure of the server. */
  chat<T>(purpose: Purpose, request: ChatRequest, read: (message: unknown) => T, signal: AbortSignal): Promise<T>
  /** Returns one vector per text, all of the same length. */
  embed(purpose: Purpose, texts: readonly string[], signal: AbortSignal): Promise<number[][]>
  close(): Promise<void>
}

type Parts = { readonly settings: ModelSettings; readonly metrics: ModelMetrics; readonly log: Log }

export function openModelServer({ settings, metrics, log }: Parts): ModelServer {
  // The operator configures the address, so it may be private.
  const client = openClient({
    reach: 'local',
    connectTimeoutMs: 3_000,
    timeoutMs: MAX_MS,
    maxRequestBytes: MEBIBYTE,
    maxAnswerBytes: 16 * MEBIBYTE,
    overflow: 'fail',
  })
  const { apiKey, baseUrl, name = '', embeddingModel = '' } = settings
  const openai = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    // Without these, the library reads them from the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    ...(apiKey === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    maxRetries: 0,
    timeout: MAX_MS,
    fetch: boundedFetch(client.http),
  })
  const measure = openMeasure(metrics)
  const breakerOf = (what: string) =>
    openBreaker(Date.now, (failure) => log.warn({ failure }, `the model server keeps failing; no ${what} are requested for 30 s`))
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
  // The model stopped at its maximum length, so the call may be incomplete.
  if (choice?.finish_reason === 'length') throw new ModelError('invalid')
  return choice?.message
}

function modelErrorOf(err: unknown, signal: AbortSignal): ModelError {
  if (err instanceof ModelError) return err
  if (signal.aborted) return new ModelError((signal.reason as Error | undefined)?.name === 'TimeoutError' ? 'timed_out' : 'canceled')
  if (err instanceof OpenAI.APIConnectionTimeoutError) return new ModelError('timed_out')
  if (err instanceof OpenAI.APIConnectionError)
    return new ModelError(failureOf(err.cause)?.kind === 'timed_out' ? 'timed_out' : 'unreachable')
  if (err instanceof OpenAI.APIError) return new ModelError('refused', err.status)
  // The body was not JSON, or had an unexpected shape.
  return new ModelError('invalid')
}

const WITHOUT_BODY = [204, 205, 304]

/** Implements the part of `fetch` that the client library needs, without redirects and proxies and with size limits. */
function boundedFetch(http: AxiosInstance): typeof fetch {
  return async (input, init) => {
    const { status, headers, data } = await http.request<Buffer>({
      url: String(input),
      method: init?.method ?? 'get',
      headers: Object.fromEntries(new Headers(init?.headers)),
      data: init?.body,
      ...(init?.signal ? { signal: init.signal } : {}),
    })
    const kind = { 'content-type': String(headers['content-type'] ?? '') }
    return new Response(WITHOUT_BODY.includes(status) ? null : new Uint8Array(data), { status, headers: kind })
  }
}

/** Maximum number of dimensions. No known model has more. */
const MAX_LENGTH = 8_192

/** Returns the vectors of an embeddings response in the order of the texts. Throws a ModelError `invalid`. */
export function readVectors(answer: unknown, count: number): number[][] {
  const data = (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(data) || data.length !== count) throw new ModelError('invalid')
  const vectors: number[][] = []
  for (const [place, item] of data.entries()) {
    const { index = place, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown }
    if (!isVector(embedding) || typeof index !== 'number' || vectors[index] !== undefined) throw new ModelError('invalid')
    vectors[index] = embedding
  }
  const length = vectors[0]?.length
  if (vectors.length !== count || !vectors.every((vector) => vector.length === length)) throw new ModelError('invalid')
  return vectors
}

function isVector(value: unknown): value is number[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_LENGTH) return false
  return value.every((each) => Number.isFinite(each)) && value.some((each) => each !== 0)
}

/** Runs a request and records its duration and outcome. */
type Measure = <T>(purpose: Purpose, request: () => Promise<T>) => Promise<T>

function openMeasure({ requests, seconds }: ModelMetrics): Measure {
  return async (purpose, request) => {
    const end = seconds.startTimer({ purpose })
    let outcome: ModelFailure | 'ok' | 'failed' = 'ok'
    try {
      return await request()
    } catch (err) {
      outcome = err instanceof ModelError ? err.failure : 'failed'
      throw err
    } finally {
      requests.inc({ purpose, outcome })
      if (outcome !== 'not_sent') end()
    }
  }
}
