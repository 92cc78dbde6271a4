import { type Actor, mayEnter, noWorkspace } from '@onward/access'
import { isStorable, Refusal } from '@onward/runtime'
import type { RequestHandler } from 'express'
import { type Caller, countRequest } from '../auth.ts'
import type { Context } from '../context.ts'
import { findWorkspace } from '../db/workspaces.ts'

/** Where the admin API serves the endpoints of this area. */
export const WORKSPACE_PREFIX = '/admin/workspaces/:workspace_id'

/** Lets a member use the endpoints of this area, as a program with the API key of the workspace could: within the same rate limit. */
export function enterWorkspace(ctx: Pick<Context, 'db' | 'rateLimits'>): RequestHandler {
  return async (req, res, next) => {
    const { workspace_id: workspaceId } = req.params as { workspace_id: string }
    const actor: Actor | undefined = res.locals.actor
    if (actor === undefined) throw new Refusal('unauthenticated', 'sign in first, or send an access token as Authorization: Bearer')
    // The guard decides this too. Here it keeps others out before their body is read.
    const isNamed = mayEnter(actor, workspaceId) && isStorable(workspaceId)
    const workspace = isNamed ? await findWorkspace(ctx.db, workspaceId) : undefined
    if (workspace === undefined) throw noWorkspace()
    countRequest(ctx, res, workspaceId, workspace.rateLimit)
    const caller: Caller = { workspaceId }
    res.locals.caller = caller
    next()
  }
}

/** The caller whose share of the requests in progress a request of the admin API uses. */
export const asPerson: RequestHandler = (_req, res, next) => {
  const actor: Actor | undefined = res.locals.actor
  const caller: Caller = { workspaceId: `console/${actor?.id ?? 'anonymous'}` }
  res.locals.caller = caller
  next()
}
