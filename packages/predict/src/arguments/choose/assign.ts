import type { Found } from '../find/found.ts'

/** A piece for a slot, by how much better it is than leaving the slot empty. */
export type Option = { readonly found: Found; readonly value: unknown; readonly gain: number; readonly confidence: number }

/** Assignments kept while slot after slot is decided: enough for the best of all to be among them. */
const KEPT = 48
const OPTIONS_PER_SLOT = 8

type Draft = { readonly gain: number; readonly taken: readonly Found[]; readonly chosen: readonly (Option | null)[] }

/**
 * For each slot the option that it gets, or null: together the most gain, no piece of the prompt used twice. Slots with the most
 * to gain are decided first.
 */
export function assign(options: readonly (readonly Option[])[]): (Option | null)[] {
  const ranked = options.map((each, slot) => ({ slot, best: [...each].sort((a, b) => b.gain - a.gain).slice(0, OPTIONS_PER_SLOT) }))
  const order = ranked.filter(({ best }) => (best[0]?.gain ?? 0) > 0).sort((a, b) => (b.best[0]?.gain ?? 0) - (a.best[0]?.gain ?? 0))
  let kept: Draft[] = [{ gain: 0, taken: [], chosen: [] }]
  for (const { best } of order) {
    const next = kept.flatMap((partial) => [
      { ...partial, chosen: [...partial.chosen, null] },
      ...best
        .filter(({ gain, found }) => gain > 0 && !clashes(partial.taken, found))
        .map((option) => ({
          gain: partial.gain + option.gain,
          taken: consumes(option.found) ? [...partial.taken, option.found] : partial.taken,
          chosen: [...partial.chosen, option],
        })),
    ])
    kept = next.sort((a, b) => b.gain - a.gain).slice(0, KEPT)
  }
  const result: (Option | null)[] = options.map(() => null)
  for (const [at, { slot }] of order.entries()) result[slot] = kept[0]?.chosen[at] ?? null
  return result
}

function clashes(taken: readonly Found[], found: Found): boolean {
  return consumes(found) && taken.some(({ start, end }) => found.start < end && found.end > start)
}

/** "my email, ada@…": the word that makes an enum's value may serve another parameter's value too. */
function consumes({ kind }: Found): boolean {
  return kind !== 'stance'
}
