import type { ValueSchema } from '../types.ts'
import { asText, describe, type Limit } from './in-words.ts'

/** A JSON Schema with the keywords that Gemini reads. */
export type GeminiSchema = Readonly<Record<string, unknown>>

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
]

/**
 * Converts a schema for Gemini. What Gemini ignores goes into the description, and an object with names that it refuses becomes a JSON text.
 */
export function geminiSchema(schema: ValueSchema): GeminiSchema {
  const { properties, items, additionalProperties, enum: choices, ...rest } = schema
  const invalid = Object.keys(properties ?? {}).some((name) => !PARAMETER_NAME.test(name))
  if (invalid) return { type: 'string', ...describe(schema, ['default'], [asText(schema)]) }
  const kept = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !IGNORED.includes(keyword as Limit)))
  return {
    ...kept,
    // Gemini refuses an empty text as a choice.
    ...(choices && { enum: choices.filter((choice) => choice !== '') }),
    ...describe(schema, IGNORED),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, geminiSchema(inner)])) }),
    ...(items && { items: geminiSchema(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: typeof additionalProperties === 'object' ? geminiSchema(additionalProperties) : additionalProperties,
    }),
  }
}
