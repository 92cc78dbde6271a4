import type { RequestHandler, Response } from 'express'
import { uuidv7 } from '../uuid.ts'

/** Ids that callers may choose: long enough to be unique, and safe in log lines. */
const SANE = /^[\w.-]{8,128}$/

/**
 * Names each request: by its header `X-Request-ID` if that is a sane id, or else by a new UUID. The response, its error body and all log
 * lines about the request carry the id.
 */
export const assignRequestId: RequestHandler = (req, res, next) => {
  const given = req.headers['x-request-id']
  const id = typeof given === 'string' && SANE.test(given) ? given : uuidv7()
  res.locals.requestId = id
  res.setHeader('X-Request-ID', id)
  next()
}

export function requestIdOf(res: Response): string {
  return res.locals.requestId
}
