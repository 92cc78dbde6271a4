import type { ExpectedType, Slot } from '../slot/slot.ts'
import { type Kind, type Piece, TYPES_BY_KIND } from './piece.ts'
import { firstFrom, type Prompt } from './prompt.ts'

/** The other slots of a function. The value of a slot ends where a word introduces the value of another slot. */
export type Competitors = {
  /** Stems of their names. `synonyms` are stems of words that users say instead. */
  readonly named: ReadonlySet<string>
  readonly synonyms: ReadonlySet<string>
  /** Stems of the things that their ids identify, such as "folder". */
  readonly things: ReadonlySet<string>
  readonly cues: ReadonlySet<string>
  readonly expected: ReadonlySet<ExpectedType>
}

export function competitorsOf(slot: Slot, slots: readonly Slot[]): Competitors {
  const others = slots.filter((other) => other !== slot)
  return {
    named: new Set(others.flatMap(({ distinctive }) => [...distinctive])),
    synonyms: new Set(others.flatMap(({ synonyms }) => [...synonyms])),
    things: new Set(others.flatMap(({ things }) => things)),
    cues: new Set(others.flatMap(({ cues }) => [...cues])),
    expected: new Set(others.flatMap(({ expected }) => [...expected])),
  }
}

/** Kinds whose form shows to which slot they belong. */
const WITH_OWN_FORM: ReadonlySet<Kind> = new Set(['email', 'url', 'phone', 'address', 'id', 'handle', 'slug', 'datetime', 'money'])
const SLUGS = ['slug', 'owner', 'repo']

/** Returns the pieces at which an unquoted value ends: quotes, and pieces whose form belongs to another slot. */
export function boundariesOf(found: readonly Piece[], competitors: Competitors, prompt: Prompt): Piece[] {
  return found.filter((one) => one.kind === 'quoted' || belongsToCompetitor(one, competitors, prompt))
}

/** After the name of another slot or a preposition, an id belongs to that slot: "list 64b1", "to C0998", but not "upgrade to v2". */
function belongsToCompetitor({ kind, start, text }: Piece, { expected, named }: Competitors, { words }: Prompt): boolean {
  const satisfied = kind === 'slug' ? SLUGS : (TYPES_BY_KIND[kind] ?? []).slice(1)
  if (!WITH_OWN_FORM.has(kind) || !satisfied.some((type) => expected.has(type as ExpectedType))) return false
  const before = words[firstFrom(words, start) - 1]
  return (
    kind !== 'id' ||
    named.has(before?.stem ?? '') ||
    ((/^[\p{Lu}_]/u.test(text) || text.length >= 8) && /^(?:in|on|to|for|into|under)$/.test(before?.lower ?? ''))
  )
}
