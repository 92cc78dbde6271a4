import type { ValueSchema } from '../types.ts'
import { describe, type Limit } from './in-words.ts'
import { asText, isOpenObject } from './open-object.ts'

export type GeminiSchema = { type: Uppercase<ValueSchema['type']> } & Readonly<Record<string, unknown>>

/** Source: Google, Gemini API, `FunctionDeclaration.parameters`. */
const PARAMETER_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** The parameters of a function, which must have some. */
export function geminiParameters(parameters: ValueSchema): GeminiSchema {
  return { type: 'OBJECT', ...members(parameters) }
}

/**
 * A schema in Gemini's subset of OpenAPI 3.0: no open objects, which are asked for as JSON text; choices and `date-time` for texts
 * only; whole numbers as `int64`, which are texts. Limits that the subset lacks are put in words.
 */
function geminiSchema(schema: ValueSchema): GeminiSchema {
  switch (schema.type) {
    case 'object':
      if (isOpenObject(schema) || hasUnspeakableName(schema)) return { type: 'STRING', ...describe(schema, ['default'], [asText(schema)]) }
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

function hasUnspeakableName({ properties = {} }: ValueSchema): boolean {
  return Object.keys(properties).some((name) => !PARAMETER_NAME.test(name))
}

/** An empty choice is refused; the others can still be offered. */
function textChoices(schema: ValueSchema): unknown[] {
  return (schema.enum ?? []).filter((value) => value !== '')
}

function int64(name: string, value: number | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: String(value) }
}
