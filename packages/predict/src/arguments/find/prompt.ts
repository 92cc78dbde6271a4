import { findQuotes } from '../../words/quotes.ts'
import { stem } from '../../words/stems.ts'

/** A word of a prompt. Offsets are UTF-16; `end` is exclusive. `before` is the text between the previous word and this one. */
export type Word = {
  readonly text: string
  readonly lower: string
  readonly stem: string
  readonly start: number
  readonly end: number
  readonly before: string
}

/** `stems` holds the stems of all words. */
export type Prompt = { readonly text: string; readonly words: readonly Word[]; readonly stems: ReadonlySet<string> }

/** Only the first words of a longer prompt are searched for values. */
const MAX_WORDS = 600

/** The rest of a longer prompt is not searched for values. */
const MAX_CHARACTERS = 4_000

/** Cuts a long prompt, but not inside a quote: the text of a long message is one value. */
export function cutPrompt(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  const quote = findQuotes(text).find(({ start, end }) => start < MAX_CHARACTERS && end > MAX_CHARACTERS)
  return text.slice(0, quote?.end ?? MAX_CHARACTERS)
}

/** Splits a text into its first MAX_WORDS words. A possessive 's is not a word. */
export function promptOf(text: string): Prompt {
  const words: Word[] = []
  for (const match of text.matchAll(/(\p{N}+(?:[.,:]\p{N}+)+\p{L}*|[\p{L}\p{N}]+(?:['’](?!s\b)\p{L}+)*)(?:['’]s\b)?/gu)) {
    if (words.length === MAX_WORDS) break
    const { index: start, 1: word = '' } = match
    const lower = word.normalize('NFKC').toLowerCase().replaceAll('’', "'")
    words.push({ text: word, lower, stem: stem(lower), start, end: start + word.length, before: text.slice(words.at(-1)?.end ?? 0, start) })
  }
  return { text, words, stems: new Set(words.map((word) => word.stem)) }
}

/** Returns the words that start within a span. */
export function wordsIn(words: readonly Word[], start: number, end: number): readonly Word[] {
  return words.slice(firstFrom(words, start), firstFrom(words, end))
}

/** Returns the index of the first word that starts at or after an offset, by binary search. */
export function firstFrom(words: readonly Word[], offset: number): number {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle] as Word).start < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** Function words, and words of polite requests. */
const GRAMMAR = new Set(
  (
    "a about above across after again against all along also am among an and any are around as at be because been before being below between both but by can can't could did do does doesn't doing don't down " +
    "during each either every few for from further had has have having he her here here's hers him his how i i'd i'll i'm i've if in inside into is isn't it it's its itself just let let's like may me might more most must my " +
    'near need needs no nor not now of off on once only onto or other our ours out outside over own per please same shall she should since so some such than that the their them then there these they this those ' +
    'through to too under until up upon us very via want wants was we were what when where whether which while who whom whose why will with within without would you your yours ' +
    'tell says saying said give show find get provide retrieve check make create add called named titled using use based regarding concerning related including specified specific given following located ' +
    'know help assist look looking search information info details list available'
  ).split(' '),
)

export function isGrammar(lower: string): boolean {
  return GRAMMAR.has(lower)
}

/** Removes polite words after a value: "urgent please". */
export function withoutThanks(text: string): string {
  return text.replace(/[\s,]+(?:please|pls|thanks|thank you|thx)[\s.!]*$/i, '').trimEnd()
}

/**
 * At most 500 characters for the parsers of dates and phone numbers, which cannot be interrupted: up to the end of a sentence or line where
 * possible, or else up to a space.
 */
const CHUNK = /.{1,500}$|.{250,499}(?:[.!?](?= )|\n)|.{1,500}(?= |$)|.{1,500}/gs

/** Cuts a long text into chunks. `start` is the UTF-16 offset of a chunk. */
export function chunksOf(text: string): { readonly text: string; readonly start: number }[] {
  return [...text.matchAll(CHUNK)].map(({ 0: chunk, index }) => ({ text: chunk, start: index }))
}
