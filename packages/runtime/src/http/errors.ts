import { ERROR_STATUS, type ErrorBody } from '@onward/contract'
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { codeOf } from '../error-code.ts'
import type { Log } from '../log.ts'
import { isInfrastructureError } from '../postgres/database.ts'
import { Refusal } from '../refusal.ts'
import type { Endpoints } from './endpoints.ts'
import { noteError } from './log-requests.ts'
import { requestIdOf } from './request-id.ts'

function sendRefusal(res: Response, refusal: Refusal, publicUrl: string | undefined): void {
  const { code, extras } = refusal
  noteError(res, code)
  if (extras.retryAfterSeconds !== undefined) res.set('Retry-After', String(extras.retryAfterSeconds))
  res
    .set(extras.headers ?? {})
    .status(ERROR_STATUS[code])
    .json(errorBodyOf(refusal, requestIdOf(res), publicUrl))
}

/** Returns the body of an error response. */
export function errorBodyOf({ code, message, details, extras }: Refusal, requestId: string, publicUrl?: string): ErrorBody {
  const { suggestions = [], loginUrl, approval, docs = `errors#${code}` } = extras
  return {
    error: message,
    error_details: [...details],
    code,
    request_id: requestId,
    ...(suggestions.length === 0 ? {} : { suggestions: [...suggestions] }),
    ...(loginUrl === undefined ? {} : { login_url: loginUrl }),
    ...(approval === undefined ? {} : { approval_id: approval.id, approval_url: approval.url }),
    ...docsUrl(publicUrl, docs),
  }
}

/** Returns the field of an error body that leads to its explanation, a page below `/docs/`; `{}` if the public address is unknown. */
export function docsUrl(publicUrl: string | undefined, page: string): { docs_url?: string } {
  return publicUrl === undefined ? {} : { docs_url: `${publicUrl}/docs/${page}` }
}

/** Returns a handler for requests that no route took: 405 with `Allow` for a known path, otherwise 404. */
export function refuseUnknownPath({ methodsOf, meantBy }: Endpoints): RequestHandler {
  return (req) => {
    const methods = methodsOf(req.path)
    if (methods.length === 0) {
      const meant = meantBy(req.path).join(' or ')
      throw new Refusal('not_found', `there is no such endpoint${meant === '' ? '' : `; did you mean ${meant}?`}`)
    }
    const allowed = methods.join(', ')
    throw new Refusal('method_not_allowed', `this endpoint takes ${allowed}, not ${req.method}`, [], { headers: { Allow: allowed } })
  }
}

/**
 * Returns an error handler that answers every failure. A failure that is not a Refusal is a bug or an unavailable part: it is logged and
 * answered without detail. `publicUrl` is where the documents are served, without a slash at the end.
 */
export function sendErrors(log: Log, publicUrl?: string): ErrorRequestHandler {
  return (err, req, res, _next) => {
    const expected = expectedRefusal(err)
    const refusal = refusalOf(err)
    if (expected === undefined || res.headersSent) {
      log.error({ err, request_id: requestIdOf(res), method: req.method, path: req.path }, 'a request failed')
    }
    if (!res.headersSent) return sendRefusal(res, refusal, publicUrl)
    noteError(res, refusal.code)
    res.destroy()
  }
}

/** Returns the Refusal that answers an error: 503 or 500 without detail, unless it is a failure that the caller can act on. */
export function refusalOf(err: unknown): Refusal {
  const expected = expectedRefusal(err)
  if (expected !== undefined) return expected
  return isUnavailable(err)
    ? new Refusal('unavailable', 'a part of the service is unavailable; retry in a few seconds')
    : new Refusal('internal_error', 'the service failed; the request was not at fault')
}

/** Returns the Refusal for a failure that the caller can act on; undefined for a bug or an unavailable part. */
export function expectedRefusal(err: unknown): Refusal | undefined {
  return err instanceof Refusal ? err : (fromExpress(err) ?? fromPostgres(err))
}

/** Returns a Refusal for SQLSTATE 22021: NUL is the only character in a request that Postgres cannot store. */
function fromPostgres(err: unknown): Refusal | undefined {
  return codeOf(err) === '22021' ? new Refusal('invalid_parameters', 'a text contains a NUL character') : undefined
}

/** Returns a Refusal for a 4xx error of the body parsers or of path decoding. */
function fromExpress(err: unknown): Refusal | undefined {
  const { status, type } = Object(err)
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined
  switch (type) {
    case 'entity.too.large':
    case 'parameters.too.many':
      return new Refusal('body_too_large', 'the body is too large')
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new Refusal('unsupported_media_type', 'the encoding of the body is not supported')
    case 'entity.parse.failed':
      return new Refusal('invalid_body', 'the body is not valid JSON')
    default:
      return new Refusal('invalid_body', 'the request could not be read')
  }
}

/** Returns whether a part of the service did not answer or refused to work for now, so that the caller should retry (503). */
export function isUnavailable(err: unknown): boolean {
  const code = codeOf(err)
  // Matches codes of the system (ECONNREFUSED, EAI_AGAIN) and SQLSTATEs, but not codes of Node itself (ERR_…).
  const hasCode = code !== undefined && /^((?!ERR_)E[A-Z_]+|[0-9A-Z]{5})$/.test(code) && isInfrastructureError(err)
  // Errors that the pg library makes itself have no code, only these texts.
  return (
    hasCode ||
    /Connection terminated|timeout exceeded when trying to connect|not queryable|Query read timeout/.test(String(Object(err).message))
  )
}
