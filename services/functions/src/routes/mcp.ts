import { ERROR_STATUS } from '@onward/contract'
import { ExactNumber } from '@onward/json'
import {
  addressOf,
  expectedRefusal,
  type Log,
  noteError,
  publicUrlOf,
  Refusal,
  refusalOf,
  requestIdOf,
  type UserKey,
} from '@onward/runtime'
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, type Router } from 'express'
import { loginUrls } from '../connect/login-link.ts'
import { hashToken } from '../connect/session.ts'
import type { Context } from '../context.ts'
import { applicationExists } from '../db/applications.ts'
import { findMcpToken, touchMcpToken, type UsableMcpToken } from '../db/mcp-tokens.ts'
import type { McpRequest } from '../mcp/serve.ts'
import { mayConnectApp } from '../mcp/tools.ts'
import type { Visit } from '../mcp/visit.ts'
import { approvalUrl } from '../policy/approvals.ts'
import { policyOf } from '../policy/enforce.ts'
import { narrowPolicy } from '../policy/policy.ts'
import { digestsOfValid, type ServedApplication } from '../served-applications.ts'
import { challengeOf } from '../sign-in/metadata.ts'
import { countRequest, enterForUser, requireActive } from './enter.ts'
import { goneSignal } from './route.ts'

/**
 * Serves MCP clients: at `/mcp` those with a token of `POST /mcp/tokens`, and at the MCP URL of an application also those whose users have
 * signed in. `respond` answers their messages. Errors are JSON-RPC errors.
 */
export function mcpEndpoint(ctx: Context, respond: (request: McpRequest) => Promise<globalThis.Response>, bodyLimit: number): Router {
  const router = express.Router({ mergeParams: true })
  const enter = enterForUser(ctx, { identify: authenticateClient(ctx), bodyLimit })
  router.use(requireOwnHost(ctx.config.publicUrl), ...enter, requireActive(ctx))
  router.use(async (req, res) => {
    const body: unknown = req.method === 'POST' ? withPlainId(req.body) : undefined
    // The revision of 2025-03-26 allowed several messages in a request. Each would be a call that no rate limit counts.
    if (Array.isArray(body)) throw new Refusal('invalid_body', 'send one JSON-RPC message in each request')
    const response = await respond({ visit: mcpVisitOf(ctx, req, res), request: toWebRequest(req), body })
    res.status(response.status)
    for (const [name, value] of response.headers) if (name !== 'connection') res.setHeader(name, value)
    // No response goes on after its result: the server sends no notices.
    res.send(await response.text())
  })
  router.use(sendMcpErrors(ctx.log))
  return router
}

/**
 * Returns a message with its id as a plain number: some clients write ids as `1.0`. An id that JavaScript cannot hold stays, and the library
 * refuses it, because its response would have another id.
 */
function withPlainId(message: unknown): unknown {
  const id: unknown = Object(message).id
  const number = id instanceof ExactNumber ? id.asNumber() : undefined
  return number === undefined ? message : { ...Object(message), id: number }
}

/**
 * Refuses other host names than our own: a web page can give its own name the address of this server, and then read the responses. A server on
 * the developer's machine, also one without PUBLIC_URL, has all three names of this machine.
 */
function requireOwnHost(publicUrl: string | undefined): RequestHandler {
  const own = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname
  const allowed = LOCAL_HOSTS.includes(own) ? LOCAL_HOSTS : [own]
  return (req, _res, next) => {
    if (!allowed.includes(req.hostname)) throw new Refusal('origin_not_allowed', `the host of the MCP URL must be ${own}`)
    next()
  }
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** The token is read for each request, so that a revoked token is refused at once. */
function authenticateClient(ctx: Context): RequestHandler {
  const { wrongCredentials } = ctx.rateLimits
  return async (req, res, next) => {
    const { app_key: appKeyOfUrl } = req.params as { app_key?: string }
    const [, secret, kind] = /^Bearer +((?:onw_)?(mcp|mca)_[\w-]{43,49})$/i.exec(req.headers.authorization ?? '') ?? []
    const hash = hashToken(secret ?? '')
    const [address, credential] = [addressOf(req), hash.toString('base64')]
    wrongCredentials.check(address, credential)
    const found = secret === undefined ? undefined : await findMcpToken(ctx.db, kind === 'mca' ? { accessHash: hash } : { tokenHash: hash })
    // What a user allowed for one MCP URL is good for no other.
    const isHere = kind === 'mca' ? found?.appKey === appKeyOfUrl : (appKeyOfUrl ?? found?.appKey) === found?.appKey
    const token = found !== undefined && isHere && (await hasValidMaker(ctx, found)) ? found : undefined
    if (token === undefined) {
      wrongCredentials.count(address)
      throw appKeyOfUrl === undefined ? noToken() : await signInFirst(ctx, req, appKeyOfUrl)
    }
    wrongCredentials.trust(address, credential)
    const { origin } = req.headers
    if (origin !== undefined && !token.allowedOrigins.includes(origin)) {
      throw new Refusal('origin_not_allowed', 'add this origin to the allowed_origins of the application')
    }
    const { appKey, userId } = token
    const caller: UserKey = { appKey, userId }
    await touchMcpToken(ctx.db, token)
    Object.assign(res.locals, {
      caller,
      application: token,
      token: { ...token, policy: narrowPolicy(await policyOf(ctx, appKey), token.rules) },
    })
    next()
  }
}

/** Without `resource_metadata`: at this URL, a sign-in with OAuth must fail. */
function noToken(): Refusal {
  const text =
    'send a valid MCP token in the header Authorization, as in "Bearer onw_mcp_…"; it may have been revoked or have expired, or its application secret was replaced'
  return new Refusal('unauthenticated', text, [], { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } })
}

/** Returns the Refusal that leads a client to the sign-in of its user. */
async function signInFirst(ctx: Context, req: Request, appKey: string): Promise<Refusal> {
  if (!(await applicationExists(ctx.db, appKey))) {
    return new Refusal('application_not_found', 'there is no such application; the MCP URL ends with its App-Key')
  }
  const challenge = challengeOf(publicUrlOf(ctx.config.publicUrl, req), appKey, req.headers.authorization !== undefined)
  const text = 'sign in with OAuth, or send a valid MCP token; access may have been revoked or have expired'
  return new Refusal('unauthenticated', text, [], { headers: { 'WWW-Authenticate': challenge } })
}

/** Returns whether the secret that made a token is still valid. Before a token is refused, the database is read. */
async function hasValidMaker({ applications }: Context, { appKey, secretDigest }: UsableMcpToken): Promise<boolean> {
  if (secretDigest === null) return true
  const isValid = (application: ServedApplication | undefined) => digestsOfValid(application).some((each) => each.equals(secretDigest))
  return isValid(applications.held(appKey)) || isValid(await applications.read(appKey))
}

function mcpVisitOf(ctx: Context, req: Request, res: Response): Visit {
  const { caller, token } = res.locals as { caller: UserKey; token: Visit['token'] }
  return {
    token,
    caller,
    requestId: requestIdOf(res),
    via: 'mcp',
    opensUrls: false,
    loginUrl: (app) => loginUrls(ctx, caller, req, mayConnectApp(token, app))(app),
    approvalUrl: (id) => approvalUrl(publicUrlOf(ctx.config.publicUrl, req), id),
    countCall: () => countRequest(ctx, res, false),
    countPrediction: () => countRequest(ctx, res, true),
    gone: goneSignal(res),
    onCall: (callId) => void res.setHeader('X-Call-ID', callId),
  }
}

/** Returns the request as the MCP library reads it, without its body and credentials. */
function toWebRequest(req: Request): globalThis.Request {
  const read = Object.entries(req.headers).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name))
  return new Request('http://onward/mcp', { method: req.method, headers: Object.fromEntries(read) as Record<string, string> })
}

/** Answers each failure before the MCP library with a JSON-RPC error. Its `data` has Onward's error code. */
function sendMcpErrors(log: Log): ErrorRequestHandler {
  return (err, _req, res, _next) => {
    const { code, message, details, extras } = refusalOf(err)
    const requestId = requestIdOf(res)
    if (expectedRefusal(err) === undefined) log.error({ err, request_id: requestId }, 'a request of an MCP client failed')
    noteError(res, code)
    if (res.headersSent) {
      res.destroy()
      return
    }
    const { retryAfterSeconds, headers = {} } = extras
    if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds))
    const data = { code, error_details: details, request_id: requestId }
    res
      .set(headers)
      .status(ERROR_STATUS[code])
      .json({ jsonrpc: '2.0', error: { code: SERVER_ERROR, message, data }, id: null })
  }
}

/** The JSON-RPC code for errors of a server's own. */
const SERVER_ERROR = -32_000
