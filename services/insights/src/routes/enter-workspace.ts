import { type Actor, mayEnter, noWorkspace, Refusal } from '@onward/runtime'
import type { RequestHandler } from 'express'
import type { Caller } from '../auth.ts'
import type { Db } from '../db/tables.ts'
import { workspaceExists } from '../db/workspaces.ts'

/** Where the admin API serves the endpoints of this area. */
export const WORKSPACE_PREFIX = '/admin/workspaces/:workspace_id'

/** Lets a member use the endpoints of this area, as a program with the API key of the workspace could. */
export function enterWorkspace(db: Db): RequestHandler {
  return async (req, res, next) => {
    const { workspace_id: workspaceId } = req.params as { workspace_id: string }
    const actor: Actor | undefined = res.locals.actor
    if (actor === undefined) throw new Refusal('unauthenticated', 'sign in first, or send an access token as Authorization: Bearer')
    // The guard decides this too. Here it keeps others out before their body is read.
    if (!mayEnter(actor, workspaceId) || !(await workspaceExists(db, workspaceId))) throw noWorkspace()
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
