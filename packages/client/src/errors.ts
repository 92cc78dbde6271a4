import type { ErrorBody } from '@onward/contract'

/** Response headers, names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string>>

/**
 * A service of ours refused. `message` is the summary, `details` one `"<field path>: <what is wrong>"` per field. `headers` may
 * hold `x-call-id` (the call was executed all the same) or `retry-after`.
 */
export class OnwardError extends Error {
  override readonly name = 'OnwardError'
  readonly status: number
  readonly code: ErrorBody['code']
  readonly details: readonly string[]
  readonly headers: AnswerHeaders

  constructor(status: number, body: ErrorBody, headers: AnswerHeaders) {
    super(body.error)
    this.status = status
    this.code = body.code
    this.details = body.error_details
    this.headers = headers
  }
}

/**
 * There is no answer of ours: the network failed, or somebody else answered. `code` is `timed_out`, `too_large`, `not_ours` or
 * Node's own, such as `ECONNREFUSED`. It has no `cause`: the error of the HTTP library holds the credentials that were sent.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  /** Name and port of the address that was called. */
  readonly host: string
  readonly code: string

  constructor(host: string, code: string, problem: string) {
    super(`${host} ${problem}`)
    this.host = host
    this.code = code
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections: nothing listens there',
  ECONNRESET: 'broke the connection off',
  ENOTFOUND: 'is not a known name',
  EAI_AGAIN: 'could not be looked up: the name server does not answer',
}

/** The transport error for a network failure that has a code, as Node's and axios' own have. */
export function transportErrorOf(host: string, code: string): TransportError {
  return new TransportError(host, code, PROBLEMS[code] ?? `could not be reached (${code})`)
}

export function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false
  const { error, error_details: details, code } = body as Record<string, unknown>
  return typeof error === 'string' && typeof code === 'string' && Array.isArray(details) && details.every((one) => typeof one === 'string')
}
