import type { Steps } from '../../in-slices.ts'
import type { Fillable, PredictedArgument } from '../types.ts'
import { affinity, cueScore } from './affinity.ts'
import type { Mention } from './mentions.ts'
import { tagFor } from './tags.ts'
import type { Target } from './targets-of.ts'
import type { Variable } from './variables-of.ts'
import { CHANGES } from './word-sets.ts'

/** A variable with a name score this high may fill several parameters. */
const NAMED = 8
/** When the scores of two variables differ by less, neither is chosen. */
const DOUBT = 0.5
/** From this score on, similar variables are ignored, because the names are the same. */
const CERTAIN = 10

/** Returns the variable of each parameter, best pairs first. When two variables fit equally well, neither is chosen. */
export function* matchVariables(matching: Matching): Steps<ReadonlyMap<string, Pair>> {
  const pairs = yield* pairsOf(matching)
  const matched = new Map<string, Pair>()
  const doubtful = new Set<string>()
  const used = new Set<string>()
  for (const pair of pairs) {
    yield
    const { parameter } = pair.target
    const isAvailable = ({ variable, nameScore }: Pair) => !used.has(variable.path) || nameScore >= NAMED
    if (matched.has(parameter) || doubtful.has(parameter) || !isAvailable(pair)) continue
    if (pair.score < CERTAIN && pairs.some((other) => isAvailable(other) && isCompetitor(pair, other))) {
      doubtful.add(parameter)
      continue
    }
    used.add(pair.variable.path)
    matched.set(parameter, pair)
  }
  return matched
}

function isCompetitor({ target, variable, score }: Pair, other: Pair): boolean {
  return other.target === target && other.variable.owner.join() !== variable.owner.join() && score - other.score < DOUBT
}

/** The variables and parameters to match, and what the prompt says about them. */
export type Matching = {
  readonly check: Fillable['check']
  readonly targets: readonly Target[]
  readonly variables: readonly Variable[]
  readonly mentions: ReadonlyMap<Variable, readonly Mention[]>
  /** The canonical words of the function's title. */
  readonly title: readonly string[]
  readonly prompted: boolean
}

export type Pair = {
  readonly target: Target
  readonly variable: Variable
  /** The value to write, with the variable's tag. */
  readonly value: unknown
  /** The sum of the scores below. */
  readonly score: number
  /** How similar the two names are. */
  readonly nameScore: number
  /** How clearly the words around a mention name the parameter. */
  readonly promptScore: number
  readonly mentioned: boolean
  /** Whether the prompt contains the variable's tag. */
  readonly hasTag: boolean
}

/** The lowest score with which a variable fills a parameter. */
const ENOUGH = { required: 4.5, optional: 6 } as const
const MENTIONED = { tag: 4, name: 3.5, owner: 3 } as const

/** The number of pairs that are kept for each parameter. */
const MAX_PAIRS = 12

/** Returns the pairs with a sufficient score, the best first. */
function* pairsOf(matching: Matching): Steps<Pair[]> {
  const pairs: Pair[] = []
  for (const target of matching.targets) pairs.push(...(yield* validPairs(matching, target)))
  return pairs.sort((a, b) => b.score - a.score)
}

function* validPairs(matching: Matching, target: Target): Steps<Pair[]> {
  const enough = target.required ? ENOUGH.required : ENOUGH.optional
  const likely = matching.variables
    .map((variable) => ({ variable, ...scorePair(matching, target, variable) }))
    .filter(({ score }) => score >= enough)
    .sort((a, b) => b.score - a.score)
  const pairs: Pair[] = []
  for (const each of likely) {
    yield
    const value = tagFor(matching.check, target, each.variable)
    if (value !== undefined) pairs.push({ target, value, ...each })
    if (pairs.length === MAX_PAIRS) break
  }
  return pairs
}

const NONE = { score: 0, nameScore: 0, promptScore: 0, mentioned: false, hasTag: false } as const

function scorePair(
  { mentions, title, prompted }: Matching,
  target: Target,
  variable: Variable,
): Pick<Pair, 'score' | 'nameScore' | 'promptScore' | 'mentioned' | 'hasTag'> {
  const own = mentions.get(variable) ?? []
  const nameScore = affinity(variable, target, title, own.length > 0)
  const promptScore = Math.max(
    0,
    ...own.filter(({ by }) => nameScore > 0 || by !== 'owner').map((mention) => cueScore(mention, target, title)),
  )
  if (nameScore === 0 && (promptScore === 0 || conflicts(variable, target))) return NONE
  // When the function changes something, the prompt holds the new value and the variables hold the current one.
  const isCurrentValue = CHANGES.has(title[0] ?? '') && variable.owner.some((word) => title.includes(word))
  if (prompted && isCurrentValue && promptScore === 0 && !target.required) return NONE
  const mentionScore = Math.max(0, ...own.map(({ by }) => MENTIONED[by]))
  return {
    nameScore,
    promptScore,
    mentioned: mentionScore > 0,
    hasTag: own.some(({ by }) => by === 'tag'),
    score: nameScore + promptScore + mentionScore,
  }
}

function conflicts({ kind }: Variable, { expectedKind }: Target): boolean {
  return kind !== undefined && expectedKind !== undefined && kind !== expectedKind
}

export function argumentOf({ value, variable, score }: Pair): PredictedArgument {
  const confidence = Math.round(Math.min(0.97, 0.45 + score / 20) * 100) / 100
  return { value, origin: { from: 'variable', variable: variable.path }, confidence }
}
