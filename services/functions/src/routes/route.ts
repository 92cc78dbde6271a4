import type { Actor, RouteEntry } from '@onward/access'
import type { EndpointShape } from '@onward/contract'
import { type Input, type RouteOf, routesOf, type UserKey } from '@onward/runtime'
import type { Response } from 'express'
import type { Context } from '../context.ts'

/** What the handler of an endpoint receives. */
export type RouteInput<E extends EndpointShape> = Input<E, UserKey, RouteEntry>

export const route: RouteOf<Context, UserKey, RouteEntry> = routesOf()

/**
 * Returns whether the response to a request may have links to connect accounts: only to an application's own. A person at the console asks
 * for one link with `POST /connect/session`, because each is in the audit log.
 */
export function mayConnect(actor: Actor | undefined): boolean {
  return actor === undefined
}

/** Returns a signal that aborts when the caller closes the connection, so that work for its response can stop. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController()
  if (response.closed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}
