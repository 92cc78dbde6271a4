import type { RequestHandler } from 'express'
import { Refusal } from '../refusal.ts'

/**
 * Refuses plain HTTP. HTTPS is TLS on our own socket, or `X-Forwarded-Proto: https` from a proxy that `trust proxy` lists.
 * Never a redirect: by then the credentials have crossed the wire, and the caller must notice.
 */
export function requireHttps(allowPlain: boolean): RequestHandler {
  return (req, _res, next) => {
    if (!allowPlain && !req.secure) throw new Refusal('https_required', 'use https: plain HTTP is not answered')
    next()
  }
}
