import type { ValueSchema } from '@onward/catalog'

/** The type of value that a parameter's name, format and description suggest. */
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

/** A parameter, or a property of an object parameter, that can get one value. */
export type Slot = {
  readonly path: readonly string[]
  readonly schema: ValueSchema
  readonly required: boolean
  /** Stems of name and title. `distinctive` holds those that only few parameters have in their names. */
  readonly names: readonly string[]
  readonly distinctive: ReadonlySet<string>
  /**
   * Stems of words that users say instead of the name. `cues` are short words before its values, such as "in" before a place.
   */
  readonly synonyms: ReadonlySet<string>
  readonly cues: ReadonlySet<string>
  /** For an id: the stem of the thing that it identifies, such as "folder". */
  readonly things: readonly string[]
  /** Stems of the description. */
  readonly description: ReadonlySet<string>
  readonly examples: readonly string[]
  readonly expected: ReadonlySet<ExpectedType>
  readonly form: ValueForm
}

/** The form that a description gives to the values of a slot. */
export type ValueForm = {
  /** Whether a value is an id, and not a name or another text. */
  readonly id: boolean
  /** Whether another function lists the values. */
  readonly sourced: boolean
  /** The beginning of every value, such as "pi_". */
  readonly prefix: string | undefined
  /** Whether all examples contain digits. */
  readonly digits: boolean
  /** Whether values are written in a query language, in which plain words are not valid. */
  readonly query: boolean
}
