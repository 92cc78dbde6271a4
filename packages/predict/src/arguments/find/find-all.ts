import type { Steps } from '../../in-slices.ts'
import { findQuotes } from '../../words/quotes.ts'
import type { ArgumentInput } from '../types.ts'
import { findHalves, findLists } from './compounds.ts'
import { findDatetimes } from './datetimes.ts'
import { findGazetteerNames, loadGazetteer } from './gazetteer.ts'
import { findNames } from './names.ts'
import { findNumbers } from './numbers.ts'
import { findPatterns, findPostal } from './patterns.ts'
import { findClauses, findPhrases } from './phrases.ts'
import type { Kind, Piece } from './piece.ts'
import type { Prompt } from './prompt.ts'

/** The number of pieces of one kind that are used. Longer prompts are documents. */
const MAX_PIECES = 50
/** Kinds that are complete: no other piece may overlap with one. */
const WHOLE: readonly Kind[] = ['tag', 'url', 'email', 'address', 'id', 'file', 'handle', 'color', 'code', 'slug']

/** Finds all pieces of a prompt that may be a value, independent of the parameters. */
export function* findAll({ text, words }: Prompt, { now, timeZone }: Pick<ArgumentInput, 'now' | 'timeZone'>): Steps<Piece[]> {
  const patterns = (yield* findPatterns(text)).slice(0, MAX_PIECES)
  const quoted = findQuotes(text)
    .slice(0, MAX_PIECES)
    .map(
      (quote): Piece => ({
        kind: 'quoted',
        ...quote,
        form: patterns.find((mark) => mark.text === quote.text && overlaps(mark, quote))?.kind,
      }),
    )
  yield
  const free = patterns.filter((mark) => !quoted.some((quote) => overlaps(mark, quote)))
  const solid = [...quoted, ...free.filter(isWhole)]
  const postal = findPostal(text)
  yield
  const datetimes = (yield* findDatetimes(text, now, timeZone)).filter((datetime) => !postal.some((part) => overlaps(part, datetime)))
  yield
  yield* loadGazetteer()
  const numbers = findNumbers(text, words).slice(0, MAX_PIECES)
  yield
  const gazetteer = findGazetteerNames(words).slice(0, MAX_PIECES)
  const names = findNames(words)
    .slice(0, MAX_PIECES)
    .filter((name) => !datetimes.some((datetime) => overlaps(name, datetime)))
  const phrases = findPhrases(words, datetimes).slice(0, MAX_PIECES)
  yield
  const plain = [...free.filter((mark) => !isWhole(mark)), ...datetimes, ...numbers, ...postal, ...gazetteer, ...names, ...phrases].filter(
    (one) => !solid.some((other) => overlaps(one, other) && !(other.kind === 'id' && one.end - one.start > other.end - other.start)),
  )
  yield
  const single = [...solid, ...plain, ...findHalves([...solid, ...plain])]
  const clauses = findClauses(text).slice(0, MAX_PIECES)
  yield
  return [...single, ...findLists(text, single), ...clauses].sort((a, b) => a.start - b.start || b.end - a.end).slice(0, 2 * MAX_PIECES)
}

/** Without its +, a phone number may be any number. */
function isWhole({ kind, text }: Piece): boolean {
  return WHOLE.includes(kind) || (kind === 'phone' && text.startsWith('+'))
}

type Span = Pick<Piece, 'start' | 'end'>

function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && one.end > other.start
}
