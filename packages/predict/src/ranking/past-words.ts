import { withoutIds } from '../words/without-values.ts'
import { words } from '../words/words.ts'
import { withoutAddresses } from './without-addresses.ts'
import { withoutQuotes } from './without-quotes.ts'

/** What is longer is cut: nobody describes one call in more words. */
const MAX_CHARACTERS = 1_000
/** Fewer say too little of a prompt whose end is not known: "note" is like any other note. */
const MIN_CUT = 4

/**
 * What of a prompt is kept once its function was called: its words in lower case, without quotes, addresses, numbers and ids. Two prompts
 * that leave the same are the same prompt. Empty when it holds nothing else, or little before a quote whose end is not known.
 */
export function pastWords(prompt: string): string {
  // Full-width marks and digits are marks and digits, but an acute accent would be a blank; those of other scripts are numbers, too.
  const { rest, cut } = withoutQuotes(prompt.replaceAll('´', "'").normalize('NFKC'))
  const text = withoutIds(withoutAddresses(rest)).replace(/\p{N}/gu, ' ')
  // Cut only now: half a quote, an address or an id would not be known for one.
  const kept = words(text.slice(0, MAX_CHARACTERS))
  return cut && kept.length < MIN_CUT ? '' : kept.join(' ')
}
