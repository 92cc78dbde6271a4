import type { Piece } from '../find/found.ts'
import type { Candidate } from './candidates.ts'

/**
 * By name of a feature: what it adds to the odds (as a logarithm) that a piece of the prompt is a parameter's value. Learnt by
 * `train-arguments` from labelled prompts.
 */
export type Weights = Readonly<Record<string, number>>

/** A value may be a little less likely than none: to miss one that is said is worse than to correct one. */
const SLACK = 0.5
/** What is less likely than this is wrong more often than not, and a wrong value is worse than a missing one. */
const LEAST = 0.08

/**
 * How much better each candidate of a slot is than no value at all, and how likely it is right: its share among all candidates of
 * that slot and none (a softmax over the sums of their signs; none has 0).
 */
export function judge(candidates: readonly Candidate[], weights: Weights): Option[] {
  const scores = candidates.map(({ features }) =>
    Object.entries(features).reduce((sum, [feature, strength]) => sum + strength * (weights[feature] ?? 0), 0),
  )
  const odds = scores.map((score) => Math.exp(Math.min(score, 50)))
  const all = odds.reduce((sum, odd) => sum + odd, 1)
  return candidates.map(({ found, value }, at) => ({
    ...{ found, value },
    gain: (odds[at] as number) / all < LEAST ? Number.NEGATIVE_INFINITY : (scores[at] as number) + SLACK,
    confidence: Math.round((1_000 * (odds[at] as number)) / all) / 1_000,
  }))
}

/** A piece for a slot, by how much better it is than leaving the slot empty. */
export type Option = { readonly found: Piece; readonly value: unknown; readonly gain: number; readonly confidence: number }

/** Assignments kept while slot after slot is decided: enough for the best of all to be among them. */
const KEPT = 48
const OPTIONS_PER_SLOT = 8

type Draft = { readonly gain: number; readonly taken: readonly Piece[]; readonly chosen: readonly (Option | null)[] }

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

function clashes(taken: readonly Piece[], found: Piece): boolean {
  return consumes(found) && taken.some(({ start, end }) => found.start < end && found.end > start)
}

/** "my email, ada@…": the word that makes an enum's value may serve another parameter's value too. */
function consumes({ kind }: Piece): boolean {
  return kind !== 'boolean-cue'
}
