import { withoutValues } from '../words/without-values.ts'
import { words } from '../words/words.ts'

/** A longer prompt is cut: nobody describes one call in more words. */
const MAX_CHARACTERS = 1_000

/**
 * What of a prompt is kept once its function was called: its words in lower case, without quotes, addresses, numbers and ids. Two prompts
 * that leave the same are the same prompt. Empty when it holds nothing else.
 */
export function pastWords(prompt: string): string {
  return words(withoutValues(prompt.slice(0, MAX_CHARACTERS))).join(' ')
}
