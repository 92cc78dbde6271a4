export const time = { type: 'string', format: 'date-time' } as const
export const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const
export const uuid = { type: 'string', format: 'uuid' } as const

type Schemas = Readonly<Record<string, unknown>>

type ObjectOf<R extends Schemas, O extends Schemas> = {
  readonly type: 'object'
  readonly required: readonly (keyof R & string)[]
  readonly additionalProperties: false
  readonly properties: R & O
}

/** Returns the schema of an object with all properties of `required`, perhaps properties of `optional`, and no others. */
export function object<const R extends Schemas, const O extends Schemas = Record<never, never>>(required: R, optional?: O): ObjectOf<R, O> {
  const names = Object.keys(required)
  const properties = { ...required, ...optional } as R & O
  return { type: 'object', ...(names.length > 0 && { required: names }), additionalProperties: false, properties } as ObjectOf<R, O>
}

/** Returns the schema of what `schema` allows, and of null. */
export function orNull<const S extends { readonly type: 'object' }>(
  schema: S,
): Omit<S, 'type'> & { readonly type: readonly ['object', 'null'] } {
  return { ...schema, type: ['object', 'null'] }
}

/** Returns the schema of an array of any length. */
export function arrayOf<const S>(items: S): { readonly type: 'array'; readonly items: S } {
  return { type: 'array', items }
}
