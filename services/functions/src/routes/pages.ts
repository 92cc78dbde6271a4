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
  readCookie,
  redirect,
  requestIdOf,
  respondWithPages,
  setCookie,
} from '@onward/runtime'
import { fill, LANGUAGES, type Language, type PageTexts } from '@onward/texts'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { changeLimits } from '../auth.ts'
import type { Audited } from '../connect/audit.ts'
import { type Reply, render } from '../connect/pages/page.ts'
import { PageProblem, problemPage, START_AGAIN } from '../connect/pages/problem.ts'
import type { Context } from '../context.ts'
import { MAX_ACCOUNTS } from '../db/account-changes.ts'

export const FORM_LIMIT = 65_536

export type PageVisit = Audited & {
  /** Our address for browsers. */
  readonly publicUrl: string
  /** The browser's cookie, if it has one. */
  readonly browser: string | undefined
}

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
export function preparePages({ config }: Pick<Context, 'config'>): RequestHandler {
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

/** What a browser's request says of its browser, and what the audit log has of it. */
export function visitOf(ctx: Context, req: Request, res: Response): PageVisit {
  const publicUrl = publicUrlOf(ctx.config.publicUrl, req)
  const browser = readCookie(req, COOKIE, publicUrl.startsWith('https:'))
  return { publicUrl, browser, origin: originOf(req, res), countChange: (caller) => ctx.rateLimits.count(res, changeLimits(caller)) }
}

/** Sends a page or a redirect. Its headers keep browsers from caching it and from sending its address to other sites. */
export function sendReply(res: Response, reply: Reply): void {
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
export function requireOwnForm(req: Request, publicUrl: string): void {
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

/** The cookie binds a session to the browser that began it. */
const COOKIE = 'onward-connect'
/** Longer than the lifetimes of a login link and its session together. */
const COOKIE_MS = 3_600_000

/** `SameSite=Lax`, because the browser must send the cookie when the provider redirects it to us. */
function writeBrowserCookie(res: Response, publicUrl: string, value: string): void {
  setCookie(res, COOKIE, value, { secure: publicUrl.startsWith('https:'), maxAgeMs: COOKIE_MS, sameSite: 'lax' })
}

/** Sends a reply, and sets the cookie that the browser must have from now on. */
export function sendBound(res: Response, { publicUrl }: PageVisit, { reply, browser }: { reply: Reply; browser: string }): void {
  writeBrowserCookie(res, publicUrl, browser)
  sendReply(res, reply)
}
