import { findChoices } from '../find/choices.ts'
import type { Found, Kind } from '../find/found.ts'
import { isMade } from '../find/is-made.ts'
import { findLists } from '../find/lists.ts'
import { findNamed } from '../find/named.ts'
import type { Rivals } from '../find/rivals.ts'
import { findStances } from '../find/stances.ts'
import type { Prompt } from '../prompt/prompt-of.ts'
import { wordsIn } from '../prompt/words-in.ts'
import type { Word } from '../prompt/words-of.ts'
import type { Slot } from '../slot/slot.ts'
import { wallsOf } from './walls-of.ts'

/** What may be a value although it is only a part of what is told whole. */
const NO_PARTS: ReadonlySet<Kind> = new Set(['given', 'family', 'choice', 'stance'])

/** The pieces that may be a slot's value: those of the prompt, phrases also without the words that only name the slot, and the slot's own. */
export function piecesFor(slot: Slot, rivals: Rivals, found: readonly Found[], prompt: Prompt, about: ReadonlySet<string>): Found[] {
  const choices = findChoices(prompt.words, slot)
  const solid = found.filter(({ kind }) => kind === 'quoted' || kind === 'moment')
  const marks = new Set(found.filter(({ kind }) => kind === 'phone' || kind === 'email').map(({ start }) => start))
  // "Text +49 …" says to whom, not what.
  const named = findNamed(prompt, slot, rivals, solid, wallsOf(found, rivals, prompt)).filter(({ start }) => !marks.has(start))
  const own = [...choices, ...named, ...findStances(prompt, slot), ...findLists(prompt.text, choices)]
  const phrases = found.filter(({ kind }) => kind === 'phrase')
  const trimmed = phrases.flatMap((phrase) => {
    const byName = trim(phrase, prompt, (stem) => slot.names.includes(stem))
    const byTopic = trim(phrase, prompt, (stem) => slot.names.includes(stem) || about.has(stem))
    return [byName, byTopic].filter((one) => one !== null)
  })
  const namesOnly = ({ start, end }: Found) =>
    wordsIn(prompt.words, start, end).every(
      ({ stem, lower, text }) => slot.names.includes(stem) || (lower === text && slot.synonyms.has(stem)),
    )
  const whole = named.filter(({ unit }) => unit === 'called')
  const isPart = ({ kind, start, end }: Found) =>
    !NO_PARTS.has(kind) && whole.some((one) => start >= one.start && end <= one.end && end - start < one.end - one.start)
  return distinct([...found, ...own, ...trimmed]).filter(
    (one) => !isPart(one) && !isMade(one, prompt) && ((one.kind !== 'phrase' && one.kind !== 'named') || !namesOnly(one)),
  )
}

/** A phrase without the words at its edges that say nothing of the value; null when none or all are such. */
function trim(phrase: Found, { text, words }: Prompt, idle: (stem: string) => boolean): Found | null {
  const inside = wordsIn(words, phrase.start, phrase.end)
  const first = inside.findIndex(({ stem }) => !idle(stem))
  const last = inside.findLastIndex(({ stem }) => !idle(stem))
  if (first < 0 || (first === 0 && last === inside.length - 1)) return null
  const [from, to] = [inside[first] as Word, inside[last] as Word]
  return { ...phrase, text: text.slice(from.start, to.end), start: from.start, end: to.end }
}

function distinct(found: readonly Found[]): Found[] {
  const seen = new Set<string>()
  return found.filter(({ kind, start, end, value }) => {
    const key = `${kind} ${start} ${end} ${String(value)}`
    return !seen.has(key) && seen.add(key)
  })
}
