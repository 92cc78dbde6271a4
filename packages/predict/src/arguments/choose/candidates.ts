import type { Steps } from '../../in-slices.ts'
import { stems } from '../../words/stems.ts'
import { findAll } from '../find/find-all.ts'
import { type Piece, TYPES_BY_KIND } from '../find/piece.ts'
import { cutPrompt, type Prompt, promptOf } from '../find/prompt.ts'
import { competitorsOf } from '../find/span-end.ts'
import { withoutApp } from '../find/without-app.ts'
import type { ExpectedType } from '../slot/expected-types.ts'
import { allSlotsOf, isTitle, isVague, type Slot, slotsOf } from '../slot/slot.ts'
import { type ArgumentInput, type Fillable, fits } from '../types.ts'
import { valueFor } from '../value/value-for.ts'
import { rejectsText } from '../variables/match.ts'
import { escapeTags, fillTags } from '../variables/tags.ts'
import { besideVariables, readVariables } from '../variables/variables.ts'
import { type Candidate, featuresOf, namingStrength, surroundingsOf } from './features.ts'
import { isIrrelevant, piecesFor } from './pieces-for.ts'
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
  const { prompt, found, promptStems, ranks } = yield* readPrompt(withoutApp(cut, fillable), input)
  const about = new Set(stems(fillable.about))
  const contextOf = cacheBySpan((piece) => {
    const surroundings = surroundingsOf(piece, prompt)
    return { surroundings, strengths: slots.map((slot) => namingStrength(slot, surroundings)) }
  })
  const valid = (slot: Slot, piece: Piece) => validValue(fillable, slot, piece, input)
  const firstDatetime = found.find(({ datetime }) => datetime !== undefined)?.start
  const said = found.filter(({ kind, unit }) => kind === 'clause' && unit === 'says')
  const dated = slots.filter(({ expected }) => expected.has('date') || expected.has('time'))
  const firstDated = dated.find(({ cues }) => !cues.has('until')) ?? dated[0]
  const lastDated = dated.find(({ cues }) => cues.has('until'))
  const candidates: Candidate[][] = []
  for (const [at, slot] of allSlotsOf(fillable).entries()) {
    candidates.push(at < slots.length ? yield* candidatesFor(slot, at) : [])
  }
  if (read === undefined) return candidates
  const fromVariables = yield* variableCandidates(fillable, read, input.prompt !== null)
  return candidates.map((own, at) => [...own, ...(fromVariables[at] ?? [])])

  function* candidatesFor(slot: Slot, at: number): Steps<Candidate[]> {
    const missing = [...slot.distinctive].filter((stem) => !isVague(stem) && !containsStem(stem, promptStems))
    const competitors = competitorsOf(slot, slots)
    const hasTitleSlot = slots.some((other) => other !== slot && isTitle(other))
    const possible: Candidate[] = []
    for (const one of piecesFor(slot, competitors, found, prompt, about)) {
      yield
      const piece = read === undefined ? one : besideVariables(one, cut, read.mentions)
      if (piece === undefined) continue
      // A sentence with variables in it is not an id or an address.
      if (piece.text !== one.text || (read && piece.kind === 'quoted' && / /.test(piece.text) && /\{/.test(piece.text))) {
        if (rejectsText(slot)) continue
      }
      const value = valid(slot, piece)
      if (value === undefined) continue
      const { surroundings, strengths } = contextOf(piece)
      if (isIrrelevant(slot, piece, surroundings, missing, hasTitleSlot)) continue
      // In "state `lost`" the quote belongs to the parameter whose name is before it, even when it is not valid there.
      const claimant = piece.kind === 'quoted' && strengths[at] !== 1 ? strengths.indexOf(1) : -1
      if (claimant >= 0 && valid(slots[claimant] as Slot, piece) === undefined) continue
      const nearer = strengths.filter((_, other) => other !== at && mayBelongTo(slots[other] as Slot, piece))
      const competitor = Math.max(0, ...nearer) - (strengths[at] as number)
      const absent = missingShare(slot, piece, missing, promptStems)
      const order = inOrder(ranks.get(piece), slots, at)
      const form = piece.form ?? piece.kind
      const sole = slots.every((other) => other === slot || other.schema.type === 'boolean' || !other.expected.has(form as ExpectedType))
      const isEnd = slot === lastDated && piece.start > (firstDatetime ?? piece.start) && slot.cues.has(surroundings.cue)
      const main = (piece.start === firstDatetime && slot === firstDated) || isEnd
      const wider = {
        about,
        order,
        competitor: Math.max(0, competitor),
        absent,
        sole,
        main,
        said: said.some(({ start, end }) => piece.start >= start && piece.end <= end && piece.end - piece.start < end - start),
        others: competitors.named,
      }
      possible.push({ found: piece, value, features: featuresOf(slot, piece, surroundings, wider) })
    }
    if (slot.schema.type !== 'array') return possible
    // In "1, 2 and 3" a number alone is not the value.
    const lists = possible.filter(({ found: { kind } }) => kind === 'list').map((list) => list.found)
    const isMember = ({ kind, start, end }: Piece) => kind === 'number' && lists.some((list) => start >= list.start && end <= list.end)
    return possible.filter(({ found: one }) => !isMember(one))
  }
}

/** What does not depend on the function. */
type Reading = {
  readonly prompt: Prompt
  readonly found: readonly Piece[]
  readonly promptStems: ReadonlySet<string>
  readonly ranks: ReadonlyMap<Piece, number>
}

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
  const found = yield* findAll(prompt, input)
  const reading = { prompt, found, promptStems: new Set(prompt.words.map(({ stem }) => stem)), ranks: rankInKind(found) }
  known.set(text, reading)
  return reading
}

/** Whether the prompt contains a stem, or a form of it: "assigned" matches "assignee". */
function containsStem(stem: string, promptStems: ReadonlySet<string>): boolean {
  return promptStems.has(stem) || (stem.length > 5 && promptStems.has(stem.slice(0, -1)))
}

/** Whether a piece may belong to a slot whose name is next to it. A date or a given name does only when the slot expects one. */
function mayBelongTo({ expected }: Slot, { kind }: Piece): boolean {
  const [form, ...satisfied] = TYPES_BY_KIND[kind] ?? []
  return (form !== 'pattern' && form !== 'datetime') || satisfied.some((type) => expected.has(type as ExpectedType))
}

/** Returns the position of each piece among those of its kind, from 0 (first) to 1 (last). Kinds with one piece are left out. */
function rankInKind(found: readonly Piece[]): ReadonlyMap<Piece, number> {
  const ranks = new Map<Piece, number>()
  for (const kind of new Set(found.map((one) => one.kind))) {
    const same = found.filter((one) => one.kind === kind)
    if (same.length > 1) for (const [at, one] of same.entries()) ranks.set(one, at / (same.length - 1))
  }
  return ranks
}

/** Returns how well the position of a piece agrees with the position of the slot among slots of its type. */
function inOrder(rank: number | undefined, slots: readonly Slot[], at: number): number {
  const { type } = (slots[at] as Slot).schema
  const alike = slots.filter((slot) => slot.schema.type === type && slot.required === slots[at]?.required)
  if (rank === undefined || alike.length < 2) return 0
  return 0.5 - Math.abs(rank - alike.indexOf(slots[at] as Slot) / (alike.length - 1))
}

/** Returns the value of a piece, or undefined when it is not valid. A part of an object is not checked: the object is valid as a whole. */
function validValue({ check }: Fillable, slot: Slot, piece: Piece, { timeZone, variables }: ArgumentInput): unknown {
  const found = valueFor(slot, piece, timeZone)
  const value = variables === null ? found : escapeTags(found, variables)
  if (value === undefined || slot.path.length > 1) return value
  return fits(check, slot.path[0] as string, variables === null ? value : fillTags(value, variables)) ? value : undefined
}

/** Caches a result by span. */
function cacheBySpan<T>(work: (piece: Piece) => T): (piece: Piece) => T {
  const known = new Map<string, { result: T }>()
  return (piece) => {
    const key = `${piece.whole ?? piece.start} ${piece.start} ${piece.end}`
    const entry = known.get(key) ?? { result: work(piece) }
    known.set(key, entry)
    return entry.result
  }
}

/**
 * Returns the share of a slot's name, 0 to 1, that the prompt does not contain. `missing` are the distinctive stems that it does not
 * contain.
 */
function missingShare(slot: Slot, { unit }: Piece, missing: readonly string[], promptStems: ReadonlySet<string>): number {
  if (isSought(slot, promptStems) || (unit === 'called' && isCalled(slot))) return 0
  return missing.length / Math.max(1, slot.distinctive.size)
}

/** "Search for plans" contains a query without naming the parameter. */
function isSought({ expected, synonyms }: Slot, promptStems: ReadonlySet<string>): boolean {
  return expected.has('topic') && synonyms.has('search') && promptStems.has('search')
}

/** "Called Ada" introduces a title, a name or a first name; "described as" introduces a description. */
function isCalled(slot: Slot): boolean {
  return isTitle(slot) || slot.expected.has('given') || slot.names.includes('descript')
}
