import type { Body, EndpointShape, Params, Query, ResponseOf } from '@onward/contract'
import type { Request, Response } from 'express'

/** What a handler gets: the parameters of a request, and `More`, which the guard adds. */
export type Input<E extends EndpointShape, Caller, More> = More & {
  readonly params: Params<E>
  readonly query: Query<E>
  readonly body: Body<E>
  readonly caller: Caller
  readonly request: Request
  readonly response: Response
}

/** A route returns this value after it has written the response itself. */
export const STREAMED = Symbol('streamed')

export type Route<Context> = {
  readonly endpoint: EndpointShape
  readonly handle: (context: Context, input: never) => Promise<unknown>
}

/** Connects an endpoint of the contract with its handler. The types of input and response come from the endpoint's schemas. */
export type RouteOf<Context, Caller, More = unknown> = <const E extends EndpointShape>(
  endpoint: E,
  handle: (context: Context, input: Input<E, Caller, More>) => Promise<ResponseOf<E> | typeof STREAMED>,
) => Route<Context>

/** Returns the `route` function of a service. */
export function routesOf<Context, Caller, More = unknown>(): RouteOf<Context, Caller, More> {
  return (endpoint, handle) => ({ endpoint, handle })
}
