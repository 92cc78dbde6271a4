import express, { type Express, type RequestHandler } from 'express'
import { readMetrics } from '../cluster.ts'
import type { Log } from '../log.ts'
import { Gauge, type Metrics, shareReads } from '../metrics.ts'
import { inTime } from '../time.ts'
import { VERSION } from '../version.ts'
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
  /** The parts that the service uses, by name. */
  readonly checks: Readonly<Record<string, PartCheck>>
}

export type PartCheck = {
  /** Rejects while the part is down. */
  readonly check: () => Promise<unknown>
  /** Whether the service is not ready without the part. Otherwise it is `degraded`. */
  readonly needed: boolean
}

const INTERNAL_PATHS = ['/healthz', '/readyz', '/metrics']

/** Returns the app of the internal port: health, metrics, and the admin API behind a bearer token. The port must not be public. */
export function internalApp<Context>(parts: InternalParts<Context>): Express {
  const endpoints = makeEndpoints(
    parts.routes.map(({ endpoint }) => endpoint),
    INTERNAL_PATHS,
  )
  const requests = logRequests({ ...parts, endpoints, senderOf: () => ({}), probes: INTERNAL_PATHS })
  const app = express().disable('x-powered-by').disable('etag')
  sendResponses(app)
  app.use(assignRequestId, requests, checkRequest)
  app.get('/healthz', (_req, res) => {
    res.json({ status: 'ok', version: VERSION })
  })
  const readParts = shareReads(openPartChecks(parts))
  app.get('/readyz', async (_req, res) => {
    const all = await readParts()
    const ready = all.every(({ up, needed }) => up || !needed)
    const status = all.every(({ up }) => up) ? 'ok' : ready ? 'degraded' : 'unavailable'
    const states = all.map(({ name, up }) => [name, up ? 'up' : 'down'])
    res.status(ready ? 200 : 503).json({ status, parts: Object.fromEntries(states) })
  })
  new Gauge({
    name: 'onward_part_up',
    help: 'Whether a part that the service uses responds, as in /readyz: 1 or 0.',
    labelNames: ['part'] as const,
    registers: [parts.metrics],
    async collect() {
      for (const { name, up } of await readParts()) this.set({ part: name }, up ? 1 : 0)
    },
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

type PartState = { readonly name: string; readonly needed: boolean; readonly up: boolean }

/** Returns a function that checks all parts. It logs when a part goes down or comes back. */
function openPartChecks({ checks, log }: Pick<InternalParts<unknown>, 'checks' | 'log'>): () => Promise<PartState[]> {
  const down = new Set<string>()
  return async () =>
    await Promise.all(
      Object.entries(checks).map(async ([name, { check, needed }]) => {
        const problem = await problemOf(check)
        const up = problem === undefined
        if (up && down.delete(name)) log.info({ part: name }, 'a part is up again')
        if (!up && !down.has(name)) {
          down.add(name)
          log.error({ part: name, err: problem }, 'a part is down')
        }
        return { name, needed, up }
      }),
    )
}

/** Returns why a part does not respond; undefined if it does. */
async function problemOf(check: () => Promise<unknown>): Promise<unknown> {
  try {
    await inTime(2_000, check())
    return undefined
  } catch (err) {
    return err ?? new Error('failed')
  }
}
