import type { ValueSchema } from '@onward/catalog'
import type { Found } from '../find/found.ts'
import { codeOfWorld } from '../find/world.ts'

const MINOR = /\bsmallest (?:currency )?unit\b|\bminor units?\b|\bin cents\b/i
const SIGNS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' }

/** An amount told with its currency, for a parameter that counts cents or the like: 2000 for "$20". Undefined when it is none such. */
export function inMinorUnits({ description = '' }: ValueSchema, found: Found): number | undefined {
  const currency = currencyOf(found)
  if (found.number === undefined || currency === undefined || !MINOR.test(description)) return undefined
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  return Math.round(found.number * 10 ** digits)
}

function currencyOf({ text, unit = '' }: Found): string | undefined {
  const code = SIGNS[text.charAt(0)] ?? codeOfWorld(unit) ?? codeOfWorld(`${unit}s`)
  return code?.length === 3 ? code : undefined
}
