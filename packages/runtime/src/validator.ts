import type { ObjectSchema } from '@onward/contract'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { describeProblems } from './problems.ts'

const OPTIONS = { strict: true, allErrors: true, verbose: true, allowUnionTypes: true, useDefaults: true } as const

const strictAjv = new Ajv(OPTIONS)
const coercingAjv = new Ajv({ ...OPTIONS, coerceTypes: 'array' })
formats.default(strictAjv)
formats.default(coercingAjv)

/** Gives the problems with a value, `[]` when it fits. Fills in defaults, and coerces where it was made to, in the value itself. */
export type Check = (value: unknown) => string[]

/**
 * Compiles a schema to a check. JSON is checked strictly; form bodies and queries, whose values are all text, with coercion.
 * Throws when the schema itself is not valid in ajv's strict mode.
 */
export function compileCheck(schema: ObjectSchema, mode: 'strict' | 'coerce'): Check {
  const ajv = mode === 'strict' ? strictAjv : coercingAjv
  const validate: ValidateFunction = ajv.compile(schema)
  // It would keep every schema for ever, and functions come and go.
  ajv.removeSchema(schema)
  const maxItems = schema.type === 'array' ? (schema.maxItems ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
  return (value) => {
    // Without this, a huge array would be checked item by item only to be refused for its length.
    if (Array.isArray(value) && value.length > maxItems) return [`: must have at most ${maxItems} items`]
    return validate(value) ? [] : describeProblems(validate.errors as ErrorObject[])
  }
}
