import type { ExpectedType } from '../slot/expected-types.ts'
import type { Slot } from '../slot/slot.ts'
import { type Kind, type Piece, TYPES_BY_KIND } from './piece.ts'
import { firstFrom, isGrammar, type Prompt, type Word } from './prompt.ts'

/** A longer value is left out, not cut. */
const MAX_WORDS = 40
const MAX_MESSAGE_WORDS = 200
/** Names of texts that users give a thing. */
export const TEXT_NAME =
  /^(?:title|name|subject|topic|headline|heading|summary|body|description|message|content|caption|text|note|comment)$/
const ARTICLE = /^(?:the|an?|its|his|her|their|my|our|your|no)$/
const JOIN = /^(?:and|with|but|then|plus|having)$/
export const PREPOSITION = /^(?:in|on|to|for|at|from|under|inside|below|into|by|as|of|with|within|due|until)$/
/** Verbs that begin the next request: "… and assign it to Bob". */
export const REQUEST_VERB =
  /^(?:add|send|set|give|tell|write|say|assign|put|make|mark|create|invite|post|share|move|tag|notify|attach|schedule|use|leave|close|then|also|please)$/
/** In "Can you …?" the question mark ends the request, not the value. */
const ASKS = /^\W*(?:can|could|would|will|may)\b/i

/**
 * Returns the end of an unquoted text value that begins at `start`, such as the text after "titled". It ends at the end of the sentence, at
 * a comma, at a boundary, or where the value of another slot begins. Returns `start` when the end is too far away.
 */
export function spanEnd(
  { text, words }: Prompt,
  start: number,
  slot: Slot,
  competitors: Competitors,
  boundaries: readonly Piece[],
): number {
  const first = firstFrom(words, start)
  const boundary = Math.min(...boundaries.filter((one) => one.start > start).map((one) => one.start), text.length)
  // The text of a message may contain commas.
  const isMessage = slot.expected.has('text') && !slot.expected.has('name') && !slot.expected.has('topic')
  const most = first + (isMessage ? MAX_MESSAGE_WORDS : MAX_WORDS)
  let end = start
  for (let at = first; at < words.length; at++) {
    if (at >= most) return start
    const word = words[at] as Word
    if (word.start >= boundary) return withoutPreposition(end, at)
    if (at > first && endsBetween(word.before, end) && !(isMessage && /^, $/.test(word.before) && !isNext(at) && !isName(word)))
      return end + (mark(word.before, end) ? 1 : 0)
    if (at > first && isNext(at)) return end
    end = word.end + (text[word.end] === '%' ? 1 : 0)
  }
  return end + (mark(text.slice(end, end + 3), end) ? 1 : 0)

  /** Two spaces are left where an app's name was removed. */
  function endsBetween(before: string, from: number): boolean {
    return /[,;"“\n]|: | {2}|[.!?]\s/.test(before) || text.slice(from, from + 2) === '. '
  }

  /** Whether the punctuation mark after the value belongs to it. */
  function mark(after: string, at: number): boolean {
    if (!slot.expected.has('text') || slot.expected.has('person') || at === start) return false
    return after.startsWith('!') || (after.startsWith('?') && (/^\?\s+\S/.test(text.slice(at, at + 4)) || !ASKS.test(text)))
  }

  /** Whether the words from here introduce another value or another request. */
  function isNext(at: number): boolean {
    const word = words[at] as Word
    const [next, after] = [words[at + 1], words[at + 2]]
    if (next === undefined) return false
    if (word.lower === 'as' && ARTICLE.test(next.lower)) return true
    const noun = ARTICLE.test(next.lower) ? after : next
    if (noun === undefined) return false
    if (JOIN.test(word.lower)) return isName(noun) || competitors.synonyms.has(noun.stem) || TEXT_NAME.test(noun.lower)
    if (/^(?:that|which)$/.test(word.lower)) return /^(?:is|are|was|has|should)$/.test(next.lower)
    if (/(?:ed|ing)$|^worth$/.test(word.lower))
      return (
        (competitors.synonyms.has(word.stem) || competitors.named.has(word.stem)) && (isGrammar(next.lower) || /^\p{N}/u.test(next.text))
      )
    return PREPOSITION.test(word.lower) && (isName(noun) || competitors.things.has(noun.stem))
  }

  function isName({ stem }: Word): boolean {
    return competitors.named.has(stem)
  }

  /** Removes the words that introduce the next value: "in acme/web", "due Friday". */
  function withoutPreposition(end: number, at: number): number {
    let [last, to] = [at - 1, end]
    while (last > first && isLink(words[last] as Word)) {
      last -= 1
      to = (words[last] as Word).end
    }
    return to
  }

  function isLink({ lower, stem }: Word): boolean {
    return PREPOSITION.test(lower) || ARTICLE.test(lower) || JOIN.test(lower) || competitors.named.has(stem)
  }
}

/** The other slots of a function. The value of a slot ends where a word introduces the value of another slot. */
export type Competitors = {
  /** Stems of their names. `synonyms` are stems of words that users say instead. */
  readonly named: ReadonlySet<string>
  readonly synonyms: ReadonlySet<string>
  /** Stems of the things that their ids identify, such as "folder". */
  readonly things: ReadonlySet<string>
  readonly expected: ReadonlySet<ExpectedType>
}

export function competitorsOf(slot: Slot, slots: readonly Slot[]): Competitors {
  const others = slots.filter((other) => other !== slot)
  return {
    named: new Set(others.flatMap(({ distinctive }) => [...distinctive])),
    synonyms: new Set(others.flatMap(({ synonyms }) => [...synonyms])),
    things: new Set(others.flatMap(({ things }) => things)),
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
