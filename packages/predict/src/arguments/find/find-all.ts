import { findQuotes } from '../../words/quotes.ts'
import type { ArgumentInput } from '../types.ts'
import { findHalves, findLists } from './compounds.ts'
import { findDatetimes } from './datetimes.ts'
import type { Kind, Piece } from './found.ts'
import { findGazetteerNames } from './gazetteer.ts'
import { findMarks, findPostal } from './marks.ts'
import { findNames } from './names.ts'
import { findNumbers } from './numbers.ts'
import { findClauses, findPhrases } from './phrases.ts'
import type { Prompt } from './prompt.ts'

/** More of one kind than a sentence holds; a longer prompt is a document, of which the first pieces count. */
const MOST = 50
/** Kinds whose pieces are whole: no other piece lies inside one or across its edge. */
const WHOLE: readonly Kind[] = ['tag', 'url', 'email', 'address', 'id', 'file', 'handle', 'color', 'code', 'slug']

/** Every piece of a prompt that may be a value, whatever the parameters. */
export function findAll({ text, words }: Prompt, { now, timeZone }: Pick<ArgumentInput, 'now' | 'timeZone'>): Piece[] {
  const marks = findMarks(text).slice(0, MOST)
  const quoted = findQuotes(text)
    .slice(0, MOST)
    .map(
      (quote): Piece => ({ kind: 'quoted', ...quote, form: marks.find((mark) => mark.text === quote.text && overlaps(mark, quote))?.kind }),
    )
  const free = marks.filter((mark) => !quoted.some((quote) => overlaps(mark, quote)))
  const solid = [...quoted, ...free.filter(isWhole)]
  const postal = findPostal(text)
  const datetimes = findDatetimes(text, now, timeZone).filter((datetime) => !postal.some((part) => overlaps(part, datetime)))
  const plain = [
    ...free.filter((mark) => !isWhole(mark)),
    ...datetimes,
    ...findNumbers(text, words).slice(0, MOST),
    ...postal,
    ...findGazetteerNames(words).slice(0, MOST),
    ...findNames(words)
      .slice(0, MOST)
      .filter((name) => !datetimes.some((datetime) => overlaps(name, datetime))),
    ...findPhrases(words, datetimes).slice(0, MOST),
  ].filter((one) => !solid.some((other) => overlaps(one, other) && !(other.kind === 'id' && one.end - one.start > other.end - other.start)))
  const single = [...solid, ...plain, ...findHalves([...solid, ...plain])]
  return [...single, ...findLists(text, single), ...findClauses(text).slice(0, MOST)]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .slice(0, 2 * MOST)
}

/** A phone number without its + may be any number. */
function isWhole({ kind, text }: Piece): boolean {
  return WHOLE.includes(kind) || (kind === 'phone' && text.startsWith('+'))
}

type Span = Pick<Piece, 'start' | 'end'>

function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && one.end > other.start
}
