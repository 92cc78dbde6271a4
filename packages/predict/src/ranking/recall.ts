import type { Rankable } from './function-text.ts'
import type { Past } from './past.ts'
import type { Retrieved } from './retrieve.ts'

/** What past prompts say to a new one, of functions by number. */
export type Recall = {
  /** What to add to a function's score. */
  worth(number: number): number
  /** 0 to 1: how probably a function is right, as far as past prompts tell; 0 where they are too unlike to tell. */
  sure(number: number): number
  /** Makes candidates of the functions that are spoken for. */
  join(found: Retrieved): Retrieved
}

/** So many functions become candidates because of past prompts. */
const CANDIDATES = 10
/** What the best function has before one that nobody has asked for yet, at most. */
const LEAD = 3
/** More than anything else can add up to. */
const SAME = 1e6
/** How sure the function of the very same prompt is. */
const SURE = 0.9
/** From here on, a function is about as often right as its nearest past prompt is like; of prompts that nothing fits, one in a hundred is that like. */
const LIKE = 0.5

const NOTHING: Recall = { worth: () => 0, sure: () => 0, join: (found) => found }

/** Past prompts name functions; those that the catalog no longer has are passed over. */
export function openRecall(functions: readonly Rankable[]): (prompt: string, past: Past | undefined) => Recall {
  const numbers = new Map(functions.map(({ name }, number) => [name, number]))
  return (prompt, past) => {
    if (past === undefined) return NOTHING
    const { evidence, same: name } = past.recall(prompt)
    const same = name === undefined ? undefined : numbers.get(name)
    // A function that nobody has asked for yet has nothing to speak for it: of the others, only the best wins over it, and not by far.
    const [best, second] = evidence.values()
    const unasked = Math.max(second?.worth ?? 0, (best?.worth ?? 0) - LEAD)
    const names = [...evidence.keys()].slice(0, CANDIDATES)
    const candidates = [...names.map((each) => numbers.get(each)), same].filter((number) => number !== undefined)
    return {
      worth(number) {
        if (number === same) return SAME
        const { name: each } = functions[number] as Rankable
        return past.functions.has(each) ? (evidence.get(each)?.worth ?? 0) : unasked
      },
      sure(number) {
        if (number === same) return SURE
        const { likeness = 0 } = evidence.get((functions[number] as Rankable).name) ?? {}
        return likeness < LIKE ? 0 : Math.min(likeness, SURE)
      },
      join: (found) => ({ ...found, pool: [...new Set([...found.pool, ...candidates])].sort((a, b) => a - b) }),
    }
  }
}
