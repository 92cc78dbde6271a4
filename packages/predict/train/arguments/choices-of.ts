import { optionsOf } from '../../src/arguments/choose/candidates.ts'
import { slotsOf } from '../../src/arguments/slot/slots-of.ts'
import type { Labelled } from './labelled-sets.ts'

/** One slot of one prompt: the signs of each piece with whether it is right; `none`: to leave it empty is right. */
export type Choice = {
  readonly pieces: readonly { readonly features: readonly (readonly [string, number])[]; readonly right: boolean }[]
  readonly none: boolean
}

const input = { variables: null, now: new Date('2026-11-23T09:00:00Z'), timeZone: 'UTC' }

/** The choices that a prompt puts. Left out: those where the right value is not among the pieces, as they teach nothing. */
export function choicesOf({ prompt, fillable, gold }: Labelled): Choice[] {
  const slots = slotsOf(fillable)
  return optionsOf(fillable, slots, prompt, { ...input, prompt }).flatMap((candidates, at) => {
    const wanted = slots[at]?.path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], gold)
    const none = wanted === undefined || wanted === null || wanted === ''
    const pieces = candidates.map(({ value, features }) => ({
      features: Object.entries(features).filter(([, strength]) => strength !== 0),
      right: !none && sameValue(value, wanted),
    }))
    return pieces.length > 0 && (none || pieces.some(({ right }) => right)) ? [{ pieces, none }] : []
  })
}

/** Whether two values say the same: letter case, white space and marks apart, and numbers as text or not. */
export function sameValue(one: unknown, other: unknown): boolean {
  return plain(one) === plain(other)
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plain).join()}]`
  if (typeof value !== 'object' || value === null) return plainText(String(value))
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, inner]) => `${name}=${plain(inner)}`).join()}}`
}

function plainText(text: string): string {
  if (text.trim() !== '' && Number.isFinite(Number(text))) return String(Number(text))
  return text.toLowerCase().replace(/[\s,./\-_*^'"`:;!?()]/g, '')
}
