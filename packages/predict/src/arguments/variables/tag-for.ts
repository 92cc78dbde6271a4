import type { ValueSchema } from '@onward/catalog'
import { fits } from '../fits.ts'
import type { Fillable } from '../types.ts'
import { canonical } from './canonical.ts'
import { copyOf } from './copy-of.ts'
import type { Target } from './targets-of.ts'
import type { Variable } from './variables-of.ts'

/**
 * What is written into a parameter for a variable: its tag, or a list or object with the tag in it where the parameter is one and
 * the variable is what goes into it. Undefined where the variable's own value would not be valid.
 */
export function tagFor(check: Fillable['check'], { parameter, schema }: Target, variable: Variable): unknown {
  const tag = `{${variable.path}}`
  if (fits(check, parameter, copyOf(variable.value))) return tag
  if (schema.type !== 'array' || typeof variable.value === 'object') return undefined
  const value = within(schema, variable, copyOf(variable.value))
  return value !== undefined && fits(check, parameter, value) ? within(schema, variable, tag) : undefined
}

function within(schema: ValueSchema, variable: Variable, value: unknown): unknown {
  if (schema.type === 'array') {
    const item = schema.items && within(schema.items, variable, value)
    return item === undefined ? undefined : [item]
  }
  if (schema.type !== 'object') return value
  const [name, inner] = Object.entries(schema.properties ?? {}).find(([each]) => isFor(each, variable, schema)) ?? []
  const part = inner && within(inner, variable, value)
  return name === undefined || part === undefined ? undefined : { [name]: part }
}

/** The one property that says what the variable is, or the only one that there is. */
function isFor(property: string, { last, kind }: Variable, { properties, required }: ValueSchema): boolean {
  const words = canonical(property)
  if (kind !== undefined && words.includes(kind)) return true
  if (words.length === last.length && words.every((word) => last.includes(word))) return true
  return Object.keys(properties ?? {}).length === 1 || (required?.length === 1 && required[0] === property)
}
