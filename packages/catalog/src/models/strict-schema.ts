import type { ValueSchema } from '../types.ts'
import { asText, describe, isOpenObject, type Limit } from '../values/in-words.ts'
import type { JsonSchema } from '../values/json-schema.ts'

/** The accepted formats of strings. Source: OpenAI, "Structured Outputs", supported schemas. */
const FORMATS: ReadonlySet<string> = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])
const NUMBER_LIMITS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const
const ARRAY_LIMITS = ['minItems', 'maxItems'] as const

/**
 * Returns whether strict mode can express the parameters. It closes every object, so it cannot express an object that has declared fields
 * and accepts others. It requires every property, and null means that an optional property is absent, so it cannot express an optional
 * property that may also be null.
 */
export function isStrict(schema: ValueSchema): boolean {
  const { properties = {}, required = [], additionalProperties = false, items } = schema
  if (additionalProperties !== false && !isOpenObject(schema)) return false
  if (Object.entries(properties).some(([name, inner]) => inner.nullable && !required.includes(name))) return false
  return Object.values(properties).every(isStrict) && (items === undefined || isStrict(items))
}

/** Converts the parameters of a function to an object, which may be empty. */
export function strictParameters(parameters: ValueSchema): JsonSchema {
  return { type: 'object', ...describe(parameters, ['alternatives']), ...closed(parameters) }
}

/**
 * Converts a schema to OpenAI's strict subset: objects are closed, every property is required, and an optional one may be null. An object without
 * declared fields becomes a JSON text. Limits that the subset lacks go into the description.
 */
function strictSchema(schema: ValueSchema, required: boolean): JsonSchema {
  const nullable = schema.nullable === true || !required
  const type = (name: string) => (nullable ? [name, 'null'] : name)
  switch (schema.type) {
    case 'object':
      return isOpenObject(schema)
        ? { type: type('string'), ...describe(schema, ['default'], [asText(schema)]) }
        : { type: type('object'), ...describe(schema, ['alternatives', 'default']), ...closed(schema) }
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
        ...choice(schema, nullable),
      }
    }
    case 'number':
    case 'integer':
      return { type: type(schema.type), ...describe(schema, ['default']), ...pick(schema, NUMBER_LIMITS), ...choice(schema, nullable) }
    case 'boolean':
      return { type: type('boolean'), ...describe(schema, ['default']), ...choice(schema, nullable) }
  }
}

function closed({ properties = {}, required = [] }: ValueSchema): JsonSchema {
  const entries = Object.entries(properties).map(([name, inner]) => [name, strictSchema(inner, required.includes(name))])
  return { properties: Object.fromEntries(entries), required: Object.keys(properties), additionalProperties: false }
}

function choice({ enum: values }: ValueSchema, nullable: boolean): JsonSchema {
  if (values === undefined) return {}
  return { enum: nullable ? [...values, null] : values }
}

/** OpenAI refuses a pattern with a lookaround or a backreference. */
function keptTextLimits({ format, pattern }: ValueSchema): ('format' | 'pattern')[] {
  return [
    ...(format !== undefined && FORMATS.has(format) ? (['format'] as const) : []),
    ...(pattern !== undefined && !/\(\?[=!<]|\\[1-9k]/.test(pattern) ? (['pattern'] as const) : []),
  ]
}

function pick(schema: ValueSchema, limits: readonly Limit[]): JsonSchema {
  return Object.fromEntries(limits.flatMap((limit) => (schema[limit] === undefined ? [] : [[limit, schema[limit]]])))
}
