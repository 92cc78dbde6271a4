import type { Slot } from '../slot/slot.ts'
import type { Competitors } from './competitors.ts'
import type { Piece } from './piece.ts'
import type { Prompt, Word } from './prompt.ts'
import { spanEnd, TEXT_NAME } from './span-end.ts'

/** Words between a parameter's name and its value. */
const LINK = /^(?:\s*(?:is|as|of|to|it|be|should be|:|=|-)\s)?\s*(?:the |an? )?/i
/** Like LINK, before a value that is taken as a whole. There, a capitalized article is part of the value. */
const WHOLE_LINK = /^\s*(?:(?:is|as|of|it|[:=-])\s+)?(?:the |an? )?/
/** Where an unquoted value ends. */
const END =
  /[,;:!?"“(]|\.(?=\s|$)|\n| (?:in|on|at|with|and|or|for|from|to|by|due|that|which|where|who|worth|using|as|if|because|please|under|into|then|has|have|is|are|was|starting|without|tomorrow|today|next|\p{L}{3,}ed)\b/iu
const WORDS = /^[\p{L}\p{N}][\p{L}\p{N}_-]*(?:(?:, ?(?:and )?| and | or | & )[\p{L}\p{N}][\p{L}\p{N}_-]*)+/u
/** Stems of words that introduce the name of a thing. */
const CALLED = new Set(['call', 'name', 'titl', 'entitl'])
/** Words before a value that may be a sentence and is taken as a whole: "titled Login is broken", "with subject How are you?". */
const WHOLE = /^(?:called|named|titled|entitled|described)$/
const WITH = /(?:\b(?:with|and)\s|,\s*)(?:the |an? )?$/
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
): Piece[] {
  const { text, words } = prompt
  const { type } = slot.schema
  if (type !== 'string' && type !== 'array') return []
  return words.filter(namesSlot).slice(0, MAX_NAMES).flatMap(valueAfter)

  function namesSlot(word: Word, at: number): boolean {
    if (!slot.distinctive.has(word.stem) && !slot.synonyms.has(word.stem)) return false
    if (solid.some(({ start, end }) => word.start >= start && word.end <= end)) return false
    return !slot.distinctive.has(words[at + 1]?.stem ?? '') && !isThing(words, at)
  }

  function valueAfter(word: Word): Piece[] {
    const unit = CALLED.has(word.stem) ? 'called' : 'own'
    if (type === 'string' && isWhole(word)) {
      const from = word.end + (WHOLE_LINK.exec(text.slice(word.end, word.end + 30))?.[0].length ?? 0)
      if (solid.some((one) => one.kind === 'quoted' && one.start === from)) return []
      return piece(text.slice(from, spanEnd(prompt, from, slot, competitors, boundaries)), from).map((one) => ({ ...one, unit: 'called' }))
    }
    const start = word.end + (LINK.exec(text.slice(word.end, word.end + 30))?.[0].length ?? 0)
    const rest = text.slice(start, start + MAX_CHARACTERS)
    if (NO_START.test(rest)) return []
    const boundary = Math.min(...solid.filter((piece) => piece.start >= start).map((piece) => piece.start - start), rest.length)
    const one = piece(rest.slice(0, Math.min(END.exec(rest)?.index ?? rest.length, boundary)), start)
    const many = type === 'array' ? piece(WORDS.exec(rest)?.[0] ?? '', start) : []
    return many.length > 0 ? many.map((list) => ({ ...list, members: members(list) })) : one.map((piece) => ({ ...piece, unit }))
  }

  function isWhole({ lower, start }: Word): boolean {
    return (
      WHOLE.test(lower) || (slot.expected.has('text') && TEXT_NAME.test(lower) && WITH.test(text.slice(Math.max(0, start - 12), start)))
    )
  }
}

/** In "log a call" the word is a noun; in "call it" it introduces a name. */
function isThing(words: readonly Word[], at: number): boolean {
  return words[at]?.lower === 'call' && /^(?:an?|the|my|our|this|that)$/.test(words[at - 1]?.lower ?? '')
}

function piece(text: string, start: number): Piece[] {
  const trimmed = text.trimEnd()
  return /[\p{L}\p{N}]/u.test(trimmed) ? [{ kind: 'named', text: trimmed, start, end: start + trimmed.length }] : []
}

function members(list: Piece): Piece[] {
  return list.text.split(/, ?(?:and )?| and | or | & /).map((text) => ({ ...list, text }))
}
