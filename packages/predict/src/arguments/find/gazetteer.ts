import type { ValueSchema } from '@onward/catalog'
import type { Slot } from '../slot/slot.ts'
import { type Kind, type Piece, pieceOf } from './piece.ts'
import type { Word } from './prompt.ts'

type Entry = { readonly kind: Kind; readonly code: string }

/** Common names that the ISO lists do not contain. */
const ALSO = {
  country: 'usa US, united states of america US, uk GB, uae AE, great britain GB, england GB, turkey TR, czech republic CZ',
  language: 'mandarin zh',
  currency: 'dollars USD, euros EUR, pounds GBP, yen JPY',
}
const MAX_WORDS = 4

/** Built on the first use, because it takes 10 ms. */
let known: ReadonlyMap<string, Entry> | undefined

/** Finds countries, languages and currencies by their English names, and currencies by their codes in capital letters. */
export function findGazetteerNames(words: readonly Word[]): Piece[] {
  known ??= buildGazetteer()
  const found: Piece[] = []
  for (let at = 0; at < words.length; at++) {
    for (let count = Math.min(MAX_WORDS, words.length - at); count > 0; count--) {
      const run = words.slice(at, at + count)
      if (run.slice(1).some(({ before }) => before !== ' ')) continue
      const entry = known.get(run.map(({ lower }) => lower).join(' '))
      const [{ text }] = run as [Word]
      const isCode = text.toUpperCase() === entry?.code
      if (entry === undefined || (isCode ? text !== entry.code : entry.kind !== 'currency' && !/^\p{Lu}/u.test(text))) continue
      found.push({ ...pieceOf(entry.kind, run), code: entry.code })
      at += count - 1
      break
    }
  }
  return found
}

/** Returns the ISO code of a country, language or currency by its full name, or of a currency by its code. */
export function isoCodeOf(name: string): string | undefined {
  known ??= buildGazetteer()
  return known.get(name.toLowerCase())?.code
}

function buildGazetteer(): ReadonlyMap<string, Entry> {
  const names = new Map<string, Entry>()
  const currencies = Intl.supportedValuesOf('currency')
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const pairs = letters.flatMap((a) => letters.map((b) => a + b))
  const lists = [
    ['language', pairs, new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })],
    ['country', pairs.map((pair) => pair.toUpperCase()), new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })],
    ['currency', currencies, new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' })],
  ] as const
  for (const [kind, all, display] of lists) {
    for (const code of all) {
      const name = display
        .of(code)
        ?.toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
      if (name !== undefined && name !== '' && !names.has(name)) names.set(name, { kind, code })
    }
  }
  for (const code of currencies) names.set(code.toLowerCase(), { kind: 'currency', code })
  for (const [kind, list] of Object.entries(ALSO)) {
    for (const [, name = '', code = ''] of list.matchAll(/(\S[^,]*) (\w+)/g)) names.set(name, { kind: kind as keyof typeof ALSO, code })
  }
  return names
}

/** Returns a country, language or currency in the notation of the slot: its name, its ISO code, or the example with the same meaning. */
export function isoCodeText({ examples, expected }: Slot, text: string, code: string): string {
  const example = examples.find((one) => isoCodeOf(one) === code)
  if (example !== undefined) return example
  const shown = examples.find((one) => (expected.has('currency') ? /^[A-Za-z]{3}$/ : /^[A-Za-z]{2}$/).test(one))
  if (shown === undefined) return expected.has('currency') ? code : text
  return shown === shown.toUpperCase() ? code.toUpperCase() : code.toLowerCase()
}

const MINOR = /\bsmallest (?:currency )?unit\b|\bminor units?\b|\bin cents\b/i
const CURRENCY_SYMBOLS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' }

/**
 * Returns an amount with a currency in the smallest currency unit, when the parameter expects it: 2000 for "$20". Otherwise returns
 * undefined.
 */
export function inMinorUnits({ description = '' }: ValueSchema, found: Piece): number | undefined {
  const currency = currencyOf(found)
  if (found.number === undefined || currency === undefined || !MINOR.test(description)) return undefined
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  return Math.round(found.number * 10 ** digits)
}

function currencyOf({ text, unit = '' }: Piece): string | undefined {
  const code = CURRENCY_SYMBOLS[text.charAt(0)] ?? isoCodeOf(unit) ?? isoCodeOf(`${unit}s`)
  return code?.length === 3 ? code : undefined
}
