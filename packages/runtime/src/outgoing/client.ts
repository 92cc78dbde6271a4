import axios, { AxiosHeaders, type AxiosInstance, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import type { Dispatcher } from 'undici'
import type { Share } from '../shares.ts'
import { openAgent } from './agent.ts'
import { ACCEPT_ENCODING, decompress, isTooLarge } from './decompress.ts'
import { exchange, OutgoingError } from './exchange.ts'
import { type Hosts, openHosts } from './hosts.ts'
import { isUrl, type Reach } from './url.ts'

export type ClientOptions = {
  readonly reach: Reach
  /** Our own public URL, without a slash at the end. Requests to it are blocked. */
  readonly ownUrl?: string | undefined
  /** Deadline for the lookup, the connection and TLS together. */
  readonly connectTimeoutMs: number
  /** The deadline of a whole exchange, unless a request sets its own `timeout`. */
  readonly timeoutMs: number
  readonly maxRequestBytes: number
  /** Applies both before and after decompression. */
  readonly maxAnswerBytes: number
  /** What to do with a larger answer. `cut` returns its beginning, or an empty body if only the decompressed answer is larger. */
  readonly overflow: 'fail' | 'cut'
}

declare module 'axios' {
  interface AxiosRequestConfig {
    /**
     * Returns the share of memory in which the answer counts. Its tenant gets a share of the host's connections too. It is a function because
     * axios copies objects. Requests without it are not limited.
     */
    memory?: () => Share
  }
}

/**
 * A client for outgoing requests. `http` resolves for every status, with the body as a Buffer, and follows no redirects. When there is no
 * usable answer it rejects with an error that `failureOf` describes.
 */
export type OutgoingClient = { readonly http: AxiosInstance; close(): Promise<void> }

const CONNECTIONS_PER_ORIGIN = 256

export function openClient(options: ClientOptions): OutgoingClient {
  const agent = openAgent({ ...options, connections: CONNECTIONS_PER_ORIGIN })
  const hosts = openHosts(CONNECTIONS_PER_ORIGIN)
  const http = axios.create({
    timeout: options.timeoutMs,
    maxBodyLength: options.maxRequestBytes,
    maxContentLength: options.maxAnswerBytes,
    responseType: 'arraybuffer',
    validateStatus: () => true,
    transformRequest: [(data) => data],
    transformResponse: [(data) => data],
    headers: { common: { Accept: 'application/json', 'Accept-Encoding': ACCEPT_ENCODING, 'User-Agent': 'Onward' } },
  })
  // Axios sends through undici, because its own adapter takes five times the CPU. Axios does not get the signal: it would replace the error
  // of an aborted request, which says whether the request was sent.
  http.interceptors.request.use(
    (config) => {
      const signal = config.signal as AbortSignal | undefined
      return Object.assign(config, {
        signal: undefined,
        adapter: (request: InternalAxiosRequestConfig) => send({ agent, hosts, overflow: options.overflow }, request, signal),
      })
    },
    null,
    { synchronous: true },
  )
  return {
    http,
    close: () => agent.destroy(),
  }
}

type SendParts = { readonly agent: Dispatcher; readonly hosts: Hosts; readonly overflow: ClientOptions['overflow'] }

async function send(
  { agent, hosts, overflow }: SendParts,
  config: InternalAxiosRequestConfig,
  signal: AbortSignal | undefined,
): Promise<AxiosResponse<Buffer>> {
  const { maxBodyLength: maxRequestBytes = 0, maxContentLength: maxAnswerBytes = 0 } = config
  const body = bodyOf(config)
  if (body !== undefined && body.length > maxRequestBytes) {
    throw new OutgoingError(new Error(`the request body is larger than ${maxRequestBytes} bytes`), false)
  }
  const url = axios.getUri(config)
  const memory = config.memory?.()
  const request = {
    url,
    method: (config.method ?? 'get').toUpperCase(),
    headers: config.headers.toJSON(true) as Record<string, string>,
    body,
    maxAnswerBytes,
    signal,
    memory,
  }
  const run = (timeoutMs: number) => exchange(agent, { ...request, timeoutMs })
  const timeoutMs = config.timeout ?? 0
  const answer = memory === undefined ? await run(timeoutMs) : await hosts.run(originOf(url), memory.tenant, timeoutMs, run)
  const { status, statusText } = answer
  const headers = new AxiosHeaders(answer.headers as Record<string, string>)
  const respond = (data: Buffer): AxiosResponse<Buffer> => ({ data, status, statusText, headers, config, request: null })
  if (answer.cut && overflow === 'cut') return respond(answer.body)
  if (answer.cut) throw new OutgoingError(new Error(`the answer is larger than ${maxAnswerBytes} bytes`), true, 'too_large')
  let data: Buffer
  try {
    data = decompress(answer.body, String(answer.headers['content-encoding'] ?? ''), maxAnswerBytes)
  } catch (err) {
    if (isTooLarge(err) && overflow === 'cut') return respond(Buffer.alloc(0))
    throw new OutgoingError(err, true, isTooLarge(err) ? 'too_large' : 'broken')
  }
  if (memory?.take(Math.max(0, data.length - answer.allocated)) === false) {
    throw new OutgoingError(new Error("the tenant's share of memory has no room for the decompressed answer"), true, 'no_room')
  }
  return respond(data)
}

/** Returns the origin of a URL. A text that is not a URL has none; `exchange` rejects it. */
function originOf(url: string): string {
  return isUrl(url) ? new URL(url).origin : ''
}

function bodyOf({ data }: InternalAxiosRequestConfig): Buffer | undefined {
  if (data === undefined || data === null || data === '') return undefined
  return Buffer.isBuffer(data) ? data : Buffer.from(String(data))
}
