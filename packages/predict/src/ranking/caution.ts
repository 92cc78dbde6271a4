import type { Rankable } from './function-text.ts'
import { bestFirst, type Candidate } from './order.ts'

/** How much a call can harm: 0 only reads, 1 changes something, 2 destroys something. A passthrough can destroy anything. */
function harmOf({ type, destructive }: Rankable): 0 | 1 | 2 {
  if (destructive) return 2
  return type === 'QUERY' ? 0 : 1
}

/** Whether past prompts may raise a function at all. */
export function canBeRaised(fn: Rankable): boolean {
  return harmOf(fn) < 2
}

/** Less than any difference between scores that matters. */
const BELOW = 1e-6

/**
 * Returns the candidates in the order that past prompts give them, within limits: an action stays below the queries that were above it
 * without past prompts, and a destructive function stays below everything that was above it. So what was learnt never turns
 * "show" into "delete". `unlearnt` are the candidates without past prompts, best first. They may be fewer.
 */
export function limitLearning(functions: readonly Rankable[], unlearnt: readonly Candidate[], learnt: readonly Candidate[]): Candidate[] {
  const scores = new Map(learnt.map((each) => [each.number, each]))
  const before = unlearnt.flatMap(({ number }) => scores.get(number) ?? [])
  const known = new Set(before)
  let lowestQuery = Number.POSITIVE_INFINITY
  let lowest = Number.POSITIVE_INFINITY
  const limited = [...before, ...learnt.filter((each) => !known.has(each))].map((each) => {
    const harm = harmOf(functions[each.number] as Rankable)
    const limit = harm === 0 ? Number.POSITIVE_INFINITY : (harm === 1 ? lowestQuery : lowest) - BELOW
    const score = Math.min(each.score, limit)
    if (harm === 0) lowestQuery = Math.min(lowestQuery, score)
    lowest = Math.min(lowest, score)
    return { ...each, score }
  })
  return bestFirst(limited)
}
