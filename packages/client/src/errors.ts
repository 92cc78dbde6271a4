import type { CallResult, ErrorBody, ErrorCode } from './types.ts'

/** Marks the errors of every installed copy of this package. */
const BRAND = Symbol.for('onward.error')

/** Returns whether a value is an error of this package. Unlike `instanceof`, it also works if two copies of the package are installed. */
export function isOnwardError(value: unknown): value is OnwardError {
  return typeof value === 'object' && value !== null && BRAND in value
}

/** The base of all errors that this package throws, except for a TypeError for arguments of a wrong form. */
export class OnwardError extends Error {
  override name = 'OnwardError'
  readonly [BRAND] = true
}

/** Onward did not answer: the connection failed or broke off. `cause` is the error of `fetch`. */
export class ApiConnectionError extends OnwardError {
  override name = 'ApiConnectionError'
  /** How often the request was sent. */
  readonly attempts: number

  constructor(message: string, attempts: number, cause?: unknown) {
    super(message, { cause })
    this.attempts = attempts
  }
}

/** Onward did not answer in time. For a call, the app may have received the request. */
export class ApiTimeoutError extends ApiConnectionError {
  override name = 'ApiTimeoutError'
}

/** The `signal` of the request was aborted. */
export class RequestAbortedError extends OnwardError {
  override name = 'RequestAbortedError'
}

/** A webhook is not from Onward, is too old, or was changed on its way. */
export class WebhookVerificationError extends OnwardError {
  override name = 'WebhookVerificationError'
}

const MAX_SHOWN = 300

/** Returns the beginning of what an app answered, for the message of an error. */
function shortly(output: unknown): string {
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? null)
  if (['', 'null', '{}'].includes(text)) return ''
  return `: ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}`
}

/** `callOrThrow`: the app received the call and refused it. */
export class FunctionFailedError extends OnwardError {
  override name = 'FunctionFailedError'
  readonly result: CallResult

  constructor(functionName: string, result: CallResult) {
    const { networkCode, appError, callId, output } = result
    const how = appError ? 'reported an error in its response' : `responded with ${networkCode}`
    super(`${functionName}: the app ${how}${shortly(output)} (call ${callId ?? 'without an id'})`)
    this.result = result
  }
}

/** `callPages`: the app announces or may have further pages, but the next one cannot be requested. `result` is the last page. */
export class PagesEndedError extends OnwardError {
  override name = 'PagesEndedError'
  readonly result: CallResult

  constructor(functionName: string, result: CallResult) {
    super(`${functionName}: there may be further pages: ${result.nextPageProblem} (call ${result.callId ?? 'without an id'})`)
    this.result = result
  }
}

export type ApiErrorParts = {
  readonly status: number
  readonly headers: Headers
  /** The parsed body; the text if it is not JSON. */
  readonly body: unknown
  readonly attempts: number
}

/** Onward answered with an error status. */
export class ApiError extends OnwardError {
  override name = 'ApiError'
  readonly status: number
  /** The reason, for a program. Null if the response is not from Onward, but for example from a proxy. Newer servers may send other codes. */
  readonly code: ErrorCode | (string & {}) | null
  /** One text for each field, such as `contact_id: must be a number`. */
  readonly details: readonly string[]
  /** The nearest names, for a name that does not exist. */
  readonly suggestions: readonly string[]
  /** Names this request in the logs of Onward. */
  readonly requestId: string | null
  /** The call in the calls log, if the function was executed. */
  readonly callId: string | null
  /** Seconds after which Onward asks to try again. */
  readonly retryAfter: number | null
  readonly docsUrl: string | null
  readonly headers: Headers
  readonly body: unknown
  /** How often the request was sent. */
  readonly attempts: number

  constructor({ status, headers, body, attempts }: ApiErrorParts) {
    const own = isErrorBody(body) ? body : undefined
    const requestId = headers.get('x-request-id') ?? own?.request_id ?? null
    const reason = own === undefined ? `the server answered ${status}, but not in the format of Onward` : describe(own)
    super(requestId === null ? reason : `${reason} (request ${requestId})`)
    this.status = status
    this.code = own?.code ?? null
    this.details = own?.error_details ?? []
    this.suggestions = own?.suggestions ?? []
    this.requestId = requestId
    this.callId = headers.get('x-call-id')
    this.retryAfter = secondsOf(headers.get('retry-after'))
    this.docsUrl = own?.docs_url ?? null
    this.headers = headers
    this.body = body
    this.attempts = attempts
  }
}

/** 400, and the other 4xx statuses without a separate class: change the request. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError'
}

/** The user has to connect an account of the app, or connect it again. Open `loginUrl` in the user's browser. */
export class AccountNotConnectedError extends BadRequestError {
  override name = 'AccountNotConnectedError'
  readonly loginUrl: string | null

  constructor(parts: ApiErrorParts) {
    super(parts)
    this.loginUrl = (isErrorBody(parts.body) ? parts.body.login_url : undefined) ?? null
  }
}

/** A rule asks for an approval of the call. Show `approvalUrl` to the user, or decide with `user.approvals`. Then repeat the same call. */
export class ApprovalRequiredError extends BadRequestError {
  override name = 'ApprovalRequiredError'
  readonly approvalId: string | null
  readonly approvalUrl: string | null

  constructor(parts: ApiErrorParts) {
    super(parts)
    const own = isErrorBody(parts.body) ? parts.body : undefined
    this.approvalId = own?.approval_id ?? null
    this.approvalUrl = own?.approval_url ?? null
  }
}

/** 401: a credential is missing or wrong. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

/** 404: there is no such function, app, user and so on. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/** 409: the request does not fit the present state. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}

/** 429: too many requests. Try again after `retryAfter` seconds. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}

/** 429: the user has reached the task limit. The period ends after `retryAfter` seconds. */
export class TaskLimitReachedError extends ApiError {
  override name = 'TaskLimitReachedError'
}

/** 502 or 504: the app could not be reached, or did not answer properly. `code` says whether the call may have taken effect. */
export class UpstreamError extends ApiError {
  override name = 'UpstreamError'
}

/** 500, 503 and other 5xx statuses: Onward failed, or is overloaded. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

/** Returns the error for a response with an error status. */
export function apiErrorOf(parts: ApiErrorParts): ApiError {
  const code = isErrorBody(parts.body) ? parts.body.code : undefined
  if (code === 'account_not_connected' || code === 'account_reconnect_required') return new AccountNotConnectedError(parts)
  if (code === 'approval_required') return new ApprovalRequiredError(parts)
  if (code === 'task_limit_reached') return new TaskLimitReachedError(parts)
  switch (parts.status) {
    case 401:
      return new AuthenticationError(parts)
    case 404:
      return new NotFoundError(parts)
    case 409:
      return new ConflictError(parts)
    case 429:
      return new RateLimitError(parts)
    case 502:
    case 504:
      return new UpstreamError(parts)
  }
  return parts.status >= 500 ? new ServerError(parts) : new BadRequestError(parts)
}

function describe({ error, error_details: details }: ErrorBody): string {
  return details.length === 0 ? error : `${error}: ${details.join('; ')}`
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false
  const { error, error_details: details, code } = body as Record<string, unknown>
  return typeof error === 'string' && typeof code === 'string' && Array.isArray(details) && details.every((one) => typeof one === 'string')
}

/** Reads a `Retry-After` header, in seconds or as a date. */
function secondsOf(header: string | null): number | null {
  if (header === null || header === '') return null
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1_000)
}
