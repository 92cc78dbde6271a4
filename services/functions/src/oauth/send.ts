import { ExactNumber, isStructured, parseJson } from '@onward/json'
import { decodeText, failureOf, isSuccess, type OutgoingClient, type Reach } from '@onward/runtime'
import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import { OAuthError } from './errors.ts'

/** Sends requests to OAuth servers. `reach` says whether plain HTTP and local addresses are allowed. */
export type TokenSender = { readonly client: Pick<OutgoingClient, 'http'>; readonly reach: Reach }

type Init = { readonly headers: Record<string, string>; readonly body?: unknown }
type Fields = Readonly<Record<string, unknown>>

/** Returns options with which the OAuth library sends through our guarded client. `onResponse` receives the complete response of the server. */
export function sendOptions({ client, reach }: TokenSender, onResponse: (response: Fields) => void) {
  return {
    [allowInsecureRequests]: reach === 'local',
    async [customFetch](url: string, { headers, body }: Init): Promise<Response> {
      const response = await post(client.http, url, headers, String(body))
      onResponse(response.whole)
      return new Response(JSON.stringify(response.standard), { status: response.status, headers: { 'content-type': 'application/json' } })
    },
  }
}

async function post(http: OutgoingClient['http'], url: string, headers: Record<string, string>, data: string): Promise<TokenResponse> {
  return readTokenResponse(await send(http, { method: 'POST', url, headers, data }))
}

/** Sends a GET request with an access token. Returns the JSON of the response. Throws an OAuthError when it is not a response with 2xx. */
export async function getJson({ client }: TokenSender, url: string, accessToken: string): Promise<unknown> {
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` }
  const { status, text, exact } = await send(client.http, { method: 'GET', url, headers })
  if (status >= 500 || status === 429) throw new OAuthError('unreachable', `the OAuth server answered ${status}`)
  try {
    if (isSuccess(status) && exact) return parseJson(text)
  } catch {
    // Not JSON: refused below.
  }
  throw new OAuthError('invalid', `the OAuth server answered ${status} without the account's data`)
}

type Sent = { readonly method: string; readonly url: string; readonly headers: Record<string, string>; readonly data?: string }

/** `exact` is false when some bytes were not valid in the character set, and were replaced in the text. */
type Received = { readonly status: number; readonly text: string; readonly exact: boolean }

async function send(http: OutgoingClient['http'], request: Sent): Promise<Received> {
  try {
    const { status, data, headers } = await http.request<Buffer>(request)
    const type = String(headers['content-type'] ?? '')
    const text = decodeText(data, type)
    return { status, text: text ?? decodeText(data, type, { fatal: false }), exact: text !== undefined }
  } catch (err) {
    const failure = failureOf(err)
    if (failure === undefined) throw err
    throw new OAuthError('unreachable', PROBLEMS[failure.kind])
  }
}

const PROBLEMS = {
  blocked: 'the OAuth server is not at a public address',
  unreachable: 'the OAuth server could not be reached',
  timed_out: 'the OAuth server did not answer in time',
  broken: 'the connection closed before the OAuth server sent its whole response',
  too_large: 'the response of the OAuth server is too large',
  no_room: 'too many responses of OAuth servers are being read',
} as const

/** `standard` has the field names and types of the OAuth standard; `whole` is the response as it arrived. `status` is 200 or 400. */
type TokenResponse = { readonly status: number; readonly standard: Fields; readonly whole: Fields }

/**
 * Reads the response of a token or revocation endpoint. Real servers answer with JSON or a form, send errors with status 200
 * (`{ok: false, error}`, `{error}`), use any token type, and write numbers as text. Throws an OAuthError for 429, 5xx and an
 * unreadable response.
 */
function readTokenResponse({ status, text, exact }: Received): TokenResponse {
  const whole = parse(text)
  const error = whole === undefined ? undefined : errorOf(whole)
  if (status >= 500 || status === 429) {
    throw new OAuthError('unreachable', `the OAuth server answered ${status}`, error?.error ?? null)
  }
  if (error !== undefined) return { status: 400, standard: error, whole: whole ?? {} }
  if (!isSuccess(status)) throw new OAuthError('invalid', `the OAuth server answered ${status}`)
  // A token in which a byte was replaced would be another token.
  if (!exact) throw new OAuthError('invalid', 'the response of the OAuth server is not valid in its character set')
  return { status: 200, standard: whole === undefined ? {} : standardTokens(whole), whole: whole ?? {} }
}

/** Parses JSON or a form and ignores the content type, which may be wrong. Returns undefined when the text is neither. */
function parse(text: string): Fields | undefined {
  try {
    const value: unknown = parseJson(text)
    return isStructured(value) && !Array.isArray(value) ? (value as Fields) : undefined
  } catch {
    return /^[\w.~-]+=[^\s<>]*$/.test(text.trim()) ? Object.fromEntries(new URLSearchParams(text.trim())) : undefined
  }
}

/** Returns the error of a response. The field `error` is a code or, in many APIs, an object with a message. */
function errorOf(whole: Fields): { error: string; error_description?: string } | undefined {
  const { error, ok } = whole
  if (error === undefined || error === null || error === '') return ok === false ? { error: 'refused' } : undefined
  const inner = isStructured(error) ? (error as Fields) : {}
  const code = typeof error === 'string' ? error : textOf(inner.type ?? inner.code ?? inner.status)
  const description = textOf(whole.error_description ?? inner.message ?? whole.message)
  return { error: code ?? 'refused', ...(description === undefined ? {} : { error_description: description }) }
}

/** Returns the fields of an OAuth token response with the types of the standard. */
export function standardTokens({ access_token, refresh_token, expires_in }: Fields) {
  const access = textOf(access_token)
  const refresh = textOf(refresh_token)
  const seconds = Number(textOf(expires_in) ?? Number.NaN)
  return {
    token_type: 'bearer',
    ...(access === undefined ? {} : { access_token: access }),
    ...(refresh === undefined ? {} : { refresh_token: refresh }),
    // Some servers send 0 for a token that does not expire.
    ...(seconds > 0 && seconds < Number.POSITIVE_INFINITY ? { expires_in: seconds } : {}),
  }
}

/** Returns a text, or a number with all its digits; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' || value instanceof ExactNumber
    ? String(value)
    : undefined
}
