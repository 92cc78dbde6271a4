import type { ValueSchema } from '@onward/catalog'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'

const ajv = new Ajv({ strict: true })
formats.default(ajv)

/** The default of a document, as far as it is a value of its own schema: a scalar, or a list of scalars. */
export function defaultOf(value: unknown, schema: ValueSchema): { default?: unknown } {
  if (value === undefined) return {}
  const fitting = schema.type === 'string' && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value
  return isPlain(fitting) && accepts(schema, fitting) ? { default: fitting } : {}
}

function isPlain(value: unknown): boolean {
  return Array.isArray(value) ? value.every((item) => typeof item !== 'object') : typeof value !== 'object'
}

function accepts(schema: ValueSchema, value: unknown): boolean {
  try {
    const check: ValidateFunction = ajv.compile(schema)
    return check(value) === true
  } catch {
    return false
  } finally {
    // It would keep every schema for ever.
    ajv.removeSchema(schema)
  }
}
