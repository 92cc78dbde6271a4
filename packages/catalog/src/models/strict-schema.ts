import type { ValueSchema } from '../types.ts'
import { describe, type Limit } from './in-words.ts'
import { asText, isOpenObject } from './open-object.ts'

export type StrictSchema = Readonly<Record<string, unknown>>

/** Of strings; others are refused. Source: OpenAI, "Structured Outputs", supported schemas. */
const FORMATS: ReadonlySet<string> = new Set([...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']])
const NUMBER_LIMITS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const
const ARRAY_LIMITS = ['minItems', 'maxItems'] as const

/** The parameters of a function: an object even if it has none. */
export function strictParameters(parameters: ValueSchema): StrictSchema {
  return { type: 'object', ...closed(parameters) }
}

/**
 * A schema in OpenAI's strict subset: objects are closed, each property is required, and one that was optional may be null. An object
 * of no known fields can't be had there, and is asked for as JSON text. Limits that the subset lacks are put in words.
 */
function strictSchema(schema: ValueSchema, required: boolean): StrictSchema {
  const type = (name: string) => (required ? name : [name, 'null'])
  switch (schema.type) {
    case 'object':
      return isOpenObject(schema)
        ? { type: type('string'), ...describe(schema, ['default'], [asText(schema)]) }
        : { type: type('object'), ...describe(schema, ['default']), ...closed(schema) }
    case 'array':
      return {
        type: type('array'),
        ...describe(schema, ['uniqueItems', 'default']),
        ...pick(schema, ARRAY_LIMITS),
        items: strictSchema(schema.items as ValueSchema, true),
      }
    case 'string': {
      const kept = keptTextLimits(schema)
      const lacking = (['format', 'pattern'] as const).filter((limit) => !kept.includes(limit))
      return {
        type: type('string'),
        ...describe(schema, ['minLength', 'maxLength', ...lacking, 'default']),
        ...pick(schema, kept),
        ...choice(schema, required),
      }
    }
    case 'number':
    case 'integer':
      return { type: type(schema.type), ...describe(schema, ['default']), ...pick(schema, NUMBER_LIMITS), ...choice(schema, required) }
    case 'boolean':
      return { type: type('boolean'), ...describe(schema, ['default']), ...choice(schema, required) }
  }
}

function closed({ properties = {}, required = [] }: ValueSchema): StrictSchema {
  const entries = Object.entries(properties).map(([name, inner]) => [name, strictSchema(inner, required.includes(name))])
  return { properties: Object.fromEntries(entries), required: Object.keys(properties), additionalProperties: false }
}

function choice({ enum: values }: ValueSchema, required: boolean): StrictSchema {
  if (values === undefined) return {}
  return { enum: required ? values : [...values, null] }
}

/** A pattern that looks around is refused. */
function keptTextLimits({ format, pattern }: ValueSchema): ('format' | 'pattern')[] {
  return [
    ...(format !== undefined && FORMATS.has(format) ? (['format'] as const) : []),
    ...(pattern !== undefined && !/\(\?[=!<]|\\[1-9k]/.test(pattern) ? (['pattern'] as const) : []),
  ]
}

function pick(schema: ValueSchema, limits: readonly Limit[]): StrictSchema {
  return Object.fromEntries(limits.flatMap((limit) => (schema[limit] === undefined ? [] : [[limit, schema[limit]]])))
}
