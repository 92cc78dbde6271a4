import type { RequestHandler } from 'express'
import { Refusal } from '../refusal.ts'

/** Browsers and proxies send about 30. Node drops headers above its own maximum, and so could drop an important header. */
const MAX_HEADERS = 100

/** Tells browsers to use only HTTPS for this host, for a year. */
export const HSTS = { name: 'Strict-Transport-Security', value: 'max-age=31536000' } as const

/**
 * Refuses a request that has too many headers, or whose target is not a path with valid percent-encoding. Clients send other targets, such
 * as `http://host/path`, only to proxies.
 */
export const checkRequest: RequestHandler = (req, _res, next) => {
  // Names and values alternate.
  if (req.rawHeaders.length > 2 * MAX_HEADERS) throw new Refusal('invalid_body', `the request has more than ${MAX_HEADERS} headers`)
  if (!req.originalUrl.startsWith('/')) throw new Refusal('invalid_body', 'the request target must be a path')
  if (req.originalUrl.includes('%') && !isDecodable(req.originalUrl)) {
    throw new Refusal('invalid_body', 'the request target has an invalid percent-encoding')
  }
  next()
}

/** Returns whether each percent-encoding is complete and encodes UTF-8. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns a handler that sets HSTS on answers over HTTPS and, if so configured, refuses plain HTTP. Accepts TLS on our own socket, and
 * `X-Forwarded-Proto: https` from a trusted proxy. It does not redirect, because the caller has already sent credentials unencrypted and
 * must notice that.
 */
export function checkTransport(allowPlainHttp: boolean): RequestHandler {
  return (req, res, next) => {
    if (req.secure) res.set(HSTS.name, HSTS.value)
    else if (!allowPlainHttp) throw new Refusal('https_required', 'plain HTTP is not accepted; use https')
    next()
  }
}
