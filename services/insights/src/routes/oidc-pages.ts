import { timingSafeEqual } from 'node:crypto'
import { COOKIES, isSecure, NOBODY, originOf } from '@onward/access'
import {
  isUnavailable,
  type Log,
  openText,
  Refusal,
  readCookie,
  redirect,
  refusalOf,
  requestIdOf,
  respondWithPages,
  sealText,
  setCookie,
} from '@onward/runtime'
import express, { type Request, type Response, type Router } from 'express'
import type { Context } from '../context.ts'
import { type Found, findPersonOfIdentity } from '../people/find-person.ts'
import { type Attempt, type Identity, OidcError } from '../people/oidc.ts'
import { beginBrowserSession, sessionDigest } from './browser-session.ts'
import { PROBLEM_HEADERS, type ProblemPage, renderProblem } from './oidc-problem.ts'
import { returnPath } from './return-path.ts'

/** The paths that `oidcPages` serves below the public address. */
export const OIDC_PATHS = ['/console/oidc/start', '/console/oidc/callback']

/** How long a person has to sign in at the provider. */
const ATTEMPT_MS = 10 * 60_000

/**
 * What the cookie holds, encrypted, between the beginning of a sign-in and the callback. `replacedDigest` is the digest of the session that
 * the browser had, in hex: with the callback, which another site opens, the browser does not send its cookie.
 */
type Pending = Attempt & { readonly returnTo: string; readonly until: number; readonly replacedDigest?: string | undefined }

/** The name under which the cookie is encrypted. */
const PURPOSE = 'oidc-attempt'

/**
 * Serves the two addresses of a sign-in with an OpenID provider. They are outside `/console/api`, because browsers open them as pages, without
 * the header of the console. All failures are answered with a page.
 */
export function oidcPages(ctx: Context): Router {
  const router = express.Router()
  router.use((req, res, next) => {
    res.set(PROBLEM_HEADERS)
    ctx.rateLimits.countAnonymous(req, res)
    next()
  })
  router.get('/start', async (req, res) => await start(ctx, req, res))
  router.get('/callback', async (req, res) => await finish(ctx, req, res))
  router.use((_req, res) => sendProblem(ctx, res, PROBLEMS.nothing))
  router.use(
    respondWithPages(
      (err, res) => logFailure(ctx.log, err, requestIdOf(res)),
      (err, res) => sendProblem(ctx, res, problemOf(err)),
    ),
  )
  return router
}

/** Sends the browser to the provider. A link of another site leads only to the sign-in page, so that no site can sign a visitor in. */
async function start(ctx: Context, req: Request, res: Response): Promise<void> {
  if (ctx.oidc === undefined) return sendProblem(ctx, res, PROBLEMS.notConfigured)
  const site = req.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return redirect(res, consoleUrl(ctx, '/sign-in'))
  const { url, attempt } = await ctx.oidc.begin()
  const replacedDigest = sessionDigest(ctx, req)?.toString('hex')
  const pending: Pending = { ...attempt, returnTo: returnPath(req.query.return_to), until: Date.now() + ATTEMPT_MS, replacedDigest }
  setAttempt(ctx, res, sealText(ctx.sealer, JSON.stringify(pending), PURPOSE))
  redirect(res, url)
}

/** Ends the sign-in that began in this browser, and sends the browser back to where it began. */
async function finish(ctx: Context, req: Request, res: Response): Promise<void> {
  if (ctx.oidc === undefined) return sendProblem(ctx, res, PROBLEMS.notConfigured)
  const pending = readAttempt(ctx, req)
  const query = new URLSearchParams(req.originalUrl.split('?')[1])
  // Another page can open this address with any query. It must not end the sign-in of this browser.
  if (pending === undefined || !equals(query.get('state') ?? '', pending.state)) return sendProblem(ctx, res, PROBLEMS.stale)
  setAttempt(ctx, res, null)
  const identity = await ctx.oidc.finish(query, pending)
  const found = await signIn(ctx, { request: req, response: res }, identity, pending.replacedDigest)
  if (found.kind === 'found') redirect(res, consoleUrl(ctx, pending.returnTo))
  else sendProblem(ctx, res, refusedPage(found))
}

/** Begins the session of an identity, if it belongs to a person with access. The audit log shows this, and also that it was refused. */
async function signIn(
  ctx: Context,
  { request, response }: { readonly request: Request; readonly response: Response },
  identity: Identity,
  replacedDigest: string | undefined,
): Promise<Found> {
  const { issuer, subject, email = '' } = identity
  const target = { method: 'oidc', issuer, subject: subject.slice(0, 255), email }
  const entry = { actor: NOBODY, workspaceId: null, action: 'session.begin', target, ...originOf(request, response) }
  const id = await ctx.access.audit.begin(entry)
  try {
    const found = await findPersonOfIdentity(ctx.db, identity)
    if (found.kind !== 'found') {
      await ctx.access.audit.end(id, { outcome: 'refused', code: 'role_required', before: null, after: null })
      return found
    }
    const digest = replacedDigest === undefined ? undefined : Buffer.from(replacedDigest, 'hex')
    const signedIn = { personId: found.person.id, workspaceId: null, method: 'oidc' } as const
    const { session, replaced } = await beginBrowserSession(ctx, { request, response }, signedIn, digest)
    const after = { person_id: found.person.id, session_id: session.id, workspace_id: null, method: session.method }
    await ctx.access.audit.end(id, { outcome: 'done', code: null, before: replaced, after })
    return found
  } catch (err) {
    await ctx.access.audit.end(id, { outcome: 'failed', code: refusalOf(err).code, before: null, after: null })
    throw err
  }
}

/** The person is not known to this service, or may not use it. */
function refusedPage(found: Exclude<Found, { kind: 'found' }>): ProblemPage {
  switch (found.kind) {
    case 'unverified':
      return PROBLEMS.unverified
    case 'no-access':
      return {
        status: 403,
        title: 'You have no access to this console',
        text: [
          `You are signed in to your provider${found.email === '' ? '' : ` as ${found.email}`}, but you are not a member of any workspace here.`,
          'Ask an owner of your workspace to invite this e-mail address, or ask the people who operate this installation.',
          'To use another account, sign out at your provider first.',
        ],
      }
    case 'other-account':
      return {
        status: 403,
        title: 'This e-mail address is in use by another account',
        text: [
          `${found.email} has signed in here with another account of your provider, so this account cannot take its place.`,
          'Sign in with that account. If it no longer exists, ask an owner to remove you from the workspace and to invite you again.',
        ],
      }
  }
}

const PROBLEMS = {
  nothing: { status: 404, title: 'There is nothing here', text: ['Check the address, or go to the sign-in page.'] },
  notConfigured: { status: 404, title: 'Single sign-on is not set up', text: ['Use a one-time sign-in link.'] },
  stale: {
    status: 400,
    title: 'This sign-in cannot be completed',
    text: ['It was completed before, took longer than ten minutes, or began in another browser. Start again on the sign-in page.'],
  },
  unverified: {
    status: 403,
    title: 'Your e-mail address is not verified',
    text: ['Your provider does not confirm that the e-mail address is yours. Verify it there, then sign in again.'],
  },
  denied: {
    status: 403,
    title: 'Your provider did not sign you in',
    text: ['You may have cancelled, or may not use this application there.'],
  },
  invalid: {
    status: 400,
    title: 'This sign-in could not be verified',
    text: ['Start again on the sign-in page. If it happens again, tell the people who operate this installation.'],
  },
  misconfigured: {
    status: 500,
    title: 'Single sign-on is not set up correctly',
    text: [
      'You did nothing wrong. Tell the people who operate this installation; the log of insights says what to correct.',
      'Until then, use a one-time sign-in link.',
    ],
  },
  unavailable: {
    status: 503,
    title: 'Your provider does not answer',
    text: ['Single sign-on does not work at the moment. Try again in a minute, or use a one-time sign-in link.'],
  },
  busy: { status: 503, title: 'This does not work right now', text: ['Try again in a few seconds.'] },
  tooMany: { status: 429, title: 'Too many requests', text: ['Wait a minute and try again.'] },
  failed: { status: 500, title: 'Something went wrong', text: ['This is our fault, not yours. Try again later.'] },
} as const satisfies Record<string, ProblemPage>

function problemOf(err: unknown): ProblemPage {
  if (err instanceof OidcError) return PROBLEMS[err.kind]
  if (err instanceof Refusal && err.code === 'rate_limited') return PROBLEMS.tooMany
  return isUnavailable(err) ? PROBLEMS.busy : PROBLEMS.failed
}

/** Neither the path nor the query is logged: they contain codes. */
function logFailure(log: Log, err: unknown, request_id: string): void {
  if (err instanceof Refusal) return
  if (err instanceof OidcError) log.warn({ request_id, kind: err.kind, reason: err.message }, 'a sign-in with the OpenID provider failed')
  else log.error({ err, request_id }, 'a sign-in with the OpenID provider failed')
}

function sendProblem(ctx: Context, res: Response, problem: ProblemPage): void {
  if (problem.status === 503) res.set('Retry-After', '60')
  res
    .status(problem.status)
    .type('html')
    .send(renderProblem(problem, consoleUrl(ctx, '/sign-in')))
}

/** Returns the address of a page of the console. */
function consoleUrl({ config: { publicUrl = '' } }: Context, path: string): string {
  return `${publicUrl}/console${path}`
}

function equals(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** `SameSite=Lax`, because the browser must send the cookie when the provider redirects it to us. `null` deletes the cookie. */
function setAttempt({ config }: Context, res: Response, value: string | null): void {
  const expires = new Date(value === null ? 0 : Date.now() + ATTEMPT_MS)
  setCookie(res, COOKIES.attempt, value, { secure: isSecure(config), expires, sameSite: 'lax' })
}

/** Returns the sign-in that began in this browser; undefined if there is none, or it has expired. */
function readAttempt({ config, sealer }: Context, req: Request): Pending | undefined {
  const opened = openText(sealer, readCookie(req, COOKIES.attempt, isSecure(config)), PURPOSE)
  const pending: Pending | undefined = opened && JSON.parse(opened)
  return pending !== undefined && pending.until > Date.now() ? pending : undefined
}
