import type { OutputSchema, ValueSchema } from '../types.ts'
import { describe } from './in-words.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Converts a schema to JSON Schema, where null is one of the types and one of the choices. Alternatives become words of the description. It means the same in draft 7 and 2020-12. */
export function jsonSchemaOf(schema: ValueSchema): JsonSchema {
  const { type, nullable = false, enum: choices, properties, items, additionalProperties, alternatives, ...rest } = schema
  return {
    type: nullable ? [type, 'null'] : type,
    ...rest,
    ...(alternatives && describe(schema, ['alternatives'])),
    ...(choices && { enum: nullable ? [...choices, null] : choices }),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, jsonSchemaOf(inner)])) }),
    ...(items && { items: jsonSchemaOf(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: typeof additionalProperties === 'object' ? jsonSchemaOf(additionalProperties) : additionalProperties,
    }),
  }
}

/** Converts the shape of an output to JSON Schema. Every value in it may be null, because vendors seldom say where null is possible. */
export function jsonSchemaOfOutput({ type, properties, items, ...rest }: OutputSchema): JsonSchema {
  return {
    type: [type, 'null'],
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, jsonSchemaOfOutput(inner)])),
    }),
    ...(items && { items: jsonSchemaOfOutput(items) }),
  }
}
