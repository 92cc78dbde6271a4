import axios, { AxiosHeaders, type AxiosInstance, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import type { Dispatcher } from 'undici'
import type { Share } from '../shares.ts'
import { openAgent } from './agent.ts'
import { ACCEPT_ENCODING, decompress, isTooLarge } from './decompress.ts'
import { type ExchangeResponse, exchange, OutgoingError } from './exchange.ts'
import { type Hosts, openHosts } from './hosts.ts'
import type { Reach } from './url.ts'

export type ClientOptions = {
  readonly reach: Reach
  /** Our own public URL, without a slash at the end. Requests to it are blocked. */
  readonly ownUrl?: string | undefined
  /** The URL of an HTTP proxy, with its credentials, through which all connections are made. */
  readonly proxyUrl?: string | undefined
  /** Deadline for the lookup, the connection and TLS together. */
  readonly connectTimeoutMs: number
  /** The deadline of a whole exchange, unless a request sets its own `timeout`. */
  readonly timeoutMs: number
  readonly maxRequestBytes: number
  /** Applies both before and after decompression. */
  readonly maxResponseBytes: number
  /** What to do with a larger response. `cut` returns its beginning, or an empty body if only the decompressed body is larger. */
  readonly overflow: 'fail' | 'cut'
}

declare module 'axios' {
  interface AxiosRequestConfig {
    /**
     * Returns the share of memory in which the response counts. Its tenant gets a share of the host's connections too. It is a function because
     * axios copies objects. Requests without it are not limited.
     */
    memory?: () => Share
  }
}

export type OutgoingRequest = {
  readonly url: string
  /** In upper case. */
  readonly method: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
  /** The deadline of the whole exchange. */
  readonly timeoutMs: number
  /** The share of memory in which the response counts. Its tenant gets a share of the host's connections too. */
  readonly memory?: Share | undefined
  readonly signal?: AbortSignal | undefined
}

export type OutgoingResponse = Pick<ExchangeResponse, 'status' | 'statusText' | 'headers' | 'body'>

/**
 * A client for outgoing requests. Resolves for every status, with the body as a Buffer, and follows no redirects. When there is no usable
 * answer it rejects with an error that `failureOf` describes.
 */
export type OutgoingClient = {
  /** Sends a request with axios. */
  readonly http: AxiosInstance
  /** Sends a request without axios, which takes half of the CPU time of a call. */
  send(request: OutgoingRequest): Promise<OutgoingResponse>
  close(): Promise<void>
}

const CONNECTIONS_PER_ORIGIN = 256

/** The headers of each request that does not set them. */
const HEADERS = { accept: 'application/json', 'accept-encoding': ACCEPT_ENCODING, 'user-agent': 'Onward' } as const

export function openClient(options: ClientOptions): OutgoingClient {
  const agent = openAgent({ ...options, connections: CONNECTIONS_PER_ORIGIN })
  const parts = { ...options, agent, hosts: openHosts(CONNECTIONS_PER_ORIGIN) }
  const http = axios.create({
    timeout: options.timeoutMs,
    maxContentLength: options.maxResponseBytes,
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
        adapter: (request: InternalAxiosRequestConfig) => sendForAxios(parts, request, signal),
      })
    },
    null,
    { synchronous: true },
  )
  return {
    http,
    send: (request) => send(parts, request, Object.assign({}, HEADERS, request.headers)),
    close: () => agent.destroy(),
  }
}

type SendParts = Pick<ClientOptions, 'maxRequestBytes' | 'maxResponseBytes' | 'overflow'> & {
  readonly agent: Dispatcher
  readonly hosts: Hosts
}

async function sendForAxios(
  parts: SendParts,
  config: InternalAxiosRequestConfig,
  signal: AbortSignal | undefined,
): Promise<AxiosResponse<Buffer>> {
  const { maxContentLength: maxResponseBytes = parts.maxResponseBytes } = config
  const response = await send(
    { ...parts, maxResponseBytes },
    {
      url: axios.getUri(config),
      method: (config.method ?? 'get').toUpperCase(),
      body: bodyOf(config),
      timeoutMs: config.timeout ?? 0,
      memory: config.memory?.(),
      signal,
    },
    config.headers.toJSON(true) as Record<string, string>,
  )
  const { status, statusText, body: data } = response
  return { data, status, statusText, headers: new AxiosHeaders(response.headers as Record<string, string>), config, request: null }
}

async function send(
  { agent, hosts, maxRequestBytes, maxResponseBytes, overflow }: SendParts,
  { url: text, method, body, timeoutMs, memory, signal }: Omit<OutgoingRequest, 'headers'>,
  headers: OutgoingRequest['headers'],
): Promise<OutgoingResponse> {
  if (body !== undefined && Buffer.byteLength(body) > maxRequestBytes) {
    throw new OutgoingError(new Error(`the request body is larger than ${maxRequestBytes} bytes`), false)
  }
  const url = parsed(text)
  const run = (remainingMs: number) =>
    exchange(agent, { url, method, headers, body, timeoutMs: remainingMs, maxResponseBytes, signal, memory })
  const response =
    memory === undefined ? await run(timeoutMs) : await hosts.run(typeof url === 'string' ? '' : url.origin, memory.tenant, timeoutMs, run)
  if (response.cut && overflow === 'cut') return response
  if (response.cut) throw new OutgoingError(new Error(`the response is larger than ${maxResponseBytes} bytes`), true, 'too_large')
  const encoding = response.headers['content-encoding']
  if (encoding === undefined) return response
  let decompressed: Buffer
  try {
    decompressed = decompress(response.body, String(encoding), maxResponseBytes)
  } catch (err) {
    if (isTooLarge(err) && overflow === 'cut') return { ...response, body: Buffer.alloc(0) }
    throw new OutgoingError(err, true, isTooLarge(err) ? 'too_large' : 'broken')
  }
  const room = Math.max(0, decompressed.length - response.allocated)
  if (memory?.take(room) === false) {
    const err = new Error("the tenant's share of memory has no room for the decompressed answer")
    throw new OutgoingError(err, true, 'no_room', { room })
  }
  return { ...response, body: decompressed }
}

/** Returns the URL. Returns a text that is not a URL unchanged, because `exchange` rejects it. */
function parsed(text: string): URL | string {
  try {
    return new URL(text)
  } catch {
    return text
  }
}

function bodyOf({ data }: InternalAxiosRequestConfig): Buffer | undefined {
  if (data === undefined || data === null || data === '') return undefined
  return Buffer.isBuffer(data) ? data : Buffer.from(String(data))
}
