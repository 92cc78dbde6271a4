import { randomBytes } from 'node:crypto'
import { originOf } from '@onward/access'
import { ERROR_STATUS } from '@onward/contract'
import {
  answerWithPages,
  cookieName,
  isForm,
  isUnavailable,
  type Log,
  PAGE_HEADERS,
  Refusal,
  readBody,
  readCookie,
  redirect,
  requestIdOf,
} from '@onward/runtime'
import express, { type ErrorRequestHandler, type Request, type Response, type Router } from 'express'
import { changeLimits } from '../auth.ts'
import type { Audited } from '../connect/audit.ts'
import { publicUrlOf } from '../connect/login-link.ts'
import { openChange, openLink, submitChange } from '../connect/manage-accounts.ts'
import { cancelConnect, openConnect } from '../connect/open-connect.ts'
import { type Reply, render } from '../connect/pages/page.ts'
import { PageProblem, problemPage, START_AGAIN } from '../connect/pages/problem.ts'
import { finishProvider } from '../connect/provider.ts'
import { submitConnect } from '../connect/submit-connect.ts'
import type { Context } from '../context.ts'
import { MAX_ACCOUNTS } from '../db/account-changes.ts'

const FORM_LIMIT = 65_536

/** The variables in the path of a change of an account. */
type Change = { readonly token: string; readonly id: string; readonly change: string }

/** Serves the pages on which a user's browser connects an account. All responses are HTML; `answerPageErrors` answers failures. */
export function connectPages(ctx: Context): Router {
  const router = express.Router()

  router.get('/callback', async (req, res) => {
    const callback = new URLSearchParams(req.originalUrl.split('?')[1])
    sendReply(res, await finishProvider(ctx, { callback, ...visitOf(ctx, req, res) }))
  })

  const readForm = readBody(FORM_LIMIT)
  const bound = (res: Response, publicUrl: string, { reply, browser }: { reply: Reply; browser: string }) => {
    writeBrowserCookie(res, publicUrl, browser)
    sendReply(res, reply)
  }

  router.get('/accounts/:token', async (req: Request<{ token: string }>, res: Response) => {
    const visit = { ...visitOf(ctx, req, res), token: req.params.token }
    bound(res, visit.publicUrl, await openLink(ctx, visit))
  })

  router.get('/accounts/:token/:id/:change', async (req: Request<Change>, res: Response) => {
    const visit = { ...visitOf(ctx, req, res), token: req.params.token }
    bound(res, visit.publicUrl, await openChange(ctx, visit, req.params.id, req.params.change))
  })

  router.post('/accounts/:token/:id/:change', ...readForm, async (req: Request<Change>, res: Response) => {
    const visit = { ...visitOf(ctx, req, res), token: req.params.token }
    requireOwnForm(req, visit.publicUrl)
    bound(res, visit.publicUrl, await submitChange(ctx, visit, req.params.id, req.params.change, req.body))
  })

  router.get('/:token/cancel', async (req: Request<{ token: string }>, res: Response) => {
    sendReply(res, await cancelConnect(ctx, req.params.token))
  })

  router.get('/:token', async (req: Request<{ token: string }>, res: Response) => {
    const { scheme, redirect_uri: redirectUri } = req.query
    const visit = visitOf(ctx, req, res)
    const { page, browser } = await openConnect(ctx, { ...visit, token: req.params.token, scheme, redirectUri })
    if (browser !== undefined) writeBrowserCookie(res, visit.publicUrl, browser)
    sendReply(res, page)
  })

  router.post('/:token', ...readForm, async (req: Request<{ token: string }>, res: Response) => {
    const visit = visitOf(ctx, req, res)
    requireOwnForm(req, visit.publicUrl)
    sendReply(res, await submitConnect(ctx, { ...visit, token: req.params.token, body: req.body }))
  })

  router.use(() => {
    throw new PageProblem(404, 'There is nothing here', START_AGAIN)
  })
  return router
}

/** Answers each failure of the connect pages with a page. Neither path nor query is logged: they contain tokens. */
export function answerPageErrors(log: Log): ErrorRequestHandler {
  return answerWithPages(
    (err, res) => {
      if (!(err instanceof PageProblem || err instanceof Refusal) && statusOf(err) >= 500)
        log.error({ err, request_id: requestIdOf(res), method: res.req.method }, 'a connect page failed')
    },
    (err, res) => sendReply(res, problemPage(err instanceof PageProblem ? err : toProblem(err))),
  )
}

function toProblem(err: unknown): PageProblem {
  const status = statusOf(err)
  if (status === 500) return new PageProblem(500, 'Something went wrong', 'This is our fault, not yours. Please try again later.')
  if (status === 503) return new PageProblem(503, 'This does not work right now', 'Please try again in a few seconds.')
  if (err instanceof Refusal && err.code === 'rate_limited') {
    return new PageProblem(status, 'Too many requests', 'Please wait a minute and try again.')
  }
  if (err instanceof Refusal && err.code === 'too_many_accounts') {
    return new PageProblem(status, 'You have too many accounts of this app', `Disconnect one of the ${MAX_ACCOUNTS}, then start again.`)
  }
  if (err instanceof Refusal && err.code === 'https_required') {
    return new PageProblem(status, 'This page needs a secure connection', 'Open it with https:// instead of http://.')
  }
  return new PageProblem(status, 'This could not be read', START_AGAIN)
}

/** Returns the status of a Refusal, or of an error of Express and its parsers. */
function statusOf(err: unknown): number {
  if (err instanceof Refusal) return ERROR_STATUS[err.code]
  const { status } = (err ?? {}) as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500 ? status : isUnavailable(err) ? 503 : 500
}

function visitOf(ctx: Context, req: Request, res: Response): Audited & { publicUrl: string; browser: string | undefined } {
  const publicUrl = publicUrlOf(ctx.config.publicUrl, req)
  const browser = readCookie(req, COOKIE, publicUrl.startsWith('https:'))
  return { publicUrl, browser, origin: originOf(req, res), countChange: (caller) => ctx.rateLimits.count(res, changeLimits(caller)) }
}

/** Sends a page or a redirect. Its headers keep browsers from caching it and from sending its address to other sites. */
function sendReply(res: Response, reply: Reply): void {
  res.set({
    ...PAGE_HEADERS,
    'Cache-Control': 'no-store',
    // The last page sends its result to the window that opened it; a stricter policy would separate the two.
    'Cross-Origin-Opener-Policy': 'unsafe-none',
  })
  if ('location' in reply) {
    redirect(res.set('Content-Security-Policy', `default-src 'none'`), reply.location)
    return
  }
  const { document, policy } = render(reply, randomBytes(16).toString('base64'))
  res.status(reply.status).set('Content-Security-Policy', policy).type('html').send(document)
}

/**
 * Refuses a form that a page of another site sent. For our own form, browsers can send the origin `null`, because our pages set the
 * Referrer-Policy `no-referrer`. Browsers that send `null` also send Sec-Fetch-Site. A request with neither header still needs the
 * session's token, which only our page contains.
 */
function requireOwnForm(req: Request, publicUrl: string): void {
  if (!isForm(req)) throw new PageProblem(415, 'This was not sent by our page', 'Please use the form.')
  const { origin, 'sec-fetch-site': site } = req.headers
  const own = origin === undefined || origin === 'null' || origin === new URL(publicUrl).origin
  if (!own || (site !== undefined && site !== 'same-origin')) {
    throw new PageProblem(403, 'This form was sent from another site', START_AGAIN)
  }
}

/** The cookie binds a session to the browser that began it. */
const COOKIE = 'onward-connect'
/** Longer than the lifetimes of a login link and its session together. */
const COOKIE_SECONDS = 3_600

/** `SameSite=Lax`, because the browser must send the cookie when the provider redirects it to us. */
function writeBrowserCookie(res: Response, publicUrl: string, value: string): void {
  const secure = publicUrl.startsWith('https:')
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${COOKIE_SECONDS}${secure ? '; Secure' : ''}`
  res.append('Set-Cookie', `${cookieName(COOKIE, secure)}=${value}; ${attributes}`)
}
