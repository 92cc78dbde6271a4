import type { ValueSchema } from '@onward/catalog'

/** What a parameter's name, format and description say that its values are. */
export type ExpectedType =
  | 'email'
  | 'url'
  | 'phone'
  | 'address'
  | 'id'
  | 'file'
  | 'handle'
  | 'color'
  | 'coordinates'
  | 'date'
  | 'time'
  | 'zone'
  | 'period'
  | 'money'
  | 'percent'
  | 'count'
  | 'language'
  | 'country'
  | 'currency'
  | 'place'
  | 'street'
  | 'unit'
  | 'city'
  | 'region'
  | 'postcode'
  | 'slug'
  | 'owner'
  | 'repo'
  | 'given'
  | 'family'
  | 'person'
  | 'name'
  | 'text'
  | 'topic'

/** A place for one value: a parameter, or a property inside a parameter that is an object. */
export type Slot = {
  readonly path: readonly string[]
  readonly schema: ValueSchema
  readonly required: boolean
  /** Stems of its name and title; the most telling ones alone in `telling`. */
  readonly names: readonly string[]
  readonly telling: ReadonlySet<string>
  /** Stems of words that people say in its stead, and small words that stand before its values ("in" for a place). */
  readonly synonyms: ReadonlySet<string>
  readonly cues: ReadonlySet<string>
  /** Stems of the description. */
  readonly description: ReadonlySet<string>
  readonly examples: readonly string[]
  readonly expected: ReadonlySet<ExpectedType>
}
