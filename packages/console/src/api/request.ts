import type { ErrorBody, ErrorCode } from '@onward/contract'
import { parseJson, writeJson } from '@onward/json'
import { BASE_PATH } from './base.ts'

/** Twice the default time limit of an onward call. */
const TIMEOUT_MS = 60_000

/**
 * Why a request failed. `status` is 0 and `code` is `no_connection` if Onward did not answer. `details` has one `"<field>: <what is wrong>"`
 * for each field. Support finds the request by `requestId`. `approvalId` is the approval that a call needs.
 */
export class OnwardError extends Error {
  override readonly name = 'OnwardError'
  readonly status: number
  readonly code: ErrorCode | 'no_connection'
  readonly details: readonly string[]
  readonly requestId: string | undefined
  readonly approvalId: string | undefined

  constructor(
    message: string,
    status: number,
    code: OnwardError['code'],
    details: readonly string[] = [],
    { request_id: requestId, approval_id: approvalId }: { request_id?: string; approval_id?: string } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId
    this.approvalId = approvalId
  }
}

declare global {
  var firstResponses: Map<string, Promise<Response>> | undefined
}

type Sent = {
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** Receives the headers of the response, also of an error. */
  readonly onHeaders?: ((headers: Headers) => void) | undefined
}

/**
 * Sends one request and returns the parsed response. `path` is relative to `/console/api`. The browser adds the cookies of the session; the
 * header shows that no other site sent the request. Throws an OnwardError.
 */
export async function request(method: string, path: string, sent: Sent = {}): Promise<unknown> {
  return await requestAt(`${BASE_PATH}api${path}`, method, { 'X-Onward-Console': '1' }, sent)
}

/** Sends one request to any address and returns the parsed response. Throws an OnwardError. */
export async function requestAt(
  url: string | URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  { body, signal, onHeaders }: Sent,
): Promise<unknown> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  const first = takeFirst(`${method.toUpperCase()} ${new URL(url, location.href).href}`)
  const sending =
    first ??
    fetch(url, {
      method: method.toUpperCase(),
      headers: { Accept: 'application/json', ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : writeJson(body),
      cache: 'no-store',
      redirect: 'error',
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    })
  const response = await sending.catch((err: unknown) => {
    if (signal?.aborted === true) throw err
    throw new OnwardError(deadline.aborted ? 'Onward did not answer in time.' : notReached(), 0, 'no_connection')
  })
  onHeaders?.(response.headers)
  const parsed: unknown = await response
    .text()
    .then(parseJson)
    .catch(() => undefined)
  if (response.ok && parsed !== undefined) return parsed
  throw isErrorBody(parsed)
    ? new OnwardError(parsed.error, response.status, parsed.code, parsed.error_details, parsed)
    : new OnwardError(`A server in front of Onward answered with status ${response.status}. Try again in a moment.`, 0, 'no_connection')
}

/**
 * Returns the response to a request that `public/first.js` sent before this code was loaded. Any other request ends that: what is read after it may
 * have changed.
 */
function takeFirst(name: string): Promise<Response> | undefined {
  const response = globalThis.firstResponses?.get(name)
  if (response === undefined) globalThis.firstResponses = undefined
  globalThis.firstResponses?.delete(name)
  return response
}

/** Returns whether the same request may succeed later. */
export function isTransient(error: OnwardError): boolean {
  return error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500
}

function notReached(): string {
  if (navigator.onLine === false) return 'Your browser is offline.'
  return 'Onward could not be reached. Check your connection and try again.'
}

function isErrorBody(parsed: unknown): parsed is ErrorBody & { request_id?: string } {
  const { error, code, error_details: details } = Object(parsed)
  return typeof error === 'string' && typeof code === 'string' && Array.isArray(details)
}
