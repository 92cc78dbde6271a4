import type { ValueSchema } from '../types.ts'
import { asText, describe, type Limit } from '../values/in-words.ts'
import type { JsonSchema } from '../values/json-schema.ts'

/** Source: Google, Gemini API, names of parameters. */
const PARAMETER_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** Keywords of app files that Gemini ignores. Source: Google, Gemini API, `parametersJsonSchema` and `responseJsonSchema`. */
const IGNORED: readonly Limit[] = [
  'pattern',
  'minLength',
  'maxLength',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'uniqueItems',
  'default',
  'alternatives',
]

/**
 * Converts a schema to the keywords of JSON Schema that Gemini reads. What Gemini ignores or refuses goes into the description, and an object
 * with names that it refuses becomes a JSON text.
 */
export function geminiSchema(schema: ValueSchema): JsonSchema {
  const { type, nullable = false, properties = {}, items, additionalProperties, enum: _, ...rest } = schema
  const typed = (name: string) => ({ type: nullable ? [name, 'null'] : name })
  const fields = Object.entries(properties)
  const invalid = fields.some(([name]) => !PARAMETER_NAME.test(name))
  if (invalid) return { ...typed('string'), ...describe(schema, ['default'], [asText(schema)]) }
  const kept = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !IGNORED.includes(keyword as Limit)))
  const choices = choicesOf(schema)
  return {
    ...typed(type),
    ...kept,
    ...(choices.length > 0 && { enum: choices }),
    ...(choices.length > 0
      ? describe(schema, IGNORED, schema.enum?.includes('') ? ['It may be an empty text.'] : [])
      : describe(schema, ['enum', ...IGNORED])),
    // Gemini refuses an object with an empty list of properties.
    ...(fields.length > 0 && { properties: Object.fromEntries(fields.map(([name, inner]) => [name, geminiSchema(inner)])) }),
    ...(items && { items: geminiSchema(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: typeof additionalProperties === 'object' ? geminiSchema(additionalProperties) : additionalProperties,
    }),
  }
}

/** Gemini refuses an enum of booleans, an empty one, and an empty text or null as a choice. The type says that null is possible. */
function choicesOf({ type, enum: choices = [] }: ValueSchema): NonNullable<ValueSchema['enum']> {
  return type === 'boolean' ? [] : choices.filter((choice) => choice !== '')
}
