import type { Body, EndpointShape, Params, Query } from '@onward/contract'

type RequiredNames<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never

/** The type of a value as it is sent: what has a default may be left out, while the server always sees it. */
type Sent<Schema, Value> = Value extends readonly unknown[]
  ? Value
  : { [K in keyof Value as K extends RequiredNames<Schema> ? K : never]: Value[K] } & {
      [K in keyof Value as K extends RequiredNames<Schema> ? never : K]?: Value[K] | undefined
    }

/** A key of the input: absent when the endpoint has no such part, optional when nothing in it is required. */
type Part<Key extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Record<never, never> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value }

type Options = {
  /** Further request headers, such as `Idempotency-Key`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The deadline of this exchange in place of the target's. */
  readonly timeoutMs?: number
}

/** What an endpoint takes: `params` (path variables, not encoded), `query` and `body`, as far as its schemas have them. */
export type Input<E extends EndpointShape> = Part<'params', Params<E>> &
  Part<'query', Query<E> extends undefined ? undefined : Sent<E['query'], Query<E>>> &
  Part<'body', Body<E> extends undefined ? undefined : Sent<E['body'], Body<E>>> &
  Options

/** An input of any endpoint, for the code that does not depend on which. */
export type AnyInput = Options & {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}
