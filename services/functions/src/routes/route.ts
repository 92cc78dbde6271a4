import { type RouteOf, routesOf } from '@onward/runtime'
import type { Response } from 'express'
import type { Caller } from '../auth.ts'
import type { Context } from '../context.ts'

export const route: RouteOf<Context, Caller> = routesOf()

/** Returns a signal that aborts when the caller closes the connection, so that work for its answer can stop. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController()
  if (response.closed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}
