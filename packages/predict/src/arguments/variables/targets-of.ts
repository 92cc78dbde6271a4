import type { ValueSchema } from '@onward/catalog'
import type { Fillable } from '../types.ts'
import { canonical } from './canonical.ts'
import type { Kind } from './variables-of.ts'
import { KINDS } from './word-sets.ts'

/** A parameter, with what tells which variable it expects. */
export type Target = {
  readonly parameter: string
  readonly schema: ValueSchema
  readonly required: boolean
  readonly words: readonly string[]
  /** The beginning of the description, which says what the parameter is. */
  readonly head: readonly string[]
  /** Words of the title and description that name an identifying property, such as "id" or "email". */
  readonly known: readonly string[]
  readonly expectedKind: Kind | undefined
  /** Whether another function lists its values. */
  readonly sourced: boolean
}

export function targetsOf({ properties, required }: Fillable): Target[] {
  return Object.entries(properties).map(([parameter, schema]) => {
    const description = schema.description ?? ''
    const all = canonical(`${schema.title ?? ''} ${description.split('Call `', 1)[0]}`)
    const words = canonical(parameter)
    return {
      parameter,
      schema,
      words,
      required: required.includes(parameter),
      expectedKind: expectedKindOf(schema, words),
      head: canonical(`${schema.title ?? ''} ${description.split(/[.,:;]|\b(?:who|that|which|where|when|in|with|such|without)\b/, 1)[0]}`),
      known: all.filter((word) => KINDS.has(word)),
      sourced: description.includes('Call `'),
    }
  })
}

/** Derives the kind from the name, the format and the description; for lists and objects from their items and properties. */
function expectedKindOf(schema: ValueSchema, words: readonly string[]): Kind | undefined {
  const { format, description = '', items, properties } = schema
  if (format === 'email' || words.includes('email') || /(?:^|\s)\w+@example\.com/.test(description)) return 'email'
  if (/E\.164|\+\d{9}|phone number/i.test(description) || words.includes('phone')) return 'phone'
  if (/email addresses? (?:of|that|for)/i.test(description)) return 'email'
  if (format === 'uri') return 'url'
  if (format === 'date' || format === 'date-time' || /\d{4}-\d\d-\d\d/.test(description)) return 'date'
  if (items !== undefined) return expectedKindOf(items, [])
  return properties?.email === undefined ? undefined : 'email'
}
