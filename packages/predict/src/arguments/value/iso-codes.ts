import type { ValueSchema } from '@onward/catalog'
import { isoCodeOf } from '../find/gazetteer.ts'
import type { Piece } from '../find/piece.ts'
import type { Slot } from '../slot/slot.ts'

const CODE = /\biso[ -]?(?:639|3166|4217)|\b(?:two|2|three|3)[ -](?:letter|character)|\b(?:country|language|currency) code/i

/** Returns a country, language or currency in the notation of the slot: its name, its ISO code, or the example with the same meaning. */
export function isoCodeText({ schema, examples, expected, names }: Slot, text: string, code: string): string {
  const example = examples.find((one) => isoCodeOf(one) === code)
  if (example !== undefined) return example
  const expectsCode =
    CODE.test(schema.description ?? '') || names.includes('code') || (expected.has('currency') && !examples.some((one) => one.length > 3))
  const shown = examples.find((one) => (expected.has('currency') ? /^[A-Za-z]{3}$/ : /^[A-Za-z]{2}$/).test(one))
  if (!expectsCode && shown === undefined && schema.maxLength !== 2 && schema.maxLength !== 3) return text
  if (shown === undefined) return code
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
