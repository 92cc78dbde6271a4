import { canBeRaised } from './caution.ts'
import type { Rankable } from './function-text.ts'
import type { Past } from './past.ts'
import type { Retrieved } from './retrieve.ts'

/** What past prompts contribute to the ranking of a new prompt. Functions are numbers. */
export type Recall = {
  /** Returns the score to add for a function. */
  score(number: number): number
  /** Returns the probability, 0 to 1, that a function is right according to past prompts; 0 when they are not similar enough. */
  certainty(number: number): number
  /** Adds the functions with evidence to the candidates. */
  addCandidates(found: Retrieved): Retrieved
}

/** The number of functions that past prompts can add to the candidates. */
const CANDIDATES = 10
/** The largest lead of the best function over a function that was never called. */
const LEAD = 3
/** Larger than any other score: an identical past prompt decides. */
const SAME = 1e6
/** The probability that the function of an identical prompt is right. */
const SAME_CERTAINTY = 0.9
/**
 * The lowest similarity that counts as a probability. From here on, a function is right about as often as the similarity says. About one in
 * a hundred out-of-scope prompts reaches it.
 */
const SIMILAR = 0.5

const NOTHING: Recall = { score: () => 0, certainty: () => 0, addCandidates: (found) => found }

/** Functions that are no longer in the catalog, or that cannot be raised, are ignored. */
export function openRecall(functions: readonly Rankable[]): (prompt: string, past: Past | undefined) => Recall {
  const numbers = new Map(functions.flatMap((fn, number) => (canBeRaised(fn) ? [[fn.name, number] as const] : [])))
  return (prompt, past) => {
    if (past === undefined) return NOTHING
    const recalled = past.recall(prompt)
    const evidence = new Map([...recalled.evidence].filter(([each]) => numbers.has(each)))
    const { same: name } = recalled
    const same = name === undefined ? undefined : numbers.get(name)
    // A function that was never called has no evidence. To keep it findable, it scores like the second best function, or LEAD below the
    // best one, whichever is higher.
    const [best, second] = evidence.values()
    const withoutEvidence = Math.max(second?.score ?? 0, (best?.score ?? 0) - LEAD)
    const names = [...evidence.keys()].slice(0, CANDIDATES)
    const candidates = [...names.map((each) => numbers.get(each)), same].filter((number) => number !== undefined)
    return {
      score(number) {
        if (number === same) return SAME
        const { name: each } = functions[number] as Rankable
        return past.functions.has(each) && numbers.has(each) ? (evidence.get(each)?.score ?? 0) : withoutEvidence
      },
      certainty(number) {
        if (number === same) return SAME_CERTAINTY
        const { similarity = 0 } = evidence.get((functions[number] as Rankable).name) ?? {}
        return similarity < SIMILAR ? 0 : Math.min(similarity, SAME_CERTAINTY)
      },
      addCandidates: (found) => ({ ...found, pool: [...new Set([...found.pool, ...candidates])].sort((a, b) => a - b) }),
    }
  }
}
