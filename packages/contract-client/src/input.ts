import type { Body, EndpointShape, Params, Query } from '@onward/contract'

type RequiredNames<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never

/** The type of a value to send. A property with a default may be omitted, although the server's type always has it. */
type Sent<Schema, Value> = Value extends readonly unknown[]
  ? Value
  : { [K in keyof Value as K extends RequiredNames<Schema> ? K : never]: Value[K] } & {
      [K in keyof Value as K extends RequiredNames<Schema> ? never : K]?: Value[K] | undefined
    }

/** One key of the input. It is absent if the endpoint has no such part, and optional if the part has no required property. */
type Part<Key extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Record<never, never> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value }

type Options = {
  /** Further request headers, such as `Idempotency-Key`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The deadline of this exchange; by default the deadline of the target. */
  readonly timeoutMs?: number
}

/** The input of an endpoint: `params` (path variables, not encoded), `query` and `body`, each only if the endpoint has it. */
export type Input<E extends EndpointShape> = Part<'params', Params<E>> &
  Part<'query', Query<E> extends undefined ? undefined : Sent<E['query'], Query<E>>> &
  Part<'body', Body<E> extends undefined ? undefined : Sent<E['body'], Body<E>>> &
  Options

/** The input of any endpoint. */
export type AnyInput = Options & {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}
