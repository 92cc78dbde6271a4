import { ERROR_STATUS } from '@onward/contract'
import {
  addressOf,
  expectedRefusal,
  isForm,
  type Log,
  noteError,
  publicUrlOf,
  Refusal,
  readBody,
  refusalOf,
  requestIdOf,
} from '@onward/runtime'
import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express'
import { nothingHere } from '../connect/pages/problem.ts'
import type { Context } from '../context.ts'
import { findApplication } from '../db/applications.ts'
import { submitApproval } from '../sign-in/approve.ts'
import { beginSignIn, openApproval } from '../sign-in/begin.ts'
import { openClientDocuments } from '../sign-in/client-documents.ts'
import { authenticateClient, type Fields, registerClient } from '../sign-in/clients.ts'
import { continueHandOff, continueOpenId, submitConsent, submitSignIn } from '../sign-in/consent.ts'
import { resourceMetadata, serverMetadata } from '../sign-in/metadata.ts'
import { OAuthProblem } from '../sign-in/oauth-problem.ts'
import type { SignInParts } from '../sign-in/parts.ts'
import { openSignInLink, submitSignInLink } from '../sign-in/sign-in-link.ts'
import { issueTokens, revokeToken } from '../sign-in/tokens.ts'
import { FORM_LIMIT, pageRouter, queryOf, sendPageErrors } from './pages.ts'

/** The path of an application's MCP URL. */
export const MCP_OF_APPLICATION = '/mcp/:app_key'

const RESOURCE = '/.well-known/oauth-protected-resource'
const SERVERS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
const ENDPOINTS = /^\/oauth\/(token|register|revoke)\/?$/i
const REGISTRATION_LIMIT = 16_384
/** Registrations of one address in a minute. Hosts in a cloud register for many users from few addresses. */
const REGISTRATION_QUOTA = 120

/** The paths of the sign-in, for the log. */
export const SIGN_IN_PATHS = [...SERVERS, RESOURCE, `${RESOURCE}${MCP_OF_APPLICATION}`, '/oauth/*']

/** Serves the metadata, the pages and the endpoints with which MCP clients sign their users in. */
export function serveSignIn(app: Express, ctx: Context): void {
  app.use(['/.well-known', '/oauth'], (req, res, next) => {
    ctx.rateLimits.countAnonymous(req, res)
    next()
  })
  serveMetadata(app, ctx)
  app.use(ENDPOINTS, (_req, res, next) => {
    res.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    next()
  })
  const readForm = [requireForm, ...readBody(FORM_LIMIT)]
  const countRegistration: RequestHandler = (req, res, next) => {
    ctx.rateLimits.count(res, [{ name: 'client-registrations', key: addressOf(req), quota: REGISTRATION_QUOTA }])
    next()
  }
  app.post('/oauth/register', countRegistration, ...readBody(REGISTRATION_LIMIT), async (req, res) => {
    res.status(201).json(await registerClient(ctx.db, req.body))
  })
  app.post('/oauth/token', ...readForm, async (req, res) => {
    const fields = fieldsOf(req)
    const clientId = await authenticateClient(ctx.db, req.headers.authorization, fields)
    res.json(await issueTokens(ctx, publicUrlOf(ctx.config.publicUrl, req), clientId, fields))
  })
  app.post('/oauth/revoke', ...readForm, async (req, res) => {
    const fields = fieldsOf(req)
    await revokeToken(ctx, await authenticateClient(ctx.db, req.headers.authorization, fields), fields)
    res.json({})
  })
  app.use(ENDPOINTS, sendOAuthErrors(ctx.log))
  app.use('/oauth', signInPages(ctx), sendPageErrors(ctx.log))
}

/** Serves the metadata at the root, and where the path of the MCP URL or of PUBLIC_URL is added to the well-known path. */
function serveMetadata(app: Express, ctx: Context): void {
  const publicUrl = (req: Request) => publicUrlOf(ctx.config.publicUrl, req)
  const isOwnPath = (req: Request, added: string) => added === '' || added === new URL(publicUrl(req)).pathname
  for (const path of SERVERS) {
    app.get([path, `${path}/*added`], (req, res) => {
      if (!isOwnPath(req, req.path.slice(path.length))) throw noMetadata()
      res.json(serverMetadata(publicUrl(req)))
    })
  }
  app.get([RESOURCE, `${RESOURCE}/*added`], async (req, res) => {
    const added = req.path.slice(RESOURCE.length)
    if (isOwnPath(req, added)) return void res.json(resourceMetadata(publicUrl(req)))
    const { pathname } = new URL(publicUrl(req))
    const [, prefix, appKey = ''] = /^(.*)\/mcp\/([\w-]+)$/.exec(added) ?? []
    const application = prefix === pathname.replace(/\/$/, '') || prefix === '' ? await findApplication(ctx.db, appKey) : undefined
    if (application === undefined) throw noMetadata()
    res.json(resourceMetadata(publicUrl(req), application))
  })
}

function noMetadata(): Refusal {
  return new Refusal('not_found', 'there is no such server or MCP URL')
}

function signInPages(ctx: Context): RequestHandler {
  const parts: SignInParts = { ...ctx, documents: openClientDocuments(ctx.oauth) }
  const { router, get, post } = pageRouter(ctx)
  get('/authorize', (visit, req) => beginSignIn(parts, visit, queryOf(req)))
  post('/authorize', (visit, { body }) => submitSignIn(parts, visit, body))
  post('/consent', (visit, { body }) => submitConsent(parts, visit, body))
  get('/approvals/:id', (visit, { params }) => openApproval(parts, visit, params.id))
  post('/approvals', (visit, { body }) => submitApproval(parts, visit, body))
  get('/callback', (visit, req) => continueOpenId(parts, visit, queryOf(req)))
  get('/continue/:link', (visit, { params, query }) => continueHandOff(parts, visit, params.link, query.request))
  get('/link/:token', (visit) => openSignInLink(ctx, visit))
  post('/link/:token', (visit) => submitSignInLink(ctx, visit))
  router.use(() => {
    throw nothingHere()
  })
  return router
}

const requireForm: RequestHandler = (req, _res, next) => {
  if (!isForm(req)) throw new OAuthProblem('invalid_request', 'send the parameters as application/x-www-form-urlencoded')
  next()
}

/** Returns the fields of a form, without empty ones. Throws an OAuthProblem if one is sent twice. */
function fieldsOf(req: Request): Fields {
  const entries = Object.entries(req.body as Readonly<Record<string, unknown>>)
  const twice = entries.find(([, value]) => typeof value !== 'string')
  if (twice !== undefined) throw new OAuthProblem('invalid_request', `${twice[0].slice(0, 60)}: must be sent once`)
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Fields
}

/** Answers each failure as OAuth clients expect it. */
function sendOAuthErrors(log: Log): ErrorRequestHandler {
  return (err, _req, res, _next) => {
    if (res.headersSent) return void res.destroy()
    if (err instanceof OAuthProblem) {
      if (err.status === 401) res.set('WWW-Authenticate', 'Basic realm="oauth"')
      return void res.status(err.status).json({ error: err.error, error_description: err.message })
    }
    if (expectedRefusal(err) === undefined) log.error({ err, request_id: requestIdOf(res) }, 'a request of an OAuth client failed')
    const { code, message, extras } = refusalOf(err)
    noteError(res, code)
    if (extras.retryAfterSeconds !== undefined) res.set('Retry-After', String(extras.retryAfterSeconds))
    const status = ERROR_STATUS[code]
    const error = status === 429 || status === 503 ? 'temporarily_unavailable' : status < 500 ? 'invalid_request' : 'server_error'
    res.status(status).json({ error, error_description: message })
  }
}
