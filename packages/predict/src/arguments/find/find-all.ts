import type { Steps } from '../../in-slices.ts'
import { findQuotes } from '../../words/quotes.ts'
import type { ArgumentInput } from '../types.ts'
import { findDatetimes } from './datetimes.ts'
import { findGazetteerNames } from './gazetteer.ts'
import { findNumbers } from './numbers.ts'
import { findPatterns } from './patterns.ts'
import { findClauses, findNames, findPhrases } from './phrases.ts'
import type { Kind, Piece } from './piece.ts'
import type { Prompt } from './prompt.ts'

/** The number of pieces of one kind that are used. Longer prompts are documents. */
const MAX_PIECES = 50
/** Kinds that are complete: no other piece may overlap with one. */
const WHOLE: readonly Kind[] = ['tag', 'url', 'email', 'address', 'id', 'file', 'handle', 'code', 'slug']

/** Finds all pieces of a prompt that may be a value, independent of the parameters. */
export function* findAll({ text, words }: Prompt, { now, timeZone }: Pick<ArgumentInput, 'now' | 'timeZone'>): Steps<Piece[]> {
  const patterns = (yield* findPatterns(text)).slice(0, MAX_PIECES)
  const quoted = findQuotes(text)
    .slice(0, MAX_PIECES)
    .map((quote): Piece => ({ kind: 'quoted', ...quote }))
  yield
  const free = patterns.filter((mark) => !quoted.some((quote) => overlaps(mark, quote)))
  const solid = [...quoted, ...free.filter(isWhole)]
  const datetimes = yield* findDatetimes(text, now, timeZone)
  yield
  const numbers = findNumbers(text, words).slice(0, MAX_PIECES)
  yield
  const gazetteer = findGazetteerNames(words).slice(0, MAX_PIECES)
  const names = findNames(words).slice(0, MAX_PIECES)
  const phrases = findPhrases(words).slice(0, MAX_PIECES)
  yield
  const plain = [...free.filter((mark) => !isWhole(mark)), ...datetimes, ...numbers, ...gazetteer, ...names, ...phrases].filter(
    (one) => !solid.some((other) => overlaps(one, other) && !(other.kind === 'id' && one.end - one.start > other.end - other.start)),
  )
  yield
  const single = [...solid, ...plain, ...findHalves([...solid, ...plain])]
  const clauses = findClauses(text)
    .slice(0, MAX_PIECES)
    .filter((clause) => !quoted.some((quote) => overlaps(clause, quote)))
  yield
  return [...single, ...findLists(text, single), ...clauses].sort((a, b) => a.start - b.start || b.end - a.end).slice(0, 2 * MAX_PIECES)
}

function isWhole({ kind }: Piece): boolean {
  return WHOLE.includes(kind)
}

type Span = Pick<Piece, 'start' | 'end'>

function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && one.end > other.start
}

const JOINS = /^\s*(?:,|;|&|\/|,?\s+(?:and|or|as well as|plus)\s)\s*(?:and |or )?(?:the |an? |his |her )?$/

/** Finds enumerations such as "a, b and c": pieces of one kind with only commas and conjunctions between them. */
function findLists(prompt: string, found: readonly Piece[]): Piece[] {
  const runs: Piece[][] = []
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const run = runs.findLast(([first]) => first?.kind === one.kind)
    const end = run?.at(-1)?.end ?? 0
    if (one.start < end) continue
    if (run !== undefined && JOINS.test(prompt.slice(end, one.start))) run.push(one)
    else runs.push([one])
  }
  return runs.flatMap((members): Piece[] => {
    const [start, end] = [members[0]?.start ?? 0, members.at(-1)?.end ?? 0]
    return members.length < 2 ? [] : [{ kind: 'list', text: prompt.slice(start, end), start, end, members }]
  })
}

/** The parts of kinds that hold two values: "acme/web", "Ada Lovelace", "52.52, 13.405". */
const HALVES: Partial<Record<Kind, readonly [Pick<Piece, 'kind' | 'unit'>, Pick<Piece, 'kind' | 'unit'>]>> = {
  slug: [{ kind: 'owner' }, { kind: 'repo' }],
  name: [{ kind: 'given' }, { kind: 'family' }],
  code: [
    { kind: 'number', unit: 'latitud' },
    { kind: 'number', unit: 'longitud' },
  ],
}
const TWO_PARTS = /^([^/, ]+)(?:\/|, ?| )([^/, ]+)$/

function findHalves(found: readonly Piece[]): Piece[] {
  return found.flatMap(({ kind, text, start, end }): Piece[] => {
    const [one, other] = HALVES[kind] ?? []
    const [, first, second] = TWO_PARTS.exec(text) ?? []
    if (!one || !other || !first || !second) return []
    const numberIn = (part: string) => kind === 'code' && { number: Number(part) }
    return [
      { ...one, ...numberIn(first), text: first, start, end: start + first.length },
      { ...other, ...numberIn(second), text: second, start: end - second.length, end, whole: start },
    ]
  })
}
