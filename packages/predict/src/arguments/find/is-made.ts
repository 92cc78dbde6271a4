import type { Prompt } from '../prompt/prompt-of.ts'
import { firstFrom, wordsIn } from '../prompt/words-in.ts'
import type { Found } from './found.ts'
import { isGrammar } from './grammar.ts'

/** "Open a ticket": what is made or asked for is no value. */
export function isMade({ kind, start, end }: Found, { words }: Prompt): boolean {
  const at = firstFrom(words, start)
  if (kind !== 'phrase' || at < 2 || at > 4 || wordsIn(words, start, end).length > 1) return false
  const after = words[at + 1]
  if (after !== undefined && /^[ -]$/.test(after.before) && !isGrammar(after.lower)) return false
  return (
    /^(?:an?|another|new)$/.test(words[at - 1]?.lower ?? '') &&
    words.slice(1, at - 1).every(({ lower }) => /^(?:an?|me|us|up)$/.test(lower))
  )
}
