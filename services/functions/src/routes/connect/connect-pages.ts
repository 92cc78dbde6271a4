import { isForm, readBody } from '@onward/runtime'
import express, { type Request, type Response, type Router } from 'express'
import { finishProvider } from '../../connect/finish-provider.ts'
import { openConnect } from '../../connect/open-connect.ts'
import { PageProblem } from '../../connect/pages/page-problem.ts'
import { publicUrlOf } from '../../connect/public-url.ts'
import { submitConnect } from '../../connect/submit-connect.ts'
import type { Context } from '../../context.ts'
import { readBrowserCookie, writeBrowserCookie } from './browser-cookie.ts'
import { requireOwnOrigin } from './require-own-origin.ts'
import { sendReply } from './send-reply.ts'

const FORM_LIMIT = 65_536

/** The pages that a user's browser connects an account on. They answer in HTML, failures included; see `answerPageErrors`. */
export function connectPages(ctx: Context): Router {
  const router = express.Router()

  router.get('/callback', async (req, res) => {
    const callback = new URL(req.originalUrl, 'http://localhost').searchParams
    sendReply(res, await finishProvider(ctx, { callback, ...visitOf(ctx, req) }))
  })

  router.get('/:token', async (req: Request<{ token: string }>, res: Response) => {
    const { scheme, redirect_uri: redirectUri } = req.query
    const visit = visitOf(ctx, req)
    const { page, browser } = await openConnect(ctx, { ...visit, token: req.params.token, scheme, redirectUri })
    if (browser !== undefined) writeBrowserCookie(res, visit.publicUrl, browser)
    sendReply(res, page)
  })

  router.post('/:token', ...readBody(FORM_LIMIT), async (req: Request<{ token: string }>, res: Response) => {
    if (!isForm(req)) throw new PageProblem(415, 'This was not sent by our page', 'Please use the form.')
    const visit = visitOf(ctx, req)
    requireOwnOrigin(req, visit.publicUrl)
    sendReply(res, await submitConnect(ctx, { ...visit, token: req.params.token, body: req.body }))
  })

  router.use(() => {
    throw new PageProblem(404, 'There is nothing here', 'Go back to where you came from and start again.')
  })
  return router
}

function visitOf(ctx: Context, req: Request): { publicUrl: string; browser: string | undefined } {
  const publicUrl = publicUrlOf(ctx.config.publicUrl, req)
  return { publicUrl, browser: readBrowserCookie(req, publicUrl) }
}
