import type { JsonType } from './flat.ts'

/** The values that an enum leaves to choose from, of the type itself; undefined when it names none that can be kept, or more than `most`. */
export function choicesOf(type: JsonType, values: readonly unknown[] | undefined, most: number): (string | number)[] | undefined {
  if (values === undefined || !['string', 'number', 'integer'].includes(type)) return undefined
  const scalars = values.filter((value) => value !== null && typeof value !== 'object')
  const fitting = [...new Set(scalars.map((value) => asType(type, value)))]
  const known = fitting.filter((value) => value !== undefined)
  if (known.length === 0 || known.length < fitting.length || known.length > most) return undefined
  return known
}

/** YAML reads `1` and `true` as what they look like, whatever the schema says. */
function asType(type: JsonType, value: unknown): string | number | undefined {
  if (type === 'string') return String(value)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  return type === 'number' || Number.isInteger(number) ? number : undefined
}
