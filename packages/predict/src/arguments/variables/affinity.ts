import type { Mention } from './mentions.ts'
import type { Target } from './targets-of.ts'
import type { Variable } from './variables-of.ts'
import { ALIKE, COMPANIES, GENERIC, KINDS, PERSONAL, PERSONS, PLACES, STAFF, TITLES, WRAPPERS } from './word-sets.ts'

/**
 * Returns how well the names of a variable and a parameter match: 0 not at all, 10 the same name. When the prompt mentions the variable
 * (`mentioned`), the object that contains it can only increase the score.
 */
export function affinity(variable: Variable, target: Target, title: readonly string[], mentioned: boolean): number {
  const named = nameAffinity(variable, target, title, mentioned)
  const fit = containerFit(variable, target, title)
  return named === 0 ? 0 : Math.max(0, named + (mentioned ? Math.max(0, fit) : fit))
}

function nameAffinity(
  { words, last, owner, kind, value }: Variable,
  { words: wanted, head, known, expectedKind, required }: Target,
  title: readonly string[],
  mentioned: boolean,
): number {
  if (last.length === 0 || wanted.length === 0) return 0
  // A phone number never fits a parameter for an e-mail address.
  if (expectedKind !== undefined && kind !== undefined && expectedKind !== kind) return 0
  if (sameWords(words, wanted)) return 10
  if (sameWords(last, wanted)) return 8
  const more = difference(words, wanted)
  const missing = difference(wanted, words)
  if (missing.length === 0 && more.length === 1) {
    if (known.includes(more[0] as string)) return more[0] === 'name' && known.includes('id') ? 0 : 8.5
    if (more[0] === 'name' && typeof value === 'string') return 7
  }
  if (missing.length === 0 && more.every((word) => title.includes(word))) return 8
  if (more.length === 0 && sameWords(missing, ['name'])) return 7.5
  if (more.length === 0 && sameWords(missing, ['id']) && looksLikeId(value)) return 6
  if (missing.length > 0 && last.every((word) => wanted.includes(word)) && last.at(-1) === wanted.at(-1)) {
    if (owner.length > 0 && owner.every((word) => head.includes(word)) && (required || owner.every((word) => PERSONS.has(word)))) return 6.5
    if (missing.every((word) => title.includes(word))) return 6.5
  }
  const group = ALIKE.find((words) => wanted.every((word) => words.has(word)))
  if (group !== undefined) {
    if (group !== TITLES && words.every((word) => head.includes(word)) && typeof value === 'string') return 7
    if (last.every((word) => group.has(word)) && (last[0] !== 'name' || owner.some((word) => title.includes(word)))) return 5.5
  }
  if (sameWords(words, head.slice(0, words.length)) && !words.every((word) => GENERIC.has(word))) return 6
  return expectedKind !== undefined && expectedKind === kind && (required || mentioned) ? 5.5 : 0
}

/** Returns what the object that contains the variable (`owner`) adds to the score. Negative if it is a different kind of thing. */
function containerFit({ owner, last }: Variable, { head, words }: Target, title: readonly string[]): number {
  const of = owner.filter((word) => !WRAPPERS.has(word))
  if (owner.length === 0) return 1
  if (of.length === 0) return 0.5
  if (of.some((word) => words.includes(word) || head.includes(word) || title.includes(word))) return 1.5
  const isPerson = of.some((word) => PERSONS.has(word))
  if (of.some((word) => STAFF.has(word)) && head.some((word) => PERSONS.has(word))) return -4
  if (last.some((word) => PERSONAL.has(word))) {
    if (isPerson) return 1
    return of.some((word) => PLACES.has(word)) ? -4 : of.some((word) => COMPANIES.has(word)) ? -2.5 : -1
  }
  if (isPerson && [...head, ...title].some((word) => PERSONS.has(word))) return 0.5
  return last.every((word) => GENERIC.has(word)) ? -4 : 0
}

/** Names of persons and things mostly contain spaces and no digits. */
function looksLikeId(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /\d/.test(value) && !/\s/.test(value))
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word) => b.includes(word))
}

function difference(a: readonly string[], b: readonly string[]): string[] {
  return a.filter((word) => !b.includes(word))
}

/** Returns how clearly the words around a mention point to a parameter: 0 not at all, 8 by the parameter's name. */
export function cueScore({ before, ahead, behind, by, variable }: Mention, { words, head }: Target, title: readonly string[]): number {
  if (words.length === 0) return 0
  // "as subject", "in the subject", "for the subject"
  if (words.every((word) => behind.includes(word))) return 8
  // "the status of the ticket" mentions a part of the ticket.
  if (by === 'owner' && before[0] === 'of') return 0
  if (before[0] === 'after' && (by === 'owner' || variable.last[0] === 'name') && words.some((word) => TITLES.has(word))) return 6
  if (words.every((word) => ahead.includes(word))) return 6
  if (words.filter((word) => ahead.includes(word) && !title.includes(word)).length * 2 >= words.length) return 4
  if ((before[0] === 'from' && words.includes('head')) || (before[0] === 'into' && words.includes('base'))) return 5
  const first = head[0]
  return first !== undefined && ahead.includes(first) && !KINDS.has(first) && !title.includes(first) ? 4 : 0
}
