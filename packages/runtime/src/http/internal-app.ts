import { createHash, timingSafeEqual } from 'node:crypto'
import express, { type Express, type RequestHandler } from 'express'
import { readMetrics } from '../cluster.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { Refusal } from '../refusal.ts'
import { inTime } from '../time.ts'
import { sendAnswers } from './answers.ts'
import type { AuditLog } from './audit.ts'
import { readBody } from './bodies.ts'
import { checkRequest } from './check-request.ts'
import { makeEndpoints } from './endpoints.ts'
import { answerErrors, refuseUnknownPath } from './errors.ts'
import { BOOTSTRAP, type Guard } from './guard.ts'
import { logRequests, type RequestSeconds } from './log-requests.ts'
import { mount } from './mount.ts'
import { addressOf, type RateLimits } from './rate-limits.ts'
import { assignRequestId } from './request-id.ts'
import type { Route } from './route.ts'

export type InternalParts<Context> = {
  readonly context: Context
  readonly routes: readonly Route<Context>[]
  readonly adminToken: string
  readonly checkAnswers: boolean
  readonly metrics: Metrics
  readonly seconds: RequestSeconds
  readonly rateLimits: RateLimits
  readonly guard: Guard
  readonly audit: AuditLog
  readonly log: Log
  /** A check for each part that the service needs, by name. It rejects when the part is down. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>
}

const INTERNAL_PATHS = ['/healthz', '/readyz', '/metrics']

/** Returns the app of the internal port: health, metrics, and the admin API behind a bearer token. The port must not be public. */
export function internalApp<Context>(parts: InternalParts<Context>): Express {
  const endpoints = makeEndpoints(
    parts.routes.map(({ endpoint }) => endpoint),
    INTERNAL_PATHS,
  )
  const requests = logRequests({ ...parts, endpoints, senderOf: () => ({}) })
  const app = express().disable('x-powered-by').disable('etag')
  sendAnswers(app)
  app.use(assignRequestId, requests, checkRequest)
  app.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' })
  })
  app.get('/readyz', async (_req, res) => {
    const states = await Promise.all(Object.entries(parts.checks).map(async ([name, check]) => [name, await answersInTime(check)] as const))
    const ready = states.every(([, up]) => up)
    res
      .status(ready ? 200 : 503)
      .json({ status: ready ? 'ok' : 'unavailable', parts: Object.fromEntries(states.map(([name, up]) => [name, up ? 'up' : 'down'])) })
  })
  app.get('/metrics', async (_req, res) => {
    res.type(parts.metrics.contentType).send(await readMetrics(parts.metrics))
  })
  // An app file with a thousand functions has several megabytes.
  app.use('/admin', requireBearer(parts.adminToken, parts.rateLimits), ...readBody(32 * 1_048_576))
  mount(app, parts.context, parts.routes, parts)
  app.use(refuseUnknownPath(endpoints), answerErrors(parts.log))
  return app
}

function requireBearer(token: string, { wrongCredentials }: RateLimits): RequestHandler {
  const expected = digest(`Bearer ${token}`)
  return (req, res, next) => {
    const address = addressOf(req)
    wrongCredentials.check(address, 'admin')
    if (!timingSafeEqual(digest(req.headers.authorization ?? ''), expected)) {
      wrongCredentials.count(address)
      throw new Refusal('unauthenticated', 'send the admin token as Authorization: Bearer')
    }
    wrongCredentials.trust(address, 'admin')
    res.locals.actor = BOOTSTRAP
    next()
  }
}

/** Returns a digest to compare. Digests have equal lengths, so the comparison takes the same time for every token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

async function answersInTime(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await inTime(2_000, check())
    return true
  } catch {
    return false
  }
}
