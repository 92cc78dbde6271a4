import type { ErrorBody } from '@onward/contract'

/** Response headers by their names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string>>

/**
 * Onward answered with an error. `message` is the summary, and `details` has one `"<field path>: <what is wrong>"` for each field.
 * `headers` may contain `x-call-id`, which means that the call was executed, or `retry-after`. What `ApiError` of @onward/client has too has
 * the same name here.
 */
export class OnwardError extends Error {
  override readonly name = 'OnwardError'
  readonly status: number
  readonly code: ErrorBody['code']
  readonly details: readonly string[]
  readonly suggestions: readonly string[]
  readonly loginUrl: string | null
  readonly requestId: string
  readonly headers: ResponseHeaders

  constructor(status: number, body: ErrorBody, headers: ResponseHeaders) {
    super(body.error)
    this.status = status
    this.code = body.code
    this.details = body.error_details
    this.suggestions = body.suggestions ?? []
    this.loginUrl = body.login_url ?? null
    this.requestId = body.request_id
    this.headers = headers
  }
}

/**
 * Onward did not answer: the network failed, or another server answered. `code` is `timed_out`, `too_large`, `not_ours` or a code of Node
 * such as `ECONNREFUSED`. There is no `cause`, because the error of the HTTP library contains the credentials.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  /** Name and port of the server that was called. */
  readonly host: string
  readonly code: string

  constructor(host: string, code: string, problem: string) {
    super(`${host} ${problem}`)
    this.host = host
    this.code = code
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection: no server listens there',
  ECONNRESET: 'closed the connection',
  ENOTFOUND: 'is an unknown name',
  EAI_AGAIN: 'could not be looked up: the name server did not answer',
}

/** Returns the error for a network failure with a code of Node or axios. */
export function transportErrorOf(host: string, code: string): TransportError {
  return new TransportError(host, code, PROBLEMS[code] ?? `could not be reached (${code})`)
}

/** Returns whether a parsed body is an error body of Onward. */
export function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false
  const { error, error_details: details, code } = body as Record<string, unknown>
  return typeof error === 'string' && typeof code === 'string' && Array.isArray(details) && details.every((one) => typeof one === 'string')
}
