import { withoutQuotes } from '../words/quotes.ts'
import { withoutIds, words } from '../words/words.ts'

/** Longer prompts are cut: a request for one call is shorter. */
const MAX_CHARACTERS = 1_000
/** With fewer words, a prompt that was cut at a quote is too unspecific: "note" is similar to any other note. */
const MIN_CUT = 4

/**
 * Returns what is stored of a prompt whose function was called: its lower-case words without quotes, addresses, numbers and ids. Two
 * prompts with the same words count as the same prompt. Returns an empty string when no words are left, or too few before a quote with an
 * uncertain end.
 */
export function pastWords(prompt: string): string {
  // NFKC turns full-width marks and digits into plain ones, but would turn an acute accent into a space. Digits of other scripts are
  // numbers too.
  const { rest, cut } = withoutQuotes(prompt.replaceAll('´', "'").normalize('NFKC'))
  const text = withoutIds(withoutAddresses(rest)).replace(/\p{N}/gu, ' ')
  // Cut last: half a quote, address or id would not be recognized.
  const kept = words(text.slice(0, MAX_CHARACTERS))
  return cut && kept.length < MIN_CUT ? '' : kept.join(' ')
}

/**
 * An e-mail address; a host of three parts; a host with a port, path or query. "Ask Arxiv.org" names an app, so a host of two parts is not
 * an address.
 */
const ADDRESS = /\S@|[\p{L}\p{N}]\.[\p{L}\p{N}-]{1,63}(?:\.\p{L}{2}|[/:?#]\S)|:\d+\//u

/** Removes addresses, with or without a scheme, up to the next space. */
function withoutAddresses(text: string): string {
  return text.replace(/(?:https?:|:\/\/|\bwww\.)\S*/gi, ' ').replace(/\S+/g, (piece) => (ADDRESS.test(piece) ? ' ' : piece))
}
