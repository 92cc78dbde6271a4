import type { ExpectedType, Slot } from '../slot/slot.ts'
import { ANSWERS, type Kind, type Piece } from './found.ts'
import { firstFrom, type Prompt } from './prompt.ts'

/** What the other slots of a function go by: where their values start, another's ends. */
export type Competitors = {
  /** Stems of their names, and of words that people say in their stead. */
  readonly named: ReadonlySet<string>
  readonly synonyms: ReadonlySet<string>
  readonly cues: ReadonlySet<string>
  readonly expected: ReadonlySet<ExpectedType>
}

export function competitorsOf(slot: Slot, slots: readonly Slot[]): Competitors {
  const others = slots.filter((other) => other !== slot)
  return {
    named: new Set(others.flatMap(({ telling }) => [...telling])),
    synonyms: new Set(others.flatMap(({ synonyms }) => [...synonyms])),
    cues: new Set(others.flatMap(({ cues }) => [...cues])),
    expected: new Set(others.flatMap(({ expected }) => [...expected])),
  }
}

/** Kinds that say by their form whose they are. */
const OTHERS: ReadonlySet<Kind> = new Set(['email', 'url', 'phone', 'address', 'id', 'handle', 'slug', 'datetime', 'money'])
const SLUGS = ['slug', 'owner', 'repo']

/** The pieces at which a value told in plain words ends: what is quoted, and what by its form is another slot's. */
export function boundariesOf(found: readonly Piece[], competitors: Competitors, prompt: Prompt): Piece[] {
  return found.filter((one) => one.kind === 'quoted' || belongsToCompetitor(one, competitors, prompt))
}

/** An id is another's when it stands where ids are told: "list 64b1", "to C0998", but not "upgrade to v2". */
function belongsToCompetitor({ kind, start, text }: Piece, { expected, named }: Competitors, { words }: Prompt): boolean {
  const answered = kind === 'slug' ? SLUGS : (ANSWERS[kind] ?? []).slice(1)
  if (!OTHERS.has(kind) || !answered.some((type) => expected.has(type as ExpectedType))) return false
  const before = words[firstFrom(words, start) - 1]
  return kind !== 'id' || named.has(before?.stem ?? '') || (/^[\p{Lu}_]/u.test(text) && /^(?:in|on|to|for)$/.test(before?.lower ?? ''))
}
