import type { ValueSchema } from '@onward/catalog'

export type JsonType = ValueSchema['type']

/** A schema of the document with its references, `allOf` and alternatives put together, one level deep. */
export type Flat = {
  /** Empty: the document does not say. */
  types: JsonType[]
  description: string | undefined
  /** By name, all schemas that a value of it must fit. */
  properties: Map<string, unknown[]>
  required: Set<string>
  /** Undefined: the document does not say. */
  additional: unknown
  items: unknown
  enum: unknown[] | undefined
  /** Keywords that are taken over as they are, `format`, `minimum`, `default` and so on. */
  keywords: Record<string, unknown>
  readOnly: boolean
  /** The schema objects that it was made from: by them a circle is found. */
  made: object[]
}

export function emptyFlat(): Flat {
  return {
    types: [],
    description: undefined,
    properties: new Map(),
    required: new Set(),
    additional: undefined,
    items: undefined,
    enum: undefined,
    keywords: {},
    readOnly: false,
    made: [],
  }
}

/** From the most general type on: a value that may be of several is given as the first of them. */
const generality: readonly JsonType[] = ['object', 'array', 'string', 'number', 'integer', 'boolean']

/** The one type of a value that may be of several: text may stand for every scalar, a number for a whole number. */
export function oneType(types: readonly JsonType[]): JsonType | undefined {
  return generality.find((type) => types.includes(type))
}
