import type { ExpectedType } from '../slot/expected-types.ts'
import type { Word } from './prompt.ts'

/** The kind of a piece, by its form. */
export type Kind =
  | keyof typeof TYPES
  | 'quoted'
  | 'tag'
  | 'number'
  | 'phrase' // lower-case words between function words
  | 'named' // the words after a parameter's own name
  | 'choice' // an enum value, or an example in the description
  | 'boolean-cue' // words that make a boolean true or false
  | 'list'
  | 'variable' // not a part of the prompt; the text is a tag

/** A date or time in the user's time zone. `day` and `time` say whether the text contains a day and a time. */
export type Datetime = {
  readonly year: number
  readonly month: number
  readonly date: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly day: boolean
  readonly time: boolean
  /** True for a part of a longer expression: the day or the time of "June 3 at 9:00". */
  readonly part?: boolean
  /** Offset from UTC in minutes, for an instant or a time with a named time zone. */
  readonly offset?: number
}

/** A piece of a prompt that may be the value of an argument. Offsets are UTF-16; the end is exclusive. */
export type Piece = {
  readonly kind: Kind
  readonly text: string
  readonly start: number
  readonly end: number
  /** For the second half of a piece such as "acme/web": the start of the whole piece. */
  readonly whole?: number
  /** For numbers. */
  readonly number?: number
  /** For durations, and for numbers with a unit of time. */
  readonly seconds?: number
  /** For dates and times. */
  readonly datetime?: Datetime
  /** For countries, languages and currencies: the ISO code. */
  readonly code?: string
  /** For lists, in order. */
  readonly members?: readonly Piece[]
  /** For choices and boolean cues: the value that they mean. */
  readonly value?: unknown
  /** For numbers the stem of the unit; for clauses and named pieces the kind of introduction. */
  readonly unit?: string
}

/** For each kind, the group of its form and the expected types that it satisfies. */
const TYPES = {
  email: ['pattern', 'email'],
  url: ['pattern', 'url', 'file'],
  phone: ['pattern', 'phone'],
  address: ['pattern', 'address'], // IP address or domain name
  id: ['id', 'id', 'handle'],
  file: ['pattern', 'file'],
  handle: ['pattern', 'handle'],
  code: ['pattern', 'coordinates'], // coordinates and cells: "52.52, 13.405", "A1:C20"
  money: ['amount', 'money'],
  percent: ['amount', 'percent'],
  datetime: ['datetime', 'date', 'time'],
  language: ['gazetteer', 'language'],
  country: ['gazetteer', 'country', 'place'],
  currency: ['gazetteer', 'currency'],
  slug: ['pattern', 'slug'], // owner/name
  owner: ['pattern', 'owner'],
  repo: ['pattern', 'repo'],
  given: ['pattern', 'given'],
  family: ['pattern', 'family'],
  name: ['name', 'person', 'name', 'place'],
  clause: ['clause', 'text', 'topic'], // the content of a message
} as const satisfies Readonly<Record<string, readonly [form: string, ...expected: ExpectedType[]]>>
export const TYPES_BY_KIND: Readonly<Partial<Record<Kind, readonly [form: string, ...expected: ExpectedType[]]>>> = TYPES

/** Returns the piece that a run of words makes up. */
export function pieceOf(kind: Kind, run: readonly Word[]): Piece {
  const text = run.map((word, at) => (at === 0 ? '' : word.before) + word.text).join('')
  return { kind, text, start: run[0]?.start ?? 0, end: run.at(-1)?.end ?? 0 }
}
