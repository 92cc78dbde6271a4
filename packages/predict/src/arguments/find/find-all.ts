import type { Prompt } from '../prompt/prompt-of.ts'
import type { Asking } from '../types.ts'
import { findClauses } from './clauses.ts'
import type { Found, Kind } from './found.ts'
import { findHalves } from './halves.ts'
import { findLists } from './lists.ts'
import { findMarks } from './marks.ts'
import { findMoments } from './moments.ts'
import { findNames } from './names.ts'
import { findNumbers } from './numbers.ts'
import { findPhrases } from './phrases.ts'
import { findPostal } from './postal.ts'
import { findQuoted } from './quoted.ts'
import { findWorld } from './world.ts'

/** More of one kind than a sentence holds; a longer prompt is a document, of which the first pieces count. */
const MOST = 50
/** Kinds whose pieces are whole: no other piece lies inside one or across its edge. */
const WHOLE: readonly Kind[] = ['tag', 'url', 'email', 'address', 'id', 'file', 'handle', 'color', 'code', 'slug']

/** Every piece of a prompt that may be a value, whatever the parameters. */
export function findAll({ text, words }: Prompt, { now, timeZone }: Pick<Asking, 'now' | 'timeZone'>): Found[] {
  const marks = findMarks(text).slice(0, MOST)
  const quoted = findQuoted(text)
    .slice(0, MOST)
    .map((quote) => ({ ...quote, form: marks.find((mark) => mark.text === quote.text && overlaps(mark, quote))?.kind }))
  const free = marks.filter((mark) => !quoted.some((quote) => overlaps(mark, quote)))
  const solid = [...quoted, ...free.filter(isWhole)]
  const postal = findPostal(text)
  const moments = findMoments(text, now, timeZone).filter((moment) => !postal.some((part) => overlaps(part, moment)))
  const plain = [
    ...free.filter((mark) => !isWhole(mark)),
    ...moments,
    ...findNumbers(text, words).slice(0, MOST),
    ...postal,
    ...findWorld(words).slice(0, MOST),
    ...findNames(words)
      .slice(0, MOST)
      .filter((name) => !moments.some((moment) => overlaps(name, moment))),
    ...findPhrases(words, moments).slice(0, MOST),
  ].filter((one) => !solid.some((other) => overlaps(one, other) && !(other.kind === 'id' && one.end - one.start > other.end - other.start)))
  const single = [...solid, ...plain, ...findHalves([...solid, ...plain])]
  return [...single, ...findLists(text, single), ...findClauses(text).slice(0, MOST)]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .slice(0, 2 * MOST)
}

/** A phone number without its + may be any number. */
function isWhole({ kind, text }: Found): boolean {
  return WHOLE.includes(kind) || (kind === 'phone' && text.startsWith('+'))
}

function overlaps(one: Found, other: Found): boolean {
  return one.start < other.end && one.end > other.start
}
