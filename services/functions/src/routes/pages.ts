import { randomBytes } from 'node:crypto'
import { originOf } from '@onward/access'
import { ERROR_STATUS } from '@onward/contract'
import {
  isForm,
  isUnavailable,
  type Log,
  PAGE_HEADERS,
  pathOf,
  publicUrlOf,
  Refusal,
  readBody,
  readCookie,
  redirect,
  requestIdOf,
  respondWithPages,
  setCookie,
  type UserKey,
} from '@onward/runtime'
import { fill, LANGUAGES, type Language, type PageTexts } from '@onward/texts'
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, type Router } from 'express'
import { changeLimits } from '../auth.ts'
import { type Reply, render } from '../connect/pages/page.ts'
import { PageProblem, problemPage, START_AGAIN } from '../connect/pages/problem.ts'
import type { Bound, PageVisit } from '../connect/visit.ts'
import type { Context } from '../context.ts'
import { MAX_ACCOUNTS } from '../db/account-changes.ts'

export const FORM_LIMIT = 65_536

/** The cookie binds a session to the browser that began it. */
const COOKIE = 'onward-connect'
/** Longer than the lifetimes of a login link and its session together. */
const COOKIE_MS = 3_600_000

/** Reports each failure of the pages of users with a page. Neither path nor query is logged: they contain tokens. */
export function sendPageErrors(log: Log): ErrorRequestHandler {
  return respondWithPages(
    (err, res) => {
      if (!(err instanceof PageProblem || err instanceof Refusal) && statusOf(err) >= 500)
        log.error({ err, request_id: requestIdOf(res), method: res.req.method }, 'a page failed')
    },
    (err, res) => sendReply(res, problemPage(err instanceof PageProblem ? err : toProblem(err))),
  )
}

function toProblem(err: unknown): PageProblem {
  const status = statusOf(err)
  const problem = (title: keyof PageTexts['problems'], advice: keyof PageTexts['problems']) =>
    new PageProblem(
      status,
      (t) => t.problems[title],
      (t) => fill(t.problems[advice], { count: MAX_ACCOUNTS }),
    )
  if (status === 500) return problem('wrong', 'wrongAdvice')
  if (status === 503) return problem('notNow', 'notNowAdvice')
  if (err instanceof Refusal && err.code === 'rate_limited') return problem('tooMany', 'tooManyAdvice')
  if (err instanceof Refusal && err.code === 'too_many_accounts') return problem('tooManyAccounts', 'tooManyAccountsAdvice')
  if (err instanceof Refusal && err.code === 'https_required') return problem('needsHttps', 'needsHttpsAdvice')
  return problem('unreadable', 'startAgain')
}

/** Prepares responses with pages: they load their font from the path of our public address, and are in the language of the browser. */
function preparePages({ config }: Pick<Context, 'config'>): RequestHandler {
  return (req, res, next) => {
    res.locals.root = pathOf(config.publicUrl)
    res.locals.language = req.acceptsLanguages(...LANGUAGES) || LANGUAGES[0]
    next()
  }
}

/** Returns the status of a Refusal, or of an error of Express and its parsers. */
function statusOf(err: unknown): number {
  if (err instanceof Refusal) return ERROR_STATUS[err.code]
  const { status } = (err ?? {}) as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500 ? status : isUnavailable(err) ? 503 : 500
}

/** A request for a page. Each path contains some of these variables. */
type PageRequest = Request<{ token?: string; id: string; change: string; link: string }>

type OpenPage = (visit: PageVisit, req: PageRequest) => Promise<Reply | Bound>

/** Returns a router of pages. `get` adds a page, `post` the address of a form. */
export function pageRouter(ctx: Context) {
  const router: Router = express.Router()
  router.use(preparePages(ctx))
  const readForm = readBody(FORM_LIMIT)
  return {
    router,
    get: (path: string, open: OpenPage) => void router.get(path, page(ctx, open)),
    post: (path: string, open: OpenPage) => void router.post(path, ...readForm, page(ctx, open)),
  }
}

function page(ctx: Context, open: OpenPage) {
  return async (req: PageRequest, res: Response): Promise<void> => {
    const publicUrl = publicUrlOf(ctx.config.publicUrl, req)
    const secure = publicUrl.startsWith('https:')
    if (req.method === 'POST') requireOwnForm(req, publicUrl)
    const browser = readCookie(req, COOKIE, secure)
    const countChange = (caller: UserKey) => ctx.rateLimits.count(res, changeLimits(caller))
    const { language } = res.locals as { language: Language }
    const visit = { publicUrl, browser, language, token: req.params.token ?? '', origin: originOf(req, res), countChange }
    const opened = await open(visit, req)
    // `SameSite=Lax`, because the browser must send the cookie when the provider redirects it to us.
    if ('browser' in opened) setCookie(res, COOKIE, opened.browser, { secure, maxAgeMs: COOKIE_MS, sameSite: 'lax' })
    sendReply(res, 'browser' in opened ? opened.reply : opened)
  }
}

/** Returns the query of a request as it was sent. A parameter can occur several times. */
export function queryOf({ originalUrl }: PageRequest): URLSearchParams {
  return new URLSearchParams(originalUrl.split('?')[1])
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
  const { root = '', language = LANGUAGES[0] } = res.locals as { root?: string; language?: Language }
  const { document, policy } = render(reply, { nonce: randomBytes(16).toString('base64'), root, language })
  res.status(reply.status).set('Content-Security-Policy', policy).type('html').send(document)
}

/**
 * Refuses a form that a page of another site sent. For our own form, browsers can send the origin `null`, because our pages set the
 * Referrer-Policy `no-referrer`. Browsers that send `null` also send Sec-Fetch-Site. A request with neither header still needs the
 * session's token, which only our page contains.
 */
function requireOwnForm(req: PageRequest, publicUrl: string): void {
  if (!isForm(req)) {
    throw new PageProblem(
      415,
      (t) => t.problems.notOurPage,
      (t) => t.problems.useForm,
    )
  }
  const { origin, 'sec-fetch-site': site } = req.headers
  const own = origin === undefined || origin === 'null' || origin === new URL(publicUrl).origin
  if (!own || (site !== undefined && site !== 'same-origin')) {
    throw new PageProblem(403, (t) => t.problems.otherSite, START_AGAIN)
  }
}
