import { withoutIds } from '../words/without-values.ts'
import { words } from '../words/words.ts'
import { withoutAddresses } from './without-addresses.ts'
import { withoutQuotes } from './without-quotes.ts'

/** What is longer is cut: nobody describes one call in more words. */
const MAX_CHARACTERS = 1_000

/**
 * What of a prompt is kept once its function was called: its words in lower case, without quotes, addresses, numbers and ids. Two prompts
 * that leave the same are the same prompt. Empty when it holds nothing else.
 */
export function pastWords(prompt: string): string {
  // Full-width marks and digits are marks and digits; those of other scripts are numbers, too.
  const text = withoutIds(withoutAddresses(withoutQuotes(prompt.normalize('NFKC')))).replace(/\p{N}/gu, ' ')
  // Cut only now: half a quote, an address or an id would not be known for one.
  return words(text.slice(0, MAX_CHARACTERS)).join(' ')
}
