import type { ArgumentWeights } from '@onward/predict'
import { allSlotsOf, candidatesOf, finish, predictArguments } from '@onward/predict/training'
import type { Labelled } from './labelled-sets.ts'

/** A slot of a prompt, with the features of each piece and whether it is right. `none` is true when the slot must stay empty. */
export type Choice = {
  readonly pieces: readonly { readonly features: readonly (readonly [string, number])[]; readonly right: boolean }[]
  readonly none: boolean
}

/** Returns the choices of a prompt. Choices whose right value is not among the pieces are left out, because they teach nothing. */
export function choicesOf({ input, fillable, gold }: Labelled): Choice[] {
  const slots = allSlotsOf(fillable)
  return finish(candidatesOf(fillable, input)).flatMap((candidates, at) => {
    const wanted = slots[at]?.path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], gold)
    const none = wanted === undefined || wanted === null || wanted === ''
    const pieces = candidates.map(({ value, features }) => ({
      features: Object.entries(features).filter(([, strength]) => strength !== 0),
      right: !none && sameValue(value, wanted),
    }))
    return pieces.length > 0 && (none || pieces.some(({ right }) => right)) ? [{ pieces, none }] : []
  })
}

/** Returns whether exactly the right arguments are predicted. */
export function isExact({ input, fillable, gold }: Labelled, weights: ArgumentWeights): boolean {
  const all = Object.entries(finish(predictArguments(fillable, input, weights)))
  const args = Object.fromEntries(all.filter(([, { origin }]) => origin.from !== 'default'))
  return Object.keys(fillable.properties).every((name) => {
    const wanted = gold[name]
    const none = wanted === undefined || wanted === null || wanted === ''
    return none ? args[name] === undefined : args[name] !== undefined && sameValue(args[name].value, wanted)
  })
}

/** Whether two values are equal apart from case, white space, punctuation, and numbers written as text. */
function sameValue(one: unknown, other: unknown): boolean {
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
