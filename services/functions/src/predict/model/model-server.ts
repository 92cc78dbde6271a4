import { type AxiosInstance, failureOf, type Log, openClient } from '@onward/runtime'
import { OpenAI } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming as ChatParams } from 'openai/resources/chat/completions'
import type { ModelSettings } from '../../config.ts'
import type { ModelMetrics } from '../../metrics.ts'
import { type Breaker, openBreaker } from './breaker.ts'
import { ModelError, type ModelFailure } from './model-error.ts'

const MEBIBYTE = 1_048_576
/** The longest duration of a request for embeddings. */
const MAX_MS = 30_000

type Purpose = 'choose' | 'fill' | 'repair' | 'phrase' | 'embed_prompt' | 'embed_functions'

type ChatRequest = Pick<ChatParams, 'messages' | 'tools' | 'tool_choice' | 'response_format'>

/** What a prediction has cost: requests and tokens, as far as the server counts them. */
export type Spent = { requests: number; promptTokens: number; completionTokens: number }

/** `spent` is increased by each request. */
export type Turn = { readonly signal: AbortSignal; readonly spent: Spent }

/** The model server, called through the official client library. All methods throw ModelErrors only. */
export type ModelServer = {
  /**
   * Returns what `read` returns for the message of the response. An `invalid` ModelError from `read` counts as a failure of the server.
   * A parameter that servers may refuse is left out after a response 400.
   */
  chat<T>(purpose: Purpose, request: ChatRequest, read: (message: unknown) => T, turn: Turn): Promise<T>
  /** Returns one vector per text, all of the same length. */
  embed(purpose: Purpose, texts: readonly string[], signal: AbortSignal): Promise<number[][]>
  close(): Promise<void>
}

type Parts = { readonly settings: ModelSettings; readonly metrics: ModelMetrics; readonly log: Log }

export function openModelServer({ settings, metrics, log }: Parts): ModelServer {
  const timeoutMs = Math.max(MAX_MS, settings.timeoutMs)
  // The operator configures the address, so it may be private.
  const client = openClient({
    reach: 'local',
    connectTimeoutMs: 3_000,
    timeoutMs,
    maxRequestBytes: MEBIBYTE,
    maxResponseBytes: 16 * MEBIBYTE,
    overflow: 'fail',
  })
  const { apiKey, baseUrl, name = '', embeddingModel = '', reasoningEffort } = settings
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
    timeout: timeoutMs,
    fetch: boundedFetch(client.http),
  })
  const measure = openMeasure(metrics)
  const count = openCount(metrics)
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

  /** The parameters that the server refused. */
  const refused = new Set<Optional>()

  /** Repeats a request that the server refuses without the parameters that servers may not know, first without those that the refusal names. */
  async function complete(request: ChatRequest, { signal, spent }: Turn): Promise<unknown> {
    const params: ChatParams = { ...request, model: name, temperature: 0, ...(reasoningEffort && { reasoning_effort: reasoningEffort }) }
    for (const each of refused) delete params[each]
    const left = new Set(OPTIONAL.filter((each) => each in params))
    const dropped: Optional[] = []
    for (;;) {
      try {
        spent.requests++
        const answer: unknown = await openai.chat.completions.create(params, { signal })
        for (const each of dropped) refused.add(each)
        if (dropped.length > 0) log.warn({ parameters: dropped }, 'the model server refuses parameters; they are no longer sent')
        return answer
      } catch (err) {
        const reason = modelErrorOf(err, signal)
        const text = err instanceof Error ? err.message : ''
        const next = [...left].find((each) => text.includes(each)) ?? [...left][0]
        if (!REFUSES.includes(reason.status) || next === undefined) throw reason
        left.delete(next)
        dropped.push(next)
        delete params[next]
      }
    }
  }

  return {
    chat: (purpose, request, read, turn) =>
      ask(chats, purpose, turn.signal, async () => {
        const answer = await complete(request, turn)
        count(purpose, answer, turn.spent)
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

/** Parameters that some servers or models refuse. */
const OPTIONAL = ['temperature', 'response_format', 'reasoning_effort'] as const
type Optional = (typeof OPTIONAL)[number]
/** Statuses of a response to a parameter that the server does not accept. */
const REFUSES: readonly (number | undefined)[] = [400, 422]

function messageOf(answer: unknown): unknown {
  const [choice] = (answer as { choices?: { message?: unknown; finish_reason?: unknown }[] } | null)?.choices ?? []
  // The model stopped at its maximum length, so the call may be incomplete.
  if (choice?.finish_reason === 'length') throw new ModelError('cut_off')
  return choice?.message
}

function modelErrorOf(err: unknown, signal: AbortSignal): ModelError {
  if (err instanceof ModelError) return err
  if (signal.aborted) return new ModelError((signal.reason as Error | undefined)?.name === 'TimeoutError' ? 'timed_out' : 'canceled')
  if (err instanceof OpenAI.APIConnectionTimeoutError) return new ModelError('timed_out')
  if (err instanceof OpenAI.APIConnectionError)
    return new ModelError(failureOf(err.cause)?.kind === 'timed_out' ? 'timed_out' : 'unreachable')
  if (err instanceof OpenAI.RateLimitError) return new ModelError('busy', err.status)
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

/** Counts the tokens of a response, if the server reports them. */
function openCount({ tokens }: ModelMetrics) {
  return (purpose: Purpose, answer: unknown, spent: Spent): void => {
    const { prompt_tokens, completion_tokens } = (answer as { usage?: Record<string, unknown> | null } | null)?.usage ?? {}
    const [prompt, completion] = [prompt_tokens, completion_tokens].map((each) =>
      Number.isSafeInteger(each) ? Math.max(0, each as number) : 0,
    )
    spent.promptTokens += prompt as number
    spent.completionTokens += completion as number
    tokens.inc({ purpose, kind: 'prompt' }, prompt)
    tokens.inc({ purpose, kind: 'completion' }, completion)
  }
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
