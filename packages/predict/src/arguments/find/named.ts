import type { Prompt } from '../prompt/prompt-of.ts'
import type { Word } from '../prompt/words-of.ts'
import type { Slot } from '../slot/slot.ts'
import type { Found } from './found.ts'

/** Words between a name and its value. */
const LINK = /^(?:\s*(?:is|as|of|to|it|be|should be|:|=|-)\s)?\s*(?:the |an? )?/i
/** Where an unquoted value ends. */
const END =
  /[,;:!?"“(]|\.(?=\s|$)|\n| (?:in|on|at|with|and|or|for|from|to|by|due|that|which|where|who|worth|using|as|if|because|please|under|into|then|has|have|is|are|was|starting|without|tomorrow|today|next|\p{L}{3,}ed)\b/iu
const WORDS = /^[\p{L}\p{N}][\p{L}\p{N}_-]*(?:(?:, ?(?:and )?| and | or | & )[\p{L}\p{N}][\p{L}\p{N}_-]*)+/u
/** Stems of words that give a thing its name. */
const CALLED = new Set(['call', 'name', 'titl', 'entitl'])
const MOST_CHARACTERS = 80

/** What stands after a slot's own name or a word for it, up to where the sentence goes on: "titled Improve onboarding", "labels bug and docs". */
export function findNamed({ text, words }: Prompt, slot: Slot, solid: readonly Found[]): Found[] {
  const { type } = slot.schema
  if (type !== 'string' && type !== 'array') return []
  return words.flatMap((word, at): Found[] => {
    if (solid.some(({ start, end }) => word.start >= start && word.end <= end)) return []
    if (!slot.telling.has(word.stem) && !slot.synonyms.has(word.stem)) return []
    if (slot.telling.has((words[at + 1] as Word | undefined)?.stem ?? '')) return []
    const start = word.end + (LINK.exec(text.slice(word.end, word.end + 30))?.[0].length ?? 0)
    const rest = text.slice(start, start + MOST_CHARACTERS)
    const wall = Math.min(...solid.filter((piece) => piece.start >= start).map((piece) => piece.start - start), rest.length)
    const one = piece(rest.slice(0, Math.min(END.exec(rest)?.index ?? rest.length, wall)), start)
    const many = type === 'array' ? piece(WORDS.exec(rest)?.[0] ?? '', start) : []
    const unit = CALLED.has(word.stem) ? 'called' : 'own'
    return many.length > 0 ? many.map((list) => ({ ...list, members: members(list) })) : one.map((piece) => ({ ...piece, unit }))
  })
}

function piece(text: string, start: number): Found[] {
  const trimmed = text.trimEnd()
  return /[\p{L}\p{N}]/u.test(trimmed) ? [{ kind: 'named', text: trimmed, start, end: start + trimmed.length }] : []
}

function members(list: Found): Found[] {
  return list.text.split(/, ?(?:and )?| and | or | & /).map((text) => ({ ...list, text }))
}
