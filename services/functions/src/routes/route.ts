import { ROLES } from '@onward/contract'
import { type Actor, type RouteOf, routesOf } from '@onward/runtime'
import type { Response } from 'express'
import type { Caller } from '../auth.ts'
import type { Context } from '../context.ts'

export const route: RouteOf<Context, Caller> = routesOf()

/** Returns whether an account may be connected through the response to a request: by the application, and by members who may change something. */
export function mayConnect(actor: Actor | undefined, workspaceId: string | null): boolean {
  if (actor === undefined || actor.operator) return true
  const role = workspaceId !== null && Object.hasOwn(actor.roles, workspaceId) ? actor.roles[workspaceId] : undefined
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf('developer')
}

/** Returns a signal that aborts when the caller closes the connection, so that work for its answer can stop. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController()
  if (response.closed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}
