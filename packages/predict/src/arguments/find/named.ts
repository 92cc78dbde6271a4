import type { Slot } from '../slot/slot.ts'
import type { Piece } from './piece.ts'
import { firstFrom, isGrammar, type Prompt, type Word, withoutThanks } from './prompt.ts'
import { type Competitors, PREPOSITION, REQUEST_VERB, spanEnd, TEXT_NAME } from './span-end.ts'

/** Words between a parameter's name and its value. */
const LINK = /^(?:\s*(?:(?:her|him|it|them) )?(?:is|as|of|to|it|be|should be|with|:|=|-)\s)?\s*(?:the |an? )?/i
/** Like LINK, before a value that is taken as a whole. There, a capitalized article is part of the value. */
const WHOLE_LINK = /^\s*(?:(?:is|as|of|it|[:=-])\s+)?(?:the |an? )?/
/** Where an unquoted value ends. */
const END =
  /[,;:!?"“(]|\.(?=\s|$)|\n| (?:in|of(?= \p{L}*\d)|on|at|with|and|or|for|from|to|by|due|that|which|where|who|worth|using|as|if|because|please|under|into|then|has|have|is|are|was|starting|without|tomorrow|today|next|\p{L}{3,}ed)\b/iu
const WORDS = /^[\p{L}\p{N}][\p{L}\p{N}_-]*(?:(?:, ?(?:and )?| and | or | & )[\p{L}\p{N}][\p{L}\p{N}_-]*)+/u
/** Stems of words that introduce the name of a thing. */
const CALLED = new Set(['call', 'name', 'titl', 'entitl'])
/** Words before a value that may be a sentence and is taken as a whole: "titled Login is broken", "with subject How are you?". */
const WHOLE = /^(?:called|named|titled|entitled|described)$/
const WITH = /(?:\b(?:with|and)\s|[,:;.]\s*)(?:the |an? )?$/
/** A value does not begin with a preposition: "search for roadmap", "log a call in the app". */
const NO_START = /^(?:in|on|at|with|and|or|for|from|to|by|via|into|about) /
const MAX_CHARACTERS = 80
/** The number of words that may name a slot. A prompt that names it more often is a document. */
const MAX_NAMES = 20

/**
 * Finds the value after a slot's name or a synonym, up to the next part of the sentence: "titled Improve onboarding", "labels bug and
 * docs". `solid` holds quotes and dates; `boundaries` holds pieces that end a value that is taken as a whole.
 */
export function findNamed(
  prompt: Prompt,
  slot: Slot,
  competitors: Competitors,
  solid: readonly Piece[],
  boundaries: readonly Piece[],
  about: ReadonlySet<string>,
): Piece[] {
  const { text, words } = prompt
  const { type } = slot.schema
  if (type !== 'string' && type !== 'array') return []
  const introduced = type === 'string' ? unnamedStarts(prompt, slot, about).flatMap(wholeFrom) : []
  return [...words.filter(namesSlot).slice(0, MAX_NAMES).flatMap(valueAfter), ...introduced]

  function namesSlot(word: Word, at: number): boolean {
    return (slot.distinctive.has(word.stem) || slot.synonyms.has(word.stem)) && !isThing(words, at)
  }

  function valueAfter(word: Word): Piece[] {
    const unit = CALLED.has(word.stem) ? 'called' : 'own'
    if (type === 'string' && isWhole(word))
      return wholeFrom(word.end + (WHOLE_LINK.exec(text.slice(word.end, word.end + 30))?.[0].length ?? 0))
    const start = word.end + (LINK.exec(text.slice(word.end, word.end + 30))?.[0].length ?? 0)
    const rest = text.slice(start, start + MAX_CHARACTERS)
    if (NO_START.test(rest)) return []
    const boundary = Math.min(...solid.filter((piece) => piece.start >= start).map((piece) => piece.start - start), rest.length)
    const one = piece(rest.slice(0, Math.min(END.exec(rest)?.index ?? rest.length, boundary)), start)
    const many = type === 'array' ? piece(WORDS.exec(rest)?.[0] ?? '', start) : []
    return many.length > 0 ? many.map((list) => ({ ...list, members: members(list) })) : one.map((piece) => ({ ...piece, unit }))
  }

  function wholeFrom(from: number): Piece[] {
    if (solid.some((one) => one.kind === 'quoted' && one.start === from)) return []
    const ends = slot.expected.has('text') && !slot.isTitle ? boundaries.filter(({ kind }) => kind !== 'datetime') : boundaries
    return piece(text.slice(from, spanEnd(prompt, from, slot, competitors, ends)), from).map((one) => ({ ...one, unit: 'called' }))
  }

  function isWhole({ lower, start }: Word): boolean {
    return (
      WHOLE.test(lower) ||
      ((slot.expected.has('text') || slot.isTitle) && TEXT_NAME.test(lower) && WITH.test(text.slice(Math.max(0, start - 12), start)))
    )
  }
}

/** A request to make something. */
const MAKES = /^(?:add|create|make|put|new|open|schedule|start|plan|book|draft|write|file|set|up|block|log|register|an?|the|me|us|another)$/
const SEARCH = /\b(?:search|look|find|query)\b[^.!?:\n]{0,60}? (?:for|about) +(?:the |an? )?(?!(?:this|that|it|them|me)\b)/gi
const REPLY =
  /\b(?:(?:reply|respond|answer)\b[^.!?:,\n]{0,80}? with|(?:tell|notify|remind|text|message|sms) (?:[#@]\S+|\+\d[\d ()-]{6,20}\d|(?=[a-z]*\d)\w+)) +(?! |saying\b|about\b|with\b)(?:that +)?/gi
const POST = /^\W*(?:[Pp]ost (?=\p{Lu})|[Ss]ay (?=\p{L}))/gu
const RENAME = /\brename\b[^.!?:\n]{0,80}? (?:to|as|into) +/gi
const COLON = /: +(?=\S)/g

/** Returns where a value may begin without the slot's name: "Add a card Order chairs", "search for late invoices", "reply with thanks". */
function unnamedStarts({ text, words }: Prompt, slot: Slot, about: ReadonlySet<string>): number[] {
  const after = (pattern: RegExp) => [...text.matchAll(pattern)].slice(0, MAX_NAMES).map((match) => match.index + match[0].length)
  const title = slot.isTitle
  if (!title && !slot.expected.has('text') && !slot.expected.has('topic')) return []
  const colons = after(COLON).filter((start) => !TEXT_NAME.test(words[firstFrom(words, start)]?.lower ?? ''))
  const starts = slot.expected.has('text') && !title ? [...after(REPLY), ...after(POST), ...colons] : []
  if (slot.expected.has('topic') || (slot.expected.has('text') && about.has('search'))) starts.push(...after(SEARCH))
  if (!title) return starts
  const at = words.findIndex(({ lower, stem }) => !MAKES.test(lower) && !about.has(stem))
  const [word, before] = [words[at], words[at - 1]]
  const isObject =
    word !== undefined &&
    before !== undefined &&
    word.before === ' ' &&
    (/^\p{Lu}/u.test(word.text) || (about.has(before.stem) && isPlain(word))) &&
    (at === 1 || MAKES.test(words[0]?.lower ?? ''))
  return [...new Set([...starts, ...colons]), ...after(RENAME), ...(isObject ? [word.start] : [])]
}

/** Whether a title may begin with the word in lower case: "add a task water the plants". */
function isPlain({ lower }: Word): boolean {
  return !isGrammar(lower) && !PREPOSITION.test(lower) && !TEXT_NAME.test(lower) && !/\P{L}|(?:ed|ing)$/u.test(lower)
}

/** In "log a call" and "add a task Call the landlord" the word introduces no name; in "call it" it does. */
function isThing(words: readonly Word[], at: number): boolean {
  return words[at]?.lower === 'call' && !/^(?:it|this|them|him|her)$/.test(words[at + 1]?.lower ?? '')
}

function piece(text: string, start: number): Piece[] {
  const trimmed = withoutThanks(text)
  return /[\p{L}\p{N}]/u.test(trimmed) ? [{ kind: 'named', text: trimmed, start, end: start + trimmed.length }] : []
}

/** Splits a list, up to the next request: "label it bug and assign Ada". */
function members(list: Piece): Piece[] {
  const texts = list.text.split(/, ?(?:and )?| and | or | & /)
  const next = texts.findIndex((text) => REQUEST_VERB.test(text.split(' ', 1)[0] ?? '') || PREPOSITION.test(text))
  return (next < 0 ? texts : texts.slice(0, next)).map((text) => ({ ...list, text }))
}
