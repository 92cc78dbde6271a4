import { stems } from '../../words/stems.ts'
import { findAll } from '../find/find-all.ts'
import type { Found, Kind } from '../find/found.ts'
import { rivalsOf } from '../find/rivals.ts'
import { fits } from '../fits.ts'
import { promptOf } from '../prompt/prompt-of.ts'
import { withoutApp } from '../prompt/without-app.ts'
import { isTitle } from '../slot/is-title.ts'
import type { Slot, Want } from '../slot/slot.ts'
import { isVague } from '../slot/slots-of.ts'
import type { Asking, Fillable } from '../types.ts'
import { valueFor } from '../value/value-for.ts'
import { absence } from './absence.ts'
import { ANSWERS } from './answers.ts'
import { isStray } from './is-stray.ts'
import { around } from './naming.ts'
import { piecesFor } from './pieces-for.ts'
import { namingStrength, type Signs, signsOf } from './signs.ts'

/** Kinds that a name just before them claims: "state `lost`" is no text when it is no state. */
const LITERAL: ReadonlySet<Kind> = new Set(['quoted', 'number', 'money', 'percent', 'id', 'handle'])

export type Candidate = { readonly found: Found; readonly value: unknown; readonly signs: Signs }

/** What may be the value of each slot, with the signs for and against it. Every value of a parameter of its own is valid. */
export function optionsOf(fillable: Fillable, slots: readonly Slot[], text: string, asking: Asking): Candidate[][] {
  const prompt = promptOf(withoutApp(text, fillable))
  const found = findAll(prompt, asking)
  const about = new Set(stems(fillable.about))
  const said = new Set(prompt.words.map(({ stem }) => stem))
  const ranks = rankInKind(found)
  const see = onceASpan((piece) => {
    const near = around(piece, prompt)
    return { near, strengths: slots.map((slot) => namingStrength(slot, near)) }
  })
  const valid = (slot: Slot, piece: Found) => validValue(fillable, slot, piece, asking)
  const firstMoment = found.find(({ moment }) => moment !== undefined)?.start
  const dated = slots.filter(({ wants }) => wants.has('date') || wants.has('time'))
  const firstDated = dated.find(({ cues }) => !cues.has('until')) ?? dated[0]
  return slots.map((slot, at) => {
    const unsaid = [...slot.telling].filter((stem) => !isVague(stem) && !saidStem(stem, said))
    const rivals = rivalsOf(slot, slots)
    const titled = slots.some((other) => other !== slot && isTitle(other))
    return piecesFor(slot, rivals, found, prompt, about).flatMap((piece) => {
      const value = valid(slot, piece)
      if (value === undefined) return []
      const { near, strengths } = see(piece)
      if (isStray(slot, piece, near, unsaid, titled)) return []
      const called = strengths.findIndex((strength, other) => other !== at && strength === 1)
      const refused = called >= 0 && strengths[at] !== 1 && LITERAL.has(piece.kind) && valid(slots[called] as Slot, piece) === undefined
      if (refused) return []
      const nearer = strengths.filter((_, other) => other !== at && mayTake(slots[other] as Slot, piece))
      const rival = Math.max(0, ...nearer) - (strengths[at] as number)
      const absent = absence(slot, piece, unsaid, said)
      const order = inOrder(ranks.get(piece), slots, at)
      const form = piece.form ?? piece.kind
      const sole = slots.every((other) => other === slot || !other.wants.has(form as Want))
      const main = piece.start === firstMoment && slot === firstDated
      const wider = { about, order, rival: Math.max(0, rival), absent, sole, main, others: rivals.named, othersCues: rivals.cues }
      return [{ found: piece, value, signs: signsOf(slot, piece, near, wider) }]
    })
  })
}

/** "Assigned" says "assignee". */
function saidStem(stem: string, said: ReadonlySet<string>): boolean {
  return said.has(stem) || (stem.length > 5 && said.has(stem.slice(0, -1)))
}

/** Whether a name beside a piece may claim it: what is a date or a given name by its form belongs to slots that want such. */
function mayTake({ wants }: Slot, { kind }: Found): boolean {
  const [form, ...answered] = ANSWERS[kind] ?? []
  return (form !== 'mark' && form !== 'moment') || answered.some((want) => wants.has(want as Want))
}

/** For each piece of a kind of which there are several, where it stands among them: 0 first, 1 last. */
function rankInKind(found: readonly Found[]): ReadonlyMap<Found, number> {
  const ranks = new Map<Found, number>()
  for (const kind of new Set(found.map((one) => one.kind))) {
    const same = found.filter((one) => one.kind === kind)
    if (same.length > 1) for (const [at, one] of same.entries()) ranks.set(one, at / (same.length - 1))
  }
  return ranks
}

/** How well the order of pieces and of slots of one type agree. */
function inOrder(rank: number | undefined, slots: readonly Slot[], at: number): number {
  const { type } = (slots[at] as Slot).schema
  const alike = slots.filter((slot) => slot.schema.type === type && slot.required === slots[at]?.required)
  if (rank === undefined || alike.length < 2) return 0
  return 0.5 - Math.abs(rank - alike.indexOf(slots[at] as Slot) / (alike.length - 1))
}

/** Undefined when there is none. Beside variables a tag's own value is known only at call time; an object is checked as a whole. */
function validValue({ check }: Fillable, slot: Slot, piece: Found, { timeZone, variables }: Asking): unknown {
  const value = valueFor(slot, piece, timeZone)
  const later = (piece.kind === 'tag' && variables !== null) || slot.path.length > 1
  return value === undefined || later || fits(check, slot.path[0] as string, structuredClone(value)) ? value : undefined
}

/** What is asked of a span is worked out once. */
function onceASpan<T>(work: (piece: Found) => T): (piece: Found) => T {
  const known = new Map<string, { result: T }>()
  return (piece) => {
    const key = `${piece.whole ?? piece.start} ${piece.start} ${piece.end}`
    const entry = known.get(key) ?? { result: work(piece) }
    known.set(key, entry)
    return entry.result
  }
}
