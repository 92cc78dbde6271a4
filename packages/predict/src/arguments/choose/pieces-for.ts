import { findBooleanCues } from '../find/boolean-cues.ts'
import { findChoices } from '../find/choices.ts'
import { boundariesOf, type Competitors } from '../find/competitors.ts'
import { findLists } from '../find/compounds.ts'
import type { Kind, Piece } from '../find/found.ts'
import { findNamed } from '../find/named.ts'
import { isMade } from '../find/phrases.ts'
import { type Prompt, type Word, wordsIn } from '../find/prompt.ts'
import type { Slot } from '../slot/slot.ts'
import { isTitle } from '../slot/slots-of.ts'
import type { Surroundings } from './around.ts'

/** What may be a value although it is only a part of what is told whole. */
const NO_PARTS: ReadonlySet<Kind> = new Set(['given', 'family', 'choice', 'boolean-cue'])

/** The pieces that may be a slot's value: those of the prompt, phrases also without the words that only name the slot, and the slot's own. */
export function piecesFor(
  slot: Slot,
  competitors: Competitors,
  found: readonly Piece[],
  prompt: Prompt,
  about: ReadonlySet<string>,
): Piece[] {
  const choices = findChoices(prompt.words, slot)
  const solid = found.filter(({ kind }) => kind === 'quoted' || kind === 'datetime')
  const marks = new Set(found.filter(({ kind }) => kind === 'phone' || kind === 'email').map(({ start }) => start))
  // "Text +49 …" says to whom, not what.
  const named = findNamed(prompt, slot, competitors, solid, boundariesOf(found, competitors, prompt)).filter(
    ({ start }) => !marks.has(start),
  )
  const own = [...choices, ...named, ...findBooleanCues(prompt, slot), ...findLists(prompt.text, choices)]
  const phrases = found.filter(({ kind }) => kind === 'phrase')
  const trimmed = phrases.flatMap((phrase) => {
    const byName = trim(phrase, prompt, (stem) => slot.names.includes(stem))
    const byTopic = trim(phrase, prompt, (stem) => slot.names.includes(stem) || about.has(stem))
    return [byName, byTopic].filter((one) => one !== null)
  })
  const namesOnly = ({ start, end }: Piece) =>
    wordsIn(prompt.words, start, end).every(
      ({ stem, lower, text }) => slot.names.includes(stem) || (lower === text && slot.synonyms.has(stem)),
    )
  const whole = named.filter(({ unit }) => unit === 'called')
  const isPart = ({ kind, start, end }: Piece) =>
    !NO_PARTS.has(kind) && whole.some((one) => start >= one.start && end <= one.end && end - start < one.end - one.start)
  return distinct([...found, ...own, ...trimmed]).filter(
    (one) => !isPart(one) && !isMade(one, prompt) && ((one.kind !== 'phrase' && one.kind !== 'named') || !namesOnly(one)),
  )
}

/** A phrase without the words at its edges that say nothing of the value; null when none or all are such. */
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

/** "Post hello in the #general channel". */
const POSTS = /^(?:post|say|write|reply)$/
/** Pieces that stand in any sentence. */
const SCRAPS: ReadonlySet<Kind> = new Set(['phrase', 'name', 'datetime', 'period', 'number'])

/** Whether a piece is surely none of a slot's: words of a sentence that speaks of no message, or what the thing itself is called. */
export function isStray(slot: Slot, piece: Piece, near: Surroundings, unsaid: readonly string[], titled: boolean): boolean {
  return isScrap(slot, piece, near) || (titled && unsaid.length > 0 && isTheTitle(slot, piece))
}

function isScrap({ expected, telling, synonyms }: Slot, { kind }: Piece, { before }: Surroundings): boolean {
  if (!SCRAPS.has(kind) || !expected.has('text') || expected.has('name') || expected.has('topic')) return false
  return !POSTS.test(before[0]?.lower ?? '') && !before.some(({ stem }) => telling.has(stem) || synonyms.has(stem))
}

/** "Called Spring sale" is no sender's name. */
function isTheTitle(slot: Slot, { kind, unit }: Piece): boolean {
  return kind === 'named' && unit === 'called' && !slot.expected.has('given') && !isTitle(slot)
}
