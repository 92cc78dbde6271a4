import type { Answer, Body, EndpointShape, Params, Query } from '@onward/contract'
import type { Request, Response } from 'express'
import type { NoteChange } from './audit.ts'
import type { Actor } from './guard.ts'

export type Input<E extends EndpointShape, Caller> = {
  readonly params: Params<E>
  readonly query: Query<E>
  readonly body: Body<E>
  readonly caller: Caller
  /** Who uses the admin API; undefined for a request of the two areas. */
  readonly actor: Actor | undefined
  /** The workspace that the guard confines the request to. Null where it does not, for example for an operator who names none. */
  readonly workspaceId: string | null
  /** Tells the audit log what the request changed, as the API presents it. Without it, the audit log shows the body. */
  readonly changed: NoteChange
  readonly request: Request
  readonly response: Response
}

/** A route returns this value after it has written the answer itself. */
export const STREAMED = Symbol('streamed')

export type Route<Context> = {
  readonly endpoint: EndpointShape
  readonly handle: (context: Context, input: never) => Promise<unknown>
}

/** Connects an endpoint of the contract with its handler. The types of input and answer come from the endpoint's schemas. */
export type RouteOf<Context, Caller> = <const E extends EndpointShape>(
  endpoint: E,
  handle: (context: Context, input: Input<E, Caller>) => Promise<Answer<E> | typeof STREAMED>,
) => Route<Context>

/** Returns the `route` function of a service. */
export function routesOf<Context, Caller>(): RouteOf<Context, Caller> {
  return (endpoint, handle) => ({ endpoint, handle })
}
