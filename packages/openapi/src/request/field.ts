import type { ValueSchema } from '@onward/catalog'

export type Place = 'path' | 'query' | 'header' | 'body'

/** One value that goes into a request, and from which a parameter of the function is made. */
export type Field = {
  readonly place: Place
  /** As the API writes it. */
  readonly name: string
  readonly schema: ValueSchema
  readonly required: boolean
  /** A file; its schema is of no use then. */
  readonly file: boolean
  /** A header or the like that has one value only: nobody has to give it. */
  readonly fixed?: string
  /** How its value is written: `{tag}` or, repeated for each item, `{tag*}`. */
  readonly explode: boolean
  /** The key in the query where it is not the name: `expand[]`. */
  readonly key?: string
}

export type NamedField = Field & { /** The parameter. */ readonly parameter: string }
