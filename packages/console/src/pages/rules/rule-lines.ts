import type { PolicyRule } from '@onward/contract'

/** How a condition compares an argument with its value. */
export type Operator = 'is' | 'one' | 'most' | 'least' | 'ends'

/** A condition on one argument, or with `is` the value of a locked one. `name` and `value` are as somebody types them. */
export type Line = { readonly name: string; readonly operator: Operator; readonly value: string }

export const OPERATORS: readonly Operator[] = ['is', 'one', 'most', 'least', 'ends']

type Schema = NonNullable<PolicyRule['arguments']>

/** Returns what is missing or wrong in a line. Of two lines that say the same of an argument, only one could be stored. */
export function problemOf(line: Line, lines: readonly Line[]): 'incomplete' | 'noNumber' | 'twice' | undefined {
  const { name, operator, value } = line
  if (name.trim() === '' || value.trim() === '') return 'incomplete'
  if ((operator === 'most' || operator === 'least') && !Number.isFinite(Number(value))) return 'noNumber'
  const isSame = (other: Line) => other.name.trim() === name.trim() && other.operator === operator
  return lines.filter(isSame).length > 1 ? 'twice' : undefined
}

/**
 * Returns the schema that all conditions make, or undefined if there are none. The call must have each argument. The schema says its type,
 * because otherwise a value of another type would pass.
 */
export function schemaOf(lines: readonly Line[]): Schema | undefined {
  if (lines.length === 0) return undefined
  const properties = new Map<string, object>()
  for (const line of lines) properties.set(line.name.trim(), { ...properties.get(line.name.trim()), ...schemaOfLine(line) })
  return { properties: Object.fromEntries(properties), required: [...properties.keys()] }
}

function schemaOfLine({ operator, value }: Line): object {
  switch (operator) {
    case 'is':
      return { const: readValue(value) }
    case 'one':
      return enumOf(value.split(',').map(readValue))
    case 'most':
      return { type: 'number', maximum: Number(value) }
    case 'least':
      return { type: 'number', minimum: Number(value) }
    case 'ends':
      return { type: 'string', pattern: `${value.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$` }
  }
}

function enumOf(values: readonly unknown[]): object {
  return { ...(values.every((each) => typeof each === 'string') && { type: 'string' }), enum: values }
}

/** Returns the lines of a schema; undefined if it says more than lines can. */
export function linesOfSchema(schema: Schema | undefined): readonly Line[] | undefined {
  const lines = Object.entries(Object(schema?.properties)).flatMap(([name, each]) => linesOf(name, each))
  return canonical(schemaOf(lines)) === canonical(schema) ? lines : undefined
}

function linesOf(name: string, schema: unknown): Line[] {
  const { const: only, enum: values, maximum, minimum, pattern }: Readonly<Record<string, unknown>> = Object(schema)
  const found: readonly (readonly [Operator, string | undefined])[] = [
    ['is', only === undefined ? undefined : writeValue(only)],
    ['one', Array.isArray(values) ? values.map(writeValue).join(', ') : undefined],
    ['least', minimum === undefined ? undefined : String(minimum)],
    ['most', maximum === undefined ? undefined : String(maximum)],
    ['ends', typeof pattern === 'string' ? pattern.slice(0, -1).replace(/\\(.)/g, '$1') : undefined],
  ]
  return found.flatMap(([operator, value]) => (value === undefined ? [] : [{ name, operator, value }]))
}

/** Returns JSON in which neither the order of names nor that of lists matters. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, each: unknown) => {
    if (Array.isArray(each)) return each.map((one) => JSON.stringify(one)).sort()
    return typeof each === 'object' && each !== null ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each
  })
}

/** Returns the values of locked arguments; undefined if there are none. */
export function lockOf(lines: readonly Line[]): PolicyRule['lock'] {
  return lines.length === 0 ? undefined : Object.fromEntries(lines.map(({ name, value }) => [name.trim(), readValue(value)]))
}

export function linesOfLock(lock: PolicyRule['lock']): readonly Line[] {
  return Object.entries(lock ?? {}).map(([name, value]) => ({ name, operator: 'is', value: writeValue(value) }))
}

/** Reads a value that somebody typed: JSON, or else text. A number that would be changed, such as a long id, is text. */
function readValue(typed: string): unknown {
  const text = typed.trim()
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' && String(value) !== text ? text : value
  } catch {
    return text
  }
}

/** Writes a value so that `readValue` reads it again: text as it is, unless it could be taken for JSON. */
function writeValue(value: unknown): string {
  return typeof value === 'string' && readValue(value) === value ? value : JSON.stringify(value)
}
