import { optionsOf } from '../../src/arguments/choose/options-of.ts'
import { slotsOf } from '../../src/arguments/slot/slots-of.ts'
import type { Labelled } from './labelled-sets.ts'
import { sameValue } from './same-value.ts'

/** One slot of one prompt: the signs of each piece with whether it is right; `none`: to leave it empty is right. */
export type Choice = {
  readonly pieces: readonly { readonly signs: readonly (readonly [string, number])[]; readonly right: boolean }[]
  readonly none: boolean
}

const asking = { variables: null, now: new Date('2026-11-23T09:00:00Z'), timeZone: 'UTC' }

/** The choices that a prompt puts. Left out: those where the right value is not among the pieces, as they teach nothing. */
export function choicesOf({ prompt, fillable, gold }: Labelled): Choice[] {
  const slots = slotsOf(fillable)
  return optionsOf(fillable, slots, prompt, { ...asking, prompt }).flatMap((candidates, at) => {
    const wanted = slots[at]?.path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], gold)
    const none = wanted === undefined || wanted === null || wanted === ''
    const pieces = candidates.map(({ value, signs }) => ({
      signs: Object.entries(signs).filter(([, strength]) => strength !== 0),
      right: !none && sameValue(value, wanted),
    }))
    return pieces.length > 0 && (none || pieces.some(({ right }) => right)) ? [{ pieces, none }] : []
  })
}
