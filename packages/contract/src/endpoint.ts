import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { Access } from './access.ts'
import type { ErrorCode } from './error.ts'

/** The parts of a JSON Schema that Onward's code reads. With the complete type of JSON Schema, tsc would be too slow. */
export type ObjectSchema = {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
  readonly maxItems?: number
  readonly additionalProperties?: unknown
}

/** A header of a request or a response. Its value is text, which is checked where it is read. */
export type HeaderShape = { readonly description: string; readonly schema: { readonly type: 'string' } & Readonly<Record<string, unknown>> }

/** An endpoint as data. Path variables, such as `app_name` in `/apps/:app_name/get`, are strings and appear only in `path`. */
export type EndpointShape = {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  readonly path: string
  readonly summary: string
  /** Who may use it through the admin API. Every endpoint of the admin API and of the two areas has one. */
  readonly access?: Access
  /**
   * The name of the change in the audit log, for example `application.change`. Every endpoint with another method than GET has one; it is
   * null if the endpoint changes nothing. A field of the body that must not appear in the audit log has `writeOnly: true` in its schema.
   */
  readonly action?: string | null
  /** The name of a sensitive read in the audit log, which has one entry for each person, target and hour: `call.read`. */
  readonly reads?: string
  readonly query?: ObjectSchema
  /** Names of query parameters with an `enum`; their values are compared without regard to case. */
  readonly anyCase?: readonly string[]
  readonly body?: ObjectSchema
  /**
   * What becomes of numbers in the body that a double-precision number does not hold exactly. By default they are refused. `exact`: they keep
   * their digits. `nearest`: the nearest number replaces them, because the endpoint neither stores nor returns them.
   */
  readonly numbers?: 'exact' | 'nearest'
  readonly response: ObjectSchema
  /** Optional request headers by name, besides the headers of the whole area. */
  readonly headers?: Readonly<Record<string, HeaderShape>>
  readonly responseHeaders?: Readonly<Record<string, HeaderShape>>
  /** The error codes, besides the codes that every endpoint can answer. Without it, any code may occur. */
  readonly errors?: readonly ErrorCode[]
  /** Requests with their responses, for the API reference. A test sends them to a running server. */
  readonly examples?: readonly EndpointExample[]
}

/** A request and its response. `params` are the path variables. */
export type EndpointExample = {
  readonly summary: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
  readonly response: unknown
}

/** Defines an endpoint. The `const` keeps the schemas literal, so that types can be derived from them. */
export function endpoint<const E extends EndpointShape>(shape: E): E {
  return shape
}

/**
 * The type of the values that one part of an endpoint accepts, derived from its schema. It is `undefined` if the endpoint has no such
 * part, and `unknown` in generic code, where only `ObjectSchema` is known: tsc cannot derive a type from that.
 */
type Part<E, K extends string> = E extends { readonly [P in K]: infer S }
  ? ObjectSchema extends S
    ? unknown
    : S extends JSONSchema
      ? FromSchema<S>
      : never
  : undefined

export type Body<E extends EndpointShape> = Part<E, 'body'>
export type Query<E extends EndpointShape> = Part<E, 'query'>
export type ResponseOf<E extends EndpointShape> = Part<E, 'response'>

type PathNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

/** The path variables of an endpoint, by name. */
export type Params<E extends EndpointShape> = { [N in PathNames<E['path']>]: string }

/** Returns the names of the properties of a schema and of its alternatives. */
export function propertyNames(schema: ObjectSchema | undefined): string[] {
  if (schema === undefined) return []
  const {
    properties = {},
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema as ObjectSchema & Partial<Record<'anyOf' | 'oneOf' | 'allOf', ObjectSchema[]>>
  return [...Object.keys(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap(propertyNames)]
}
