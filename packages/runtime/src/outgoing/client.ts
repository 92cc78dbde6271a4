import axios, { type AxiosInstance } from 'axios'
import { type Overflow, undiciAdapter } from './adapter.ts'
import { ACCEPT_ENCODING } from './decompress.ts'
import { openAgent } from './guarded-agent.ts'
import type { Reach } from './url.ts'

export type ClientOptions = {
  readonly reach: Reach
  readonly connectTimeoutMs: number
  /** The deadline of a whole exchange unless a request sets its own `timeout`. */
  readonly timeoutMs: number
  readonly maxRequestBytes: number
  /** Holds before and after decompression. */
  readonly maxAnswerBytes: number
  readonly overflow: Overflow
  /** `address:port` each, asked for names with reach `public`; the host's own unless given. */
  readonly nameServers?: readonly string[]
}

/** A client for outgoing requests: every one of ours is made by a client from here. Any status is an answer; see `failureOf` for the rest. */
export type OutgoingClient = { readonly http: AxiosInstance; close(): Promise<void> }

export function openClient(options: ClientOptions): OutgoingClient {
  const agent = openAgent(options)
  const http = axios.create({
    adapter: undiciAdapter(agent.dispatcher, options.overflow),
    timeout: options.timeoutMs,
    maxBodyLength: options.maxRequestBytes,
    maxContentLength: options.maxAnswerBytes,
    responseType: 'arraybuffer',
    validateStatus: () => true,
    transformRequest: [(data) => data],
    transformResponse: [(data) => data],
    headers: { common: { Accept: 'application/json', 'Accept-Encoding': ACCEPT_ENCODING, 'User-Agent': 'Onward' } },
  })
  return { http, close: agent.close }
}
