import express, { type Express, type RequestHandler } from 'express'
import { ConfigError } from '../env.ts'
import { Refusal } from '../refusal.ts'
import { checkRequest, checkTransport } from './check-request.ts'
import { logRequests, type RequestLog } from './log-requests.ts'
import { assignRequestId } from './request-id.ts'
import { type BeforeResponse, sendResponses } from './responses.ts'

type PublicConfig = { readonly trustedProxies: readonly string[]; readonly allowPlainHttp: boolean }

/** Returns an Express app for a public port, It trusts only listed proxies. */
export function publicApp(config: PublicConfig, requestLog: RequestLog, beforeResponse?: BeforeResponse): Express {
  const app = express().disable('x-powered-by').disable('etag')
  sendResponses(app, beforeResponse)
  try {
    app.set('trust proxy', [...config.trustedProxies])
  } catch (err) {
    throw new ConfigError(`TRUSTED_PROXIES must hold addresses or subnets: ${(err as Error).message}`)
  }
  return app.use(assignRequestId, logRequests(requestLog), checkTransport(config.allowPlainHttp), checkRequest, refuseLoops)
}

/**
 * Refuses a request that an Onward service sent, such as a call to an imported app whose host leads back to us. `openAgent` sends this
 * header (RFC 8586).
 */
const refuseLoops: RequestHandler = (req, _res, next) => {
  const passed = req.headers['cdn-loop']
  if (passed !== undefined && /(^|,)[ \t]*onward[ \t]*(;|,|$)/i.test(String(passed))) {
    throw new Refusal('loop_detected', 'this request came from Onward itself; an app or webhook must not lead back to it')
  }
  next()
}

/** Returns a handler that answers every request with the same JSON document. */
export function serveDocument(document: object): RequestHandler {
  const text = JSON.stringify(document)
  return (_req, res) => {
    res.type('json').send(text)
  }
}
