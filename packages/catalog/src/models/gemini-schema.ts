import type { ValueSchema } from '../types.ts'
import { asText, describe, isOpenObject, type Limit } from './in-words.ts'

export type GeminiSchema = { type: Uppercase<ValueSchema['type']> } & Readonly<Record<string, unknown>>

/** Source: Google, Gemini API, `FunctionDeclaration.parameters`. */
const PARAMETER_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** Converts the parameters of a function. There must be at least one. */
export function geminiParameters(parameters: ValueSchema): GeminiSchema {
  return { type: 'OBJECT', ...members(parameters) }
}

/**
 * Converts a schema to Gemini's subset of OpenAPI 3.0. An open object becomes a JSON text, only strings have choices and `date-time`, and counts
 * are `int64`, which are strings. Limits that the subset lacks go into the description.
 */
function geminiSchema(schema: ValueSchema): GeminiSchema {
  switch (schema.type) {
    case 'object':
      if (isOpenObject(schema) || hasInvalidName(schema)) return { type: 'STRING', ...describe(schema, ['default'], [asText(schema)]) }
      return { type: 'OBJECT', ...describe(schema, ['default']), ...members(schema) }
    case 'array':
      return {
        type: 'ARRAY',
        ...describe(schema, ['uniqueItems', 'default']),
        ...int64('minItems', schema.minItems),
        ...int64('maxItems', schema.maxItems),
        items: geminiSchema(schema.items as ValueSchema),
      }
    case 'string': {
      const { format } = schema
      const choices = textChoices(schema)
      const lacking: Limit[] = ['minLength', 'maxLength', 'pattern', ...(format === 'date-time' ? [] : (['format'] as const)), 'default']
      const shape = choices.length > 0 ? { format: 'enum', enum: choices } : format === 'date-time' ? { format } : {}
      return { type: 'STRING', ...describe(schema, lacking), ...shape }
    }
    case 'number':
    case 'integer': {
      const type = schema.type === 'number' ? 'NUMBER' : 'INTEGER'
      const { minimum, maximum } = schema
      const limits = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) }
      return { type, ...describe(schema, ['enum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'default']), ...limits }
    }
    case 'boolean':
      return { type: 'BOOLEAN', ...describe(schema, ['enum', 'default']) }
  }
}

function members({ properties = {}, required = [] }: ValueSchema): Readonly<Record<string, unknown>> {
  const entries = Object.entries(properties).map(([name, inner]) => [name, geminiSchema(inner)])
  return { properties: Object.fromEntries(entries), ...(required.length > 0 ? { required } : {}) }
}

function hasInvalidName({ properties = {} }: ValueSchema): boolean {
  return Object.keys(properties).some((name) => !PARAMETER_NAME.test(name))
}

/** Gemini refuses an empty choice; the others are kept. */
function textChoices(schema: ValueSchema): unknown[] {
  return (schema.enum ?? []).filter((value) => value !== '')
}

function int64(name: string, value: number | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: String(value) }
}
