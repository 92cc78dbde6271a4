import { type Matching, type Pair, pairsOf } from './pairs-of.ts'

/** With names this close there is no doubt, so that a variable may go into two parameters. */
const NAMED = 8
/** Closer than this, neither of two variables is the one that is meant. */
const DOUBT = 0.5
/** From here on a rival is no matter: the names are the same. */
const CERTAIN = 10

/** Which variable goes into which parameter, by the best pairs first. Where two are as good, neither is taken. */
export function matchVariables(matching: Matching): ReadonlyMap<string, Pair> {
  const pairs = pairsOf(matching)
  const matched = new Map<string, Pair>()
  const doubtful = new Set<string>()
  const used = new Set<string>()
  for (const pair of pairs) {
    const { parameter } = pair.target
    const isFree = ({ variable, close }: Pair) => !used.has(variable.path) || close >= NAMED
    if (matched.has(parameter) || doubtful.has(parameter) || !isFree(pair)) continue
    if (pair.score < CERTAIN && pairs.some((other) => isFree(other) && isRival(pair, other))) {
      doubtful.add(parameter)
      continue
    }
    used.add(pair.variable.path)
    matched.set(parameter, pair)
  }
  return matched
}

function isRival({ target, variable, score }: Pair, other: Pair): boolean {
  return other.target === target && other.variable.owner.join() !== variable.owner.join() && score - other.score < DOUBT
}
