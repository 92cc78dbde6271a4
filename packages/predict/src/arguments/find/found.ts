import type { ExpectedType } from '../slot/slot.ts'

/** What a piece of a prompt looks like. */
export type Kind =
  | 'quoted'
  | 'tag'
  | 'url'
  | 'email'
  | 'phone'
  | 'address' // of a network: IP, domain name
  | 'id'
  | 'file'
  | 'handle'
  | 'color'
  | 'code'
  | 'number'
  | 'money'
  | 'percent'
  | 'quantity' // a number and its unit: "12-15 years"
  | 'datetime'
  | 'period'
  | 'language'
  | 'country'
  | 'currency'
  | 'street'
  | 'unit'
  | 'city'
  | 'region'
  | 'postcode'
  | 'slug' // owner/name
  | 'owner'
  | 'repo'
  | 'name' // capitalised words
  | 'given'
  | 'family'
  | 'phrase' // lower-case words between words of grammar
  | 'named' // the words after a parameter's own name
  | 'clause' // what a message says
  | 'choice' // an enum value or an example of the description
  | 'boolean-cue' // words that make a boolean true or false
  | 'list'

/** A date or time as the user's clock and calendar show it. `day` and `time` say which half the text itself gave. */
export type Datetime = {
  readonly year: number
  readonly month: number
  readonly date: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly day: boolean
  readonly time: boolean
  /** Only a part of what the text gives in one breath: the day of "June 3 at 9:00", or its time. */
  readonly part?: boolean
  /** Of an instant, or a time whose zone the text names: how many minutes the clock is ahead of UTC then. */
  readonly offset?: number
}

/** A piece of a prompt that may be an argument's value. Offsets are UTF-16, end exclusive. */
export type Piece = {
  readonly kind: Kind
  readonly text: string
  readonly start: number
  readonly end: number
  /** Of second halves: where the whole starts. */
  readonly whole?: number
  /** Of numbers. */
  readonly number?: number
  /** Of moments. */
  readonly datetime?: Datetime
  /** Of countries, languages and currencies: the ISO code. */
  readonly code?: string
  /** Of lists, in order. */
  readonly members?: readonly Piece[]
  /** Of choices and stances: what they mean. */
  readonly value?: unknown
  /** Of quoted text that as a whole is a mark: which. */
  readonly form?: Kind
  /** Of a number with a unit: its word, stemmed; of clauses and named pieces how they are introduced. */
  readonly unit?: string
}

/** The wants that a kind answers, and how sure its form alone makes it. */
export const ANSWERS: Readonly<Partial<Record<Kind, readonly [form: string, ...expected: ExpectedType[]]>>> = {
  email: ['mark', 'email'],
  url: ['mark', 'url', 'file'],
  phone: ['mark', 'phone'],
  address: ['mark', 'address'],
  id: ['id', 'id', 'handle'],
  file: ['mark', 'file'],
  handle: ['mark', 'handle'],
  color: ['mark', 'color'],
  code: ['mark', 'coordinates'],
  money: ['amount', 'money'],
  percent: ['amount', 'percent'],
  datetime: ['datetime', 'date', 'time'],
  period: ['datetime', 'period', 'date'],
  language: ['gazetteer', 'language'],
  country: ['gazetteer', 'country', 'place'],
  currency: ['gazetteer', 'currency'],
  street: ['mark', 'street'],
  unit: ['mark', 'unit'],
  city: ['mark', 'city', 'place'],
  region: ['mark', 'region'],
  postcode: ['mark', 'postcode'],
  slug: ['mark', 'slug', 'zone'],
  owner: ['mark', 'owner'],
  repo: ['mark', 'repo'],
  given: ['mark', 'given'],
  family: ['mark', 'family'],
  name: ['name', 'person', 'name', 'place'],
  clause: ['clause', 'text', 'topic'],
}

/** Wants that only their own form answers. */
export const STRICT: ReadonlySet<ExpectedType> = new Set([
  'email',
  'url',
  'phone',
  'date',
  'given',
  'family',
  'owner',
  'repo',
  'postcode',
  'coordinates',
  'zone',
])
