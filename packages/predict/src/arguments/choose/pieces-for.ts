import { findBooleanCues, findChoices } from '../find/choices.ts'
import { findNamed } from '../find/named.ts'
import type { Kind, Piece } from '../find/piece.ts'
import { type Prompt, type Word, wordsIn } from '../find/prompt.ts'
import { boundariesOf, type Competitors } from '../find/span-end.ts'
import type { Slot } from '../slot/slot.ts'

/** Kinds that may be a value although they are only a part of a longer value. */
const MAY_BE_PART: ReadonlySet<Kind> = new Set(['given', 'family', 'choice', 'boolean-cue'])

/** Returns the pieces that may be the value of a slot: the pieces of the prompt, and the pieces found for this slot alone. */
export function piecesFor(
  slot: Slot,
  competitors: Competitors,
  found: readonly Piece[],
  prompt: Prompt,
  about: ReadonlySet<string>,
): Piece[] {
  const choices = findChoices(prompt.words, slot)
  const solid = found.filter(({ kind }) => kind === 'quoted' || kind === 'datetime')
  const patterns = new Set(found.filter(({ kind }) => kind === 'phone' || kind === 'email').map(({ start }) => start))
  // In "Text +49 …" the number is the recipient, not the text.
  const named = findNamed(prompt, slot, competitors, solid, boundariesOf(found, competitors, prompt), about).filter(
    ({ start }) => !patterns.has(start),
  )
  const own = [...choices, ...named, ...findBooleanCues(prompt, slot)]
  const phrases = found.filter(({ kind }) => kind === 'phrase')
  const trimmed = phrases.flatMap((phrase) => trim(phrase, prompt, (stem) => slot.names.includes(stem) || about.has(stem)) ?? [])
  const namesOnly = ({ start, end }: Piece) =>
    wordsIn(prompt.words, start, end).every(
      ({ stem, lower, text }) => slot.names.includes(stem) || (lower === text && slot.synonyms.has(stem)),
    )
  const whole = named.filter(({ unit }) => unit === 'called')
  const isPart = ({ kind, start, end }: Piece) =>
    !MAY_BE_PART.has(kind) && whole.some((one) => start >= one.start && end <= one.end && end - start < one.end - one.start)
  return distinct([...found, ...own, ...trimmed]).filter(
    (one) => !isPart(one) && ((one.kind !== 'phrase' && one.kind !== 'named') || !namesOnly(one)),
  )
}

/** Removes words at the edges of a phrase that are not part of the value. Returns null when none or all words are removed. */
function trim(phrase: Piece, { text, words }: Prompt, idle: (stem: string) => boolean): Piece | null {
  const inside = wordsIn(words, phrase.start, phrase.end)
  const first = inside.findIndex(({ stem }) => !idle(stem))
  const last = inside.findLastIndex(({ stem }) => !idle(stem))
  if (first < 0 || (first === 0 && last === inside.length - 1)) return null
  const [from, to] = [inside[first] as Word, inside[last] as Word]
  return { ...phrase, text: text.slice(from.start, to.end), start: from.start, end: to.end }
}

function distinct(found: readonly Piece[]): Piece[] {
  const seen = new Set<string>()
  return found.filter(({ kind, start, end, value }) => {
    const key = `${kind} ${start} ${end} ${String(value)}`
    return !seen.has(key) && seen.add(key)
  })
}
