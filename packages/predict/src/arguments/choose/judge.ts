import type { Option } from './assign.ts'
import type { Candidate } from './options-of.ts'

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
  const scores = candidates.map(({ signs }) =>
    Object.entries(signs).reduce((sum, [sign, strength]) => sum + strength * (weights[sign] ?? 0), 0),
  )
  const odds = scores.map((score) => Math.exp(Math.min(score, 50)))
  const all = odds.reduce((sum, odd) => sum + odd, 1)
  return candidates.map(({ found, value }, at) => ({
    ...{ found, value },
    gain: (odds[at] as number) / all < LEAST ? Number.NEGATIVE_INFINITY : (scores[at] as number) + SLACK,
    confidence: Math.round((1_000 * (odds[at] as number)) / all) / 1_000,
  }))
}
