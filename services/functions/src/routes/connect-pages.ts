import { basename, resolve } from 'node:path'
import { readBody } from '@onward/runtime'
import express, { type Request, type Response, type Router } from 'express'
import { openChange, openLink, readEvent, submitChange } from '../connect/manage-accounts.ts'
import { cancelConnect, openConnect } from '../connect/open-connect.ts'
import { FONT_PATH } from '../connect/pages/page.ts'
import { nothingHere } from '../connect/pages/problem.ts'
import { openApps } from '../connect/pick-app.ts'
import { finishProvider } from '../connect/provider.ts'
import { submitConnect } from '../connect/submit-connect.ts'
import type { Context } from '../context.ts'
import { listPrograms, openProgram, submitProgram } from '../sign-in/programs.ts'
import { FORM_LIMIT, preparePages, requireOwnForm, sendBound, sendReply, visitOf } from './pages.ts'

/** The variables in the path of a change of an account. */
type Change = { readonly token: string; readonly id: string; readonly change: string }

/** The variables in the path of a program with access. */
type Program = { readonly token: string; readonly id: string }

/** Serves the pages on which a user's browser connects an account. All responses are HTML; `sendPageErrors` reports failures. */
export function connectPages(ctx: Context): Router {
  const router = express.Router()
  const font = basename(FONT_PATH)

  router.get(`/${font}`, (_req, res) => res.sendFile(resolve(ctx.config.fontFile), { maxAge: '30d' }))
  router.use(preparePages(ctx))

  router.get('/callback', async (req, res) => {
    const callback = new URLSearchParams(req.originalUrl.split('?')[1])
    sendReply(res, await finishProvider(ctx, { callback, ...visitOf(ctx, req, res) }))
  })

  const readForm = readBody(FORM_LIMIT)

  router.get('/accounts/:token', async (req: Request<{ token: string }>, res: Response) => {
    const visit = { ...visitOf(ctx, req, res), token: req.params.token }
    sendBound(res, visit, await openLink(ctx, visit, readEvent(req.query)))
  })

  router.get('/accounts/:token/apps', async (req: Request<{ token: string }>, res: Response) => {
    const visit = { ...visitOf(ctx, req, res), token: req.params.token }
    sendBound(res, visit, await openApps(ctx, visit, typeof req.query.q === 'string' ? req.query.q : ''))
  })

  router.get('/accounts/:token/programs', async (req: Request<{ token: string }>, res: Response) => {
    const visit = { ...visitOf(ctx, req, res), token: req.params.token }
    sendBound(res, visit, await listPrograms(ctx, visit))
  })

  router.get('/accounts/:token/programs/:id', async (req: Request<Program>, res: Response) => {
    const visit = { ...visitOf(ctx, req, res), token: req.params.token }
    sendBound(res, visit, await openProgram(ctx, visit, req.params.id))
  })

  router.post('/accounts/:token/programs/:id', ...readForm, async (req: Request<Program>, res: Response) => {
    const visit = { ...visitOf(ctx, req, res), token: req.params.token }
    requireOwnForm(req, visit.publicUrl)
    sendBound(res, visit, await submitProgram(ctx, visit, req.params.id, req.body))
  })

  router.get('/accounts/:token/:id/:change', async (req: Request<Change>, res: Response) => {
    const visit = { ...visitOf(ctx, req, res), token: req.params.token }
    sendBound(res, visit, await openChange(ctx, visit, req.params.id, req.params.change))
  })

  router.post('/accounts/:token/:id/:change', ...readForm, async (req: Request<Change>, res: Response) => {
    const visit = { ...visitOf(ctx, req, res), token: req.params.token }
    requireOwnForm(req, visit.publicUrl)
    sendBound(res, visit, await submitChange(ctx, visit, req.params.id, req.params.change, req.body))
  })

  router.get('/:token/cancel', async (req: Request<{ token: string }>, res: Response) => {
    sendReply(res, await cancelConnect(ctx, { ...visitOf(ctx, req, res), token: req.params.token, locale: req.query.locale }))
  })

  router.get('/:token', async (req: Request<{ token: string }>, res: Response) => {
    const { scheme, redirect_uri: redirectUri, entered, locale } = req.query
    const visit = visitOf(ctx, req, res)
    const bound = await openConnect(ctx, { ...visit, token: req.params.token, scheme, redirectUri, entered, locale })
    sendBound(res, visit, bound)
  })

  router.post('/:token', ...readForm, async (req: Request<{ token: string }>, res: Response) => {
    const visit = visitOf(ctx, req, res)
    requireOwnForm(req, visit.publicUrl)
    sendReply(res, await submitConnect(ctx, { ...visit, token: req.params.token, body: req.body }))
  })

  router.use(() => {
    throw nothingHere()
  })
  return router
}
