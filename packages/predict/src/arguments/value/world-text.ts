import { codeOfWorld } from '../find/world.ts'
import type { Slot } from '../slot/slot.ts'

const CODE = /\biso[ -]?(?:639|3166|4217)|\b(?:two|2|three|3)[ -](?:letter|character)|\b(?:country|language|currency) code/i

/** A country, language or currency as a slot writes it: its name, its code, or the example that means the same. */
export function worldText({ schema, examples, wants, names }: Slot, text: string, code: string): string {
  const example = examples.find((one) => codeOfWorld(one) === code)
  if (example !== undefined) return example
  const wantsCode =
    CODE.test(schema.description ?? '') || names.includes('code') || (wants.has('currency') && !examples.some((one) => one.length > 3))
  const shown = examples.find((one) => (wants.has('currency') ? /^[A-Za-z]{3}$/ : /^[A-Za-z]{2}$/).test(one))
  if (!wantsCode && shown === undefined && schema.maxLength !== 2 && schema.maxLength !== 3) return text
  if (shown === undefined) return code
  return shown === shown.toUpperCase() ? code.toUpperCase() : code.toLowerCase()
}
