import type { Steps } from '../../in-slices.ts'
import { allSlotsOf, type Slot } from '../slot/slot.ts'
import type { Fillable } from '../types.ts'
import { canonical } from '../variables/canonical.ts'
import { type Match, matchOf } from '../variables/match.ts'
import type { ReadVariables } from '../variables/mentions.ts'
import type { Variable } from '../variables/variables.ts'
import type { Candidate } from './features.ts'
import { tagFor } from './value-for.ts'

/** The number of variables that are tried for a slot. */
const MAX_MATCHES = 12
/** When the evidence for two variables differs by less, neither is chosen. */
const DOUBT = 0.5
/** From this evidence on, similar variables do not matter, because the names are the same. */
const CERTAIN = 10
/** After the end of any prompt. */
const AFTER_PROMPT = 1_000_000

type Fitting = { readonly match: Match; readonly value: unknown }

/** Returns the variables that may be the value of each slot of `allSlotsOf`. Parts of objects have none. */
export function* variableCandidates(fillable: Fillable, read: ReadVariables, prompted: boolean): Steps<Candidate[][]> {
  const title = canonical(fillable.title ?? fillable.about)
  const bySlot: Fitting[][] = []
  for (const slot of allSlotsOf(fillable)) bySlot.push(slot.path.length > 1 ? [] : yield* fitting(fillable, slot, read, title, prompted))
  const best = new Map<Variable, number>()
  for (const { match } of bySlot.flat()) best.set(match.variable, Math.max(match.evidence, best.get(match.variable) ?? 0))
  return bySlot.map((all) => all.filter(({ match }) => !all.some((other) => isRival(match, other.match))).map(candidateOf))

  /** Whether another object's variable fits equally well, and fits no other slot better. */
  function isRival({ variable: { owner }, evidence }: Match, { variable, evidence: other }: Match): boolean {
    if (variable.owner.join() === owner.join() || evidence >= CERTAIN) return false
    return Math.abs(evidence - other) < DOUBT && best.get(variable) === other
  }

  /** Each variable has its own place after the prompt, so that it is used once. */
  function candidateOf({ match: { variable, features }, value }: Fitting): Candidate {
    const start = AFTER_PROMPT + read.variables.indexOf(variable)
    return { found: { kind: 'variable', text: variable.tag, start, end: start + 1 }, value, features }
  }
}

/** Returns the variables that fit a slot and are valid there, with the most evidence first. */
function* fitting({ check }: Fillable, slot: Slot, read: ReadVariables, title: readonly string[], prompted: boolean): Steps<Fitting[]> {
  const likely = read.variables
    .flatMap((variable) => matchOf(slot, variable, read.mentionsByVariable.get(variable) ?? [], title, prompted) ?? [])
    .sort((a, b) => b.evidence - a.evidence)
  const valid: Fitting[] = []
  for (const match of likely) {
    yield
    const value = tagFor(check, slot, match.variable, read.sent)
    if (value !== undefined) valid.push({ match, value })
    if (valid.length === MAX_MATCHES) break
  }
  return valid
}
