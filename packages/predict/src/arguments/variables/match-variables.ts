import type { Fillable, PredictedArgument } from '../types.ts'
import { affinity, cue } from './affinity.ts'
import type { Mention } from './mentions.ts'
import { tagFor } from './tags.ts'
import type { Target } from './targets-of.ts'
import type { Variable } from './variables-of.ts'
import { CHANGES } from './word-sets.ts'

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
    if (pair.score < CERTAIN && pairs.some((other) => isFree(other) && isCompetitor(pair, other))) {
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

/** Variables and parameters that may belong together. */
export type Matching = {
  readonly check: Fillable['check']
  readonly targets: readonly Target[]
  readonly variables: readonly Variable[]
  readonly mentions: readonly Mention[]
  /** The words of what the function does. */
  readonly title: readonly string[]
  readonly prompted: boolean
}

export type Pair = {
  readonly target: Target
  readonly variable: Variable
  /** What the variable's own value would be valid as. */
  readonly value: unknown
  /** What all signs together say. */
  readonly score: number
  /** How close the two names are. */
  readonly close: number
  /** How far the words around it in the prompt name the parameter. */
  readonly said: number
  readonly mentioned: boolean
  /** Whether the prompt has its tag. */
  readonly spelled: boolean
}

/** What the signs must say at least before a variable is put into a parameter. */
const ENOUGH = { required: 4.5, optional: 6 } as const
const MENTIONED = { tag: 4, name: 3.5, owner: 3 } as const

/** Of a parameter's pairs, more than could be free or rivals at once. */
const MOST = 12

/** The pairs with enough in their favour, the best first. */
function pairsOf(matching: Matching): Pair[] {
  return matching.targets.flatMap((target) => validPairs(matching, target)).sort((a, b) => b.score - a.score)
}

function validPairs(matching: Matching, target: Target): Pair[] {
  const enough = target.required ? ENOUGH.required : ENOUGH.optional
  const likely = matching.variables
    .map((variable) => ({ variable, ...scorePair(matching, target, variable) }))
    .filter(({ score }) => score >= enough)
    .sort((a, b) => b.score - a.score)
  const pairs: Pair[] = []
  for (const each of likely) {
    const value = tagFor(matching.check, target, each.variable)
    if (value !== undefined) pairs.push({ target, value, ...each })
    if (pairs.length === MOST) break
  }
  return pairs
}

const NONE = { score: 0, close: 0, said: 0, mentioned: false, spelled: false } as const

function scorePair(
  { mentions, title, prompted }: Matching,
  target: Target,
  variable: Variable,
): Pick<Pair, 'score' | 'close' | 'said' | 'mentioned' | 'spelled'> {
  const own = mentions.filter((mention) => isOf(mention, variable))
  const close = affinity(variable, target, title, own.length > 0)
  const said = Math.max(0, ...own.filter(({ by }) => close > 0 || by !== 'owner').map((mention) => cue(mention, target, title)))
  if (close === 0 && (said === 0 || conflicts(variable, target))) return NONE
  // What is to be changed is in the prompt; the variables hold how it is now.
  const isAsItIs = CHANGES.has(title[0] ?? '') && variable.owner.some((word) => title.includes(word))
  if (prompted && isAsItIs && said === 0 && !target.required) return NONE
  const mention = Math.max(0, ...own.map(({ by }) => MENTIONED[by]))
  return { close, said, mentioned: mention > 0, spelled: own.some(({ by }) => by === 'tag'), score: close + said + mention }
}

function isOf({ by, variable: spoken }: Mention, variable: Variable): boolean {
  return spoken === variable || (by === 'owner' && variable.path.startsWith(`${spoken.path}.`))
}

function conflicts({ kind }: Variable, { expectedKind }: Target): boolean {
  return kind !== undefined && expectedKind !== undefined && kind !== expectedKind
}

export function argumentOf({ value, variable, score }: Pair): PredictedArgument {
  const confidence = Math.round(Math.min(0.97, 0.45 + score / 20) * 100) / 100
  return { value, origin: { from: 'variable', variable: variable.path }, confidence }
}
