import { DOT_SEGMENTS, type EndpointShape, type ResponseOf } from '@onward/contract'
import { parseJson, writeJson } from '@onward/json'
import axios, { AxiosError, type AxiosResponse } from 'axios'
import { isErrorBody, OnwardError, type ResponseHeaders, TransportError, transportErrorOf } from './errors.ts'
import type { AnyInput, Input } from './input.ts'
import type { Target } from './targets.ts'

/** The list of all users of a large application is the largest response. */
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024

export type Exchange<E extends EndpointShape> = {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly response: ResponseOf<E>
}

type InputOf<E extends EndpointShape> = Record<never, never> extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/**
 * Sends one request to an endpoint of the contract and returns the body of the response.
 *
 *     const { calls } = await send(admin, readCalls, { query: { user_id: 'joe@example.com' } })
 *
 * Throws an OnwardError if Onward answers with an error, and a TransportError if it does not answer. Does not follow redirects, use a proxy
 * from the environment, or retry.
 */
export async function send<const E extends EndpointShape>(target: Target, endpoint: E, ...input: InputOf<E>): Promise<ResponseOf<E>> {
  return (await exchange(target, endpoint, ...input)).response
}

/** Like `send`, but also returns the status and the headers. `headers['x-call-id']` is the id of a call in the calls log. */
export async function exchange<const E extends EndpointShape>(target: Target, endpoint: E, ...input: InputOf<E>): Promise<Exchange<E>> {
  const given = (input[0] ?? {}) as AnyInput
  const { host } = new URL(target.url)
  const response = await request(host, target, endpoint, given)
  const { status } = response
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
  const body = parse(response.data)
  if (isErrorBody(body) && status >= 400) throw new OnwardError(status, body, headers)
  if (status < 200 || status > 299 || body === undefined) {
    throw new TransportError(host, 'not_ours', `answered ${status}, but not in the format of Onward`)
  }
  return { status, headers, response: body as ResponseOf<E> }
}

async function request(host: string, target: Target, endpoint: EndpointShape, input: AnyInput): Promise<AxiosResponse<string>> {
  const { timeoutMs = target.timeoutMs, body } = input
  const credentials = await target.credentials()
  const signal = AbortSignal.timeout(timeoutMs)
  // Otherwise axios sets the content type of a form.
  const type = { 'Content-Type': body === undefined ? false : 'application/json' }
  try {
    return await axios.request<string>({
      adapter: 'http',
      method: endpoint.method,
      url: target.url + pathOf(endpoint.path, input.params ?? {}) + queryOf(input.query ?? {}),
      headers: { Accept: 'application/json', 'User-Agent': 'Onward-Client', ...input.headers, ...type, ...credentials },
      data: body === undefined ? undefined : writeJson(body),
      transformRequest: [(data) => data],
      transformResponse: [(data) => data],
      responseType: 'text',
      validateStatus: () => true,
      maxRedirects: 0,
      maxContentLength: MAX_RESPONSE_BYTES,
      proxy: false,
      signal,
    })
  } catch (err) {
    if (signal.aborted) throw new TransportError(host, 'timed_out', `gave no complete response within ${timeoutMs} ms`)
    if (!(err instanceof AxiosError)) throw err
    if (/maxContentLength/.test(err.message)) throw new TransportError(host, 'too_large', `answered more than ${MAX_RESPONSE_BYTES} bytes`)
    throw transportErrorOf(host, err.code ?? 'unknown')
  }
}

function pathOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? ''
    // URL libraries remove such segments, even encoded ones, so the request would reach another endpoint.
    if (value === '' || DOT_SEGMENTS.includes(value)) throw new TypeError(`${name} must not be empty, . or ..`)
    return encodeURIComponent(value)
  })
}

function queryOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
