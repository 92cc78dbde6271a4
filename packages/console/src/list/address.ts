import { HOUR_MS } from '@onward/contract/pure'
import type { Suggested } from '../api/suggestions.ts'

/**
 * The filters of a list as its address has them. The address is the only truth: a list stores no filter itself, so links, the back button
 * and reloads show the same rows.
 */

/**
 * One filter. `text`: what the reader typed. `enum`: one of `values`. `time`: an instant in ISO 8601. `period`: `24h`, `7d` and the like, or
 * `<since>..<until>`. `number`: a whole number. `flag`: on, or not in the address.
 */
export type Field = {
  readonly kind: 'text' | 'enum' | 'time' | 'period' | 'number' | 'flag'
  readonly label: string
  readonly values?: readonly string[]
  /** What the reader sees for a value. */
  readonly names?: Readonly<Record<string, string>>
  /** Shown only while it is set, for filters that links set. */
  readonly rare?: boolean
  /** The search field of the list, beside the other filters. */
  readonly search?: boolean
  readonly placeholder?: string
  /** What the filter suggests while the reader types. Another text is a value too. */
  readonly suggests?: Suggested
  /** The value when the address has none. It is not printed. */
  readonly default?: string
}

export type Fields = Readonly<Record<string, Field>>

type ValueOf<F extends Field> = F['kind'] extends 'number'
  ? number | undefined
  : F['kind'] extends 'flag'
    ? boolean
    : F extends { readonly kind: 'enum'; readonly values: readonly (infer V extends string)[] }
      ? F extends { readonly default: string }
        ? V
        : V | undefined
      : F extends { readonly default: string }
        ? string
        : string | undefined

/** The filters of a list as values. */
export type Values<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> }

/** Any filters, by name. */
export type AnyValues = Readonly<Record<string, string | number | boolean | undefined>>

export type Address<V> = {
  readonly fields: Fields
  /** Reads the search parameters. What is unknown or not valid is left out. */
  parse(search: Readonly<Record<string, unknown>>): V
  /** Writes the search parameters. Values that are not set, and defaults, are left out. */
  print(values: V): Record<string, string>
  /** Names the parameters that `parse` leaves out, except `others`, which belong to the page. */
  dropped(search: Readonly<Record<string, unknown>>, others: readonly string[]): string[]
}

const PERIOD = /^([1-9]\d{0,3})(h|d)$/
const HOURS = { h: 1, d: 24 } as const

/** Defines the filters of a list. */
export function defineAddress<const F extends Fields>(fields: F): Address<Values<F>> {
  return {
    fields,
    parse: (search) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [
          name,
          readOne(field, search[name]) ?? readOne(field, field.default) ?? unset(field),
        ]),
      ) as Values<F>,
    print: (values) =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([name, field]) => {
          const text = printOne(values[name as keyof F] as AnyValues[string])
          return text === undefined || text === field.default ? [] : [[name, text]]
        }),
      ),
    dropped: (search, others) =>
      Object.entries(search)
        .filter(([name, value]) => value !== undefined && !others.includes(name))
        .filter(([name, value]) => fields[name] === undefined || readOne(fields[name], value) === undefined)
        .map(([name]) => name),
  }
}

function unset({ kind }: Field): false | undefined {
  return kind === 'flag' ? false : undefined
}

function readOne({ kind, values }: Field, value: unknown): string | number | boolean | undefined {
  // The router may have read `24` or `true` as JSON.
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const text = String(value).trim()
  if (text === '') return undefined
  switch (kind) {
    case 'text':
      return text
    case 'enum':
      return values?.includes(text) ? text : undefined
    case 'time':
      return timeOf(text)?.toISOString()
    case 'period':
      return PERIOD.test(text) || rangeOf(text) !== undefined ? text : undefined
    case 'number':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
    case 'flag':
      return text === '1' || text === 'true' ? true : undefined
  }
}

function printOne(value: AnyValues[string]): string | undefined {
  if (value === undefined || value === '' || value === false) return undefined
  return value === true ? '1' : String(value)
}

function timeOf(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text)) return undefined
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? undefined : time
}

function rangeOf(text: string): { since: Date; until: Date } | undefined {
  const [first = '', second = ''] = text.split('..')
  const since = timeOf(first)
  const until = timeOf(second)
  return since !== undefined && until !== undefined && since < until ? { since, until } : undefined
}

/** Returns the times of a period. `until` is undefined for a period that ends now. */
export function periodOf(text: string, now: Date): { since: Date; until: Date | undefined } {
  const range = rangeOf(text)
  if (range !== undefined) return range
  const [, amount = '24', unit = 'h'] = PERIOD.exec(text) ?? []
  return { since: new Date(now.getTime() - Number(amount) * HOURS[unit as 'h' | 'd'] * HOUR_MS), until: undefined }
}

/** Returns the period between two times, for the address. */
export function printPeriod(since: Date, until: Date): string {
  return `${since.toISOString()}..${until.toISOString()}`
}

/** Returns whether no filter differs from its default. The search of an empty list says something else than an empty list. */
export function isUnfiltered<V>(address: Address<V>, values: V): boolean {
  return Object.keys(address.print(values)).length === 0
}
