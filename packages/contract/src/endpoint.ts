import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

/** A JSON Schema as far as code of ours looks into it. The whole type of JSON Schema, checked at each use, is more than tsc can take. */
export type ObjectSchema = {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly maxItems?: number
  readonly additionalProperties?: unknown
}

/** A header of a request or an answer, as text; what it must look like is checked where it is read. */
export type HeaderShape = { readonly description: string; readonly schema: { readonly type: 'string' } & Readonly<Record<string, unknown>> }

/** A place in a path such as `/apps/:app_name/get` is a string and is listed by name in `path` only. */
export type EndpointShape = {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  readonly path: string
  readonly summary: string
  readonly query?: ObjectSchema
  readonly body?: ObjectSchema
  readonly answer: ObjectSchema
  /** Those of the request that an endpoint has besides its area's, by name; none is required. */
  readonly headers?: Readonly<Record<string, HeaderShape>>
  readonly answerHeaders?: Readonly<Record<string, HeaderShape>>
}

/** One endpoint of the wire contract. The `const` keeps the schemas literal, so that types can be derived from them. */
export function endpoint<const E extends EndpointShape>(shape: E): E {
  return shape
}

/** A schema that is not literal (the bound of a type parameter) has no type to derive, and must not be tried: tsc gives up on it. */
type Part<E, K extends string> = E extends { readonly [P in K]: infer S }
  ? ObjectSchema extends S
    ? unknown
    : S extends JSONSchema
      ? FromSchema<S>
      : never
  : undefined

export type Body<E extends EndpointShape> = Part<E, 'body'>
export type Query<E extends EndpointShape> = Part<E, 'query'>
export type Answer<E extends EndpointShape> = Part<E, 'answer'>

type PathNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

/** The path variables of an endpoint, by name. */
export type Params<E extends EndpointShape> = { [N in PathNames<E['path']>]: string }
