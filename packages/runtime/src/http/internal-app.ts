import express, { type Express, type RequestHandler } from 'express'
import { readMetrics } from '../cluster.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { inTime } from '../time.ts'
import { readBody } from './bodies.ts'
import { checkRequest } from './check-request.ts'
import { makeEndpoints } from './endpoints.ts'
import { refuseUnknownPath, sendErrors } from './errors.ts'
import { logRequests, type RequestSeconds } from './log-requests.ts'
import { type MountOptions, mount } from './mount.ts'
import { assignRequestId } from './request-id.ts'
import { sendResponses } from './responses.ts'
import type { Route } from './route.ts'

export type InternalParts<Context> = MountOptions & {
  readonly context: Context
  readonly routes: readonly Route<Context>[]
  /** Admits the holder of ADMIN_TOKEN to the admin API. */
  readonly authenticate: RequestHandler
  readonly metrics: Metrics
  readonly seconds: RequestSeconds
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
  sendResponses(app)
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
  app.use('/admin', parts.authenticate, ...readBody(32 * 1_048_576))
  mount(app, parts.context, parts.routes, parts)
  app.use(refuseUnknownPath(endpoints), sendErrors(parts.log))
  return app
}

async function answersInTime(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await inTime(2_000, check())
    return true
  } catch {
    return false
  }
}
