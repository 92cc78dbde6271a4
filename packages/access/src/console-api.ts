import {
  type Endpoints,
  type MountOptions,
  makeEndpoints,
  mount,
  type RateLimits,
  Refusal,
  type Route,
  readCookie,
  refuseUnknownPath,
  serveRoute,
} from '@onward/runtime'
import express, { type Request, type RequestHandler, type Router } from 'express'
import type { Actor } from './guard.ts'
import type { SessionTokens } from './session-tokens.ts'

/** Endpoints of an area, which members use through the console as an application or a program with an API key does directly. */
export type MountedArea<Context> = {
  readonly routes: readonly Route<Context>[]
  /** Sets the caller, counts and admits the request and reads its body, as for the area itself. */
  readonly handlers: readonly RequestHandler[]
}

export type ConsoleApiParts<Context> = {
  readonly context: Context
  readonly routes: readonly Route<Context>[]
  readonly area: MountedArea<Context>
  /** Handlers that admit a request of the admin API and read its body, of at most `CONSOLE_BODY_LIMIT`. */
  readonly handlers: readonly RequestHandler[]
  readonly tokens: SessionTokens
  /** Returns what the holder of an access token may do now; undefined if that has ended. Called for each request that may change something. */
  readonly rightsNow: (actor: Actor) => Promise<Actor | undefined>
  readonly rateLimits: RateLimits
  /** Whether browsers reach the console over HTTPS. */
  readonly secure: boolean
  readonly options: Required<MountOptions>
}

/** The admin API for people: under `/console/api/<service>` of the public port. */
export type ConsoleApi = { readonly router: Router; readonly endpoints: Endpoints }

/** The longest body of the admin API. An app file with a thousand functions has several megabytes. */
export const CONSOLE_BODY_LIMIT = 16 * 1_048_576
/** The longest body of a request without a session, such as signing in. */
const ANONYMOUS_BODY_LIMIT = 16_384

/**
 * Returns the admin API behind sessions. It accepts access tokens only, never ADMIN_TOKEN. Each route passes the guard, so it answers only
 * what the holder of the token may see.
 */
export function openConsoleApi<Context>(parts: ConsoleApiParts<Context>): ConsoleApi {
  const { context, routes, handlers, area, options } = parts
  const endpoints = makeEndpoints([...routes, ...area.routes].map(({ endpoint }) => endpoint))
  const router = express.Router()
  router.use(authenticateMember(parts))
  for (const route of area.routes) router[route.endpoint.method](route.endpoint.path, ...area.handlers, serveRoute(context, route, options))
  router.use(limitAnonymous, ...handlers)
  mount(router, context, routes, options)
  router.use(refuseUnknownPath(endpoints))
  return { router, endpoints }
}

/** Returns routes with a prefix before the path of each endpoint. The prefix names the workspace, or the application and the user. */
export function prefixed<Context>(prefix: string, routes: readonly Route<Context>[]): Route<Context>[] {
  return routes.map(({ endpoint, handle }) => ({ endpoint: { ...endpoint, path: prefix + endpoint.path }, handle }))
}

/** Returns whether browsers reach the console over HTTPS, so that its cookies can be restricted to it. */
export function isSecure({
  publicUrl,
  allowPlainHttp,
}: {
  readonly publicUrl: string | undefined
  readonly allowPlainHttp: boolean
}): boolean {
  return publicUrl === undefined ? !allowPlainHttp : publicUrl.startsWith('https:')
}

/** The cookies of the console. */
export const COOKIES = { session: 'onward-session', access: 'onward-access', attempt: 'onward-sign-in' } as const

/** Returns the credential of the header Authorization, if there is one. */
export function bearerOf({ headers }: Request): string | undefined {
  return /^Bearer +([\w.-]+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** Requests a minute of one person, in all sessions and with all tokens. A page that is open sends about ten. */
const PERSON_QUOTA = 1_200

/**
 * Sets the actor if the request has a valid access token: in the header `Authorization: Bearer`, or in the cookie. With that header, no cookie is
 * read. Any other request must have `X-Onward-Console: 1`, which other sites cannot send, so that they cannot act with the cookies of a member.
 */
function authenticateMember<Context>({ tokens, rightsNow, rateLimits, secure }: ConsoleApiParts<Context>): RequestHandler {
  return async (req, res, next) => {
    res.set('Cache-Control', 'no-store')
    const isBearer = /^Bearer /i.test(req.headers.authorization ?? '')
    if (isBearer) delete req.headers.cookie
    else requireSameSite(req)
    const token = isBearer ? bearerOf(req) : readCookie(req, COOKIES.access, secure)
    const actor = token === undefined ? undefined : await tokens.verify(token)
    if (actor === undefined) rateLimits.countAnonymous(req, res)
    else rateLimits.count(res, [{ name: 'console', key: actor.id, quota: PERSON_QUOTA }])
    res.locals.actor = actor === undefined || req.method === 'GET' ? actor : await rightsNow(actor)
    next()
  }
}

function requireSameSite({ headers }: Request): void {
  const site = headers['sec-fetch-site']
  if (headers['x-onward-console'] !== '1' || (site !== undefined && site !== 'same-origin')) {
    throw new Refusal('cross_site_request', 'only pages of the console may send cookies; send Authorization: Bearer instead')
  }
}

const limitAnonymous: RequestHandler = (req, res, next) => {
  const { 'content-length': length = 0, 'transfer-encoding': chunked } = req.headers
  if (res.locals.actor === undefined && (chunked !== undefined || Number(length) > ANONYMOUS_BODY_LIMIT)) {
    throw new Refusal('unauthenticated', 'sign in first, or send an access token as Authorization: Bearer')
  }
  next()
}
