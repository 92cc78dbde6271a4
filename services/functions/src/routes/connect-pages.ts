import { basename, resolve } from 'node:path'
import type { Router } from 'express'
import { openChange, openLink, readEvent, submitChange } from '../connect/manage-accounts.ts'
import { cancelConnect, openConnect } from '../connect/open-connect.ts'
import { FONT_PATH } from '../connect/pages/page.ts'
import { nothingHere } from '../connect/pages/problem.ts'
import { openApps } from '../connect/pick-app.ts'
import { finishProvider } from '../connect/provider.ts'
import { submitConnect } from '../connect/submit-connect.ts'
import type { Context } from '../context.ts'
import { listPrograms, openProgram, submitProgram } from '../sign-in/programs.ts'
import { pageRouter, queryOf } from './pages.ts'

/** Serves the pages on which a user's browser connects an account. All responses are HTML; `sendPageErrors` reports failures. */
export function connectPages(ctx: Context): Router {
  const { router, get, post } = pageRouter(ctx)

  router.get(`/${basename(FONT_PATH)}`, (_req, res) => res.sendFile(resolve(ctx.config.fontFile), { maxAge: '30d' }))
  get('/callback', (visit, req) => finishProvider(ctx, visit, queryOf(req)))
  get('/accounts/:token', (visit, { query }) => openLink(ctx, visit, readEvent(query)))
  get('/accounts/:token/apps', (visit, { query }) => openApps(ctx, visit, typeof query.q === 'string' ? query.q : '', readEvent(query)))
  get('/accounts/:token/programs', (visit) => listPrograms(ctx, visit))
  get('/accounts/:token/programs/:id', (visit, { params }) => openProgram(ctx, visit, params.id))
  post('/accounts/:token/programs/:id', (visit, { params, body }) => submitProgram(ctx, visit, params.id, body))
  get('/accounts/:token/:id/:change', (visit, { params }) => openChange(ctx, visit, params.id, params.change))
  post('/accounts/:token/:id/:change', (visit, { params, body }) => submitChange(ctx, visit, params.id, params.change, body))
  get('/:token/cancel', (visit, { query }) => cancelConnect(ctx, visit, query))
  get('/:token', (visit, { query }) => openConnect(ctx, visit, query))
  post('/:token', (visit, { body }) => submitConnect(ctx, visit, body))
  router.use(() => {
    throw nothingHere()
  })
  return router
}
