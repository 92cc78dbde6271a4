import type { Steps } from '../../in-slices.ts'
import type { Piece } from '../find/piece.ts'
import type { Candidate } from './features.ts'

/**
 * By feature name: what the feature adds to the log odds that a piece of the prompt is the value of a parameter. Learnt by
 * `train-arguments` from labelled prompts.
 */
export type Weights = Readonly<Record<string, number>>

/** A value may be slightly less likely than no value: users find it easier to correct a value than to miss one. */
const SLACK = 0.8

/**
 * Returns, for each candidate of a slot, its gain over leaving the slot empty, and its probability: a softmax over the weighted features of
 * all candidates and of the empty slot, which scores 0.
 */
export function judge(candidates: readonly Candidate[], weights: Weights): Option[] {
  const scores = candidates.map(({ features }) =>
    Object.entries(features).reduce((sum, [feature, strength]) => sum + strength * (weights[feature] ?? 0), 0),
  )
  const odds = scores.map((score) => Math.exp(Math.min(score, 50)))
  const all = odds.reduce((sum, odd) => sum + odd, 1)
  return candidates.map(({ found, value }, at) => ({
    found,
    value,
    gain: (scores[at] as number) + SLACK,
    confidence: Math.round((1_000 * (odds[at] as number)) / all) / 1_000,
  }))
}

/** A piece for a slot. `gain` is how much better it is than leaving the slot empty. */
export type Option = { readonly found: Piece; readonly value: unknown; readonly gain: number; readonly confidence: number }

/** The number of partial assignments kept in the beam search. */
const BEAM_WIDTH = 48
const OPTIONS_PER_SLOT = 8

type PartialAssignment = { readonly gain: number; readonly taken: readonly Piece[]; readonly chosen: readonly (Option | null)[] }

/**
 * Returns the option of each slot, or null. Maximizes the total gain by beam search, without using any part of the prompt twice. Slots with
 * the highest possible gain come first.
 */
export function* assign(options: readonly (readonly Option[])[]): Steps<readonly (Option | null)[]> {
  const ranked = options.map((each, slot) => {
    const gains = each.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain)
    return { slot, best: gains.slice(0, OPTIONS_PER_SLOT), most: gains[0]?.gain ?? 0 }
  })
  let kept: PartialAssignment[] = [{ gain: 0, taken: [], chosen: options.map(() => null) }]
  for (const { slot, best } of ranked.filter(({ most }) => most > 0).sort((a, b) => b.most - a.most)) {
    const next = kept.flatMap(({ gain, taken, chosen }) =>
      best
        .filter(({ found }) => !clashes(taken, found))
        .map((option) => ({
          gain: gain + option.gain,
          taken: consumes(option.found) ? [...taken, option.found] : taken,
          chosen: chosen.with(slot, option),
        })),
    )
    kept = [...kept, ...next].sort((a, b) => b.gain - a.gain).slice(0, BEAM_WIDTH)
    yield
  }
  return kept[0]?.chosen ?? []
}

function clashes(taken: readonly Piece[], found: Piece): boolean {
  return consumes(found) && taken.some(({ start, end }) => found.start < end && found.end > start)
}

/** In "my email, ada@…" the word that selects an enum value or a boolean may also be part of another value. */
function consumes({ kind }: Piece): boolean {
  return kind !== 'boolean-cue'
}
