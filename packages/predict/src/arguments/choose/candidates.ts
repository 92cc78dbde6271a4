import type { Steps } from '../../in-slices.ts'
import { stems } from '../../words/stems.ts'
import { findBooleanCues, findChoices } from '../find/choices.ts'
import { findAll } from '../find/find-all.ts'
import { findNamed } from '../find/named.ts'
import type { Kind, Piece } from '../find/piece.ts'
import { cutPrompt, type Prompt, promptOf, wordsIn } from '../find/prompt.ts'
import { boundariesOf, type Competitors, competitorsOf } from '../find/span-end.ts'
import { withoutApp } from '../find/without-app.ts'
import { allSlotsOf, type Slot, slotsOf, VAGUE } from '../slot/slot.ts'
import { type ArgumentInput, type Fillable, fits } from '../types.ts'
import { besideVariables, readVariables } from '../variables/mentions.ts'
import { escapeTags, fillTags } from '../variables/tags.ts'
import { type Candidate, featuresOf, type Surroundings, surroundingsOf } from './features.ts'
import { valueFor } from './value-for.ts'
import { variableCandidates } from './variable-candidates.ts'

/**
 * Returns the possible values of each slot of `allSlotsOf`, from the prompt and from variables, with their features. Every value of a
 * top-level parameter is valid.
 */
export function* candidatesOf(fillable: Fillable, input: ArgumentInput): Steps<Candidate[][]> {
  const slots = slotsOf(fillable)
  const read = input.variables === null ? undefined : yield* readVariables(input, input.variables)
  const cut = cutPrompt(input.prompt ?? '')
  yield
  const { prompt, found, surroundings } = yield* readPrompt(withoutApp(cut, fillable), input)
  const about = new Set(stems(fillable.about))
  const firstDatetime = found.find(({ datetime }) => datetime !== undefined)?.start
  const dated = slots.filter(({ expected }) => expected.has('date') || expected.has('time'))
  const lastDated = dated.find(({ cues }) => cues.has('until'))
  const firstDated = dated.find(({ cues }) => !cues.has('until')) ?? dated[0]
  const candidates: Candidate[][] = []
  for (const [at, slot] of allSlotsOf(fillable).entries()) {
    candidates.push(at < slots.length ? yield* candidatesFor(slot) : [])
  }
  if (read === undefined) return candidates
  const fromVariables = yield* variableCandidates(fillable, read, input.prompt !== null)
  return candidates.map((own, at) => [...own, ...(fromVariables[at] ?? [])])

  function* candidatesFor(slot: Slot): Steps<Candidate[]> {
    // "In folder 88123" mentions the parameter parent_id by the thing that it identifies.
    const isNamed = slot.things.some((stem) => prompt.stems.has(stem))
    const missing = [...slot.distinctive].filter((stem) => !isNamed && !VAGUE.has(stem) && !containsStem(stem, prompt.stems))
    const competitors = competitorsOf(slot, slots)
    const hasTitle = slots.some((other) => other !== slot && other.isTitle)
    const possible: Candidate[] = []
    for (const one of piecesFor(slot, competitors, found, prompt, about)) {
      yield
      const piece = read === undefined ? one : besideVariables(one, cut, read.mentions)
      if (piece === undefined) continue
      // "Called Spring sale" is not the name of a sender.
      if (hasTitle && piece.kind === 'named' && piece.unit === 'called' && missing.length > 0 && !slot.isTitle) continue
      const around = surroundings.get(piece) ?? surroundingsOf(piece, prompt)
      surroundings.set(piece, around)
      // In "state `lost`" the quote belongs to the parameter whose name is before it, even when it is not valid there.
      const name = piece.kind === 'quoted' ? around.before[0]?.stem : undefined
      const claimant = name === undefined || slot.distinctive.has(name) ? undefined : slots.find((other) => other.distinctive.has(name))
      if (claimant !== undefined && validValue(fillable, claimant, piece, input) === undefined) continue
      const isOthers = ({ prefix }: Slot) => prefix !== undefined && prefix !== slot.prefix && piece.text.startsWith(prefix)
      if (piece.kind === 'id' && slots.some(isOthers)) continue
      const value = validValue(fillable, slot, piece, input)
      if (value === undefined) continue
      const isPresent = isSought(slot, prompt.stems) || piece.unit === 'paid' || (piece.unit === 'called' && slot.isTitle)
      const absent = isPresent ? 0 : missing.length / Math.max(1, slot.distinctive.size)
      const isEnd = slot === lastDated && piece.start > (firstDatetime ?? piece.start) && slot.cues.has(around.cue)
      const main = isEnd || (piece.start === firstDatetime && slot === firstDated)
      const features = featuresOf(slot, piece, around, { about, absent, main, others: competitors.named })
      possible.push({ found: piece, value, features })
    }
    if (slot.schema.type !== 'array') return possible
    // In "1, 2 and 3" a number alone is not the value.
    const lists = possible.map(({ found: one }) => one).filter(({ kind }) => kind === 'list')
    return possible.filter(
      ({ found: { kind, start, end } }) => kind !== 'number' || !lists.some((list) => start >= list.start && end <= list.end),
    )
  }
}

/** What does not depend on the function. */
type Reading = { readonly prompt: Prompt; readonly found: readonly Piece[]; readonly surroundings: WeakMap<Piece, Surroundings> }

const readings = new WeakMap<ArgumentInput, Map<string, Reading>>()

/** Reads a prompt. The result is cached by input, because a prediction may fill many functions, and most of the time is spent here. */
function* readPrompt(text: string, input: ArgumentInput): Steps<Reading> {
  const known = readings.get(input) ?? new Map<string, Reading>()
  readings.set(input, known)
  const before = known.get(text)
  if (before !== undefined) return before
  yield
  const prompt = promptOf(text)
  yield
  const reading = { prompt, found: yield* findAll(prompt, input), surroundings: new WeakMap() }
  known.set(text, reading)
  return reading
}

/** Whether the prompt contains a stem, or a form of it: "assigned" matches "assignee". */
function containsStem(stem: string, promptStems: ReadonlySet<string>): boolean {
  return promptStems.has(stem) || (stem.length > 5 && promptStems.has(stem.slice(0, -1)))
}

/** Returns the value of a piece, or undefined when it is not valid. A part of an object is not checked: the object is valid as a whole. */
function validValue({ check }: Fillable, slot: Slot, piece: Piece, { timeZone, variables }: ArgumentInput): unknown {
  const found = valueFor(slot, piece, timeZone)
  const value = variables === null ? found : escapeTags(found, variables)
  if (value === undefined || slot.path.length > 1) return value
  return fits(check, slot.path[0] as string, variables === null ? value : fillTags(value, variables)) ? value : undefined
}

/** "Search for plans" contains a query without naming the parameter. */
function isSought({ expected, synonyms }: Slot, promptStems: ReadonlySet<string>): boolean {
  return expected.has('topic') && synonyms.has('search') && promptStems.has('search')
}

/** Kinds that may be a value although they are only a part of a longer value. */
const MAY_BE_PART: ReadonlySet<Kind> = new Set(['given', 'family', 'choice', 'boolean-cue'])

/** Returns the pieces that may be the value of a slot: the pieces of the prompt, and the pieces found for this slot alone. */
function piecesFor(slot: Slot, competitors: Competitors, found: readonly Piece[], prompt: Prompt, about: ReadonlySet<string>): Piece[] {
  const solid = found.filter(({ kind }) => kind === 'quoted' || kind === 'datetime')
  const patterns = new Set(found.filter(({ kind }) => kind === 'phone' || kind === 'email').map(({ start }) => start))
  // In "Text +49 …" the number is the recipient, not the text.
  const named = findNamed(prompt, slot, competitors, solid, boundariesOf(found, competitors, prompt), about).filter(
    ({ start }) => !patterns.has(start),
  )
  const namesOnly = ({ start, end }: Piece) =>
    wordsIn(prompt.words, start, end).every(
      ({ stem, lower, text }) => slot.names.includes(stem) || (lower === text && slot.synonyms.has(stem)),
    )
  const whole = named.filter(({ unit }) => unit === 'called')
  const isPart = ({ kind, start, end }: Piece) =>
    !MAY_BE_PART.has(kind) && whole.some((one) => start >= one.start && end <= one.end && end - start < one.end - one.start)
  const phrases = found.filter(({ kind }) => kind === 'phrase')
  const trimmed = phrases.flatMap((phrase) => trim(phrase, prompt, (stem) => slot.names.includes(stem) || about.has(stem)) ?? [])
  return [...found, ...findChoices(prompt.words, slot), ...named, ...findBooleanCues(prompt, slot), ...trimmed].filter(
    (one) => !isPart(one) && ((one.kind !== 'phrase' && one.kind !== 'named') || !namesOnly(one)),
  )
}

/** Removes words at the edges of a phrase that are not part of the value. Returns null when none or all words are removed. */
function trim(phrase: Piece, { text, words }: Prompt, idle: (stem: string) => boolean): Piece | null {
  const inside = wordsIn(words, phrase.start, phrase.end)
  const first = inside.findIndex(({ stem }) => !idle(stem))
  const last = inside.findLastIndex(({ stem }) => !idle(stem))
  const [from, to] = [inside[first], inside[last]]
  if (from === undefined || to === undefined || (first === 0 && last === inside.length - 1)) return null
  return { ...phrase, text: text.slice(from.start, to.end), start: from.start, end: to.end }
}
