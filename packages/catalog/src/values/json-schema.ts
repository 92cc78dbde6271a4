import type { ValueSchema } from '../types.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Converts a schema to JSON Schema, where null is one of the types and one of the choices. It means the same in draft 7 and 2020-12. */
export function jsonSchemaOf(schema: ValueSchema): JsonSchema {
  const { type, nullable = false, enum: choices, properties, items, additionalProperties, ...rest } = schema
  return {
    type: nullable ? [type, 'null'] : type,
    ...rest,
    ...(choices && { enum: nullable ? [...choices, null] : choices }),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, jsonSchemaOf(inner)])) }),
    ...(items && { items: jsonSchemaOf(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: typeof additionalProperties === 'object' ? jsonSchemaOf(additionalProperties) : additionalProperties,
    }),
  }
}
