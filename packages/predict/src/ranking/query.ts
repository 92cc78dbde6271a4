import { sentences } from '../words/sentences.ts'
import { stem } from '../words/stem.ts'
import { stems } from '../words/stems.ts'
import { MAKES, verbClasses } from '../words/verb-classes.ts'
import { withoutValues } from '../words/without-values.ts'
import { contentWords, words } from '../words/words.ts'
import type { Index } from './build-index.ts'

/** A prompt as ranking wants it; terms are numbers of the vocabulary that functions of this catalog may have. */
export type Query = {
  /** Distinct words without literal values, in order. */
  readonly words: readonly string[]
  readonly terms: readonly number[]
  /** Its words as they stand in it. */
  readonly forms: ReadonlySet<string>
  /** Those of no function included. */
  readonly idfSum: number
  /** The terms outside of literal values, and those that are in them alone. */
  readonly bare: readonly number[]
  readonly onlyInValues: readonly number[]
  readonly sentences: readonly (readonly number[])[]
  readonly concepts: readonly number[]
  /** As `verbClasses` gives them. */
  readonly verbs: number
  /** Whether it holds what only a call wants: an address, a quote or the id of a thing. */
  readonly hasValues: boolean
  /** Whether it is a question or asks to be shown something. */
  readonly asks: boolean
  /** The apps that it names. */
  readonly apps: ReadonlySet<string>
}

const ASKS = /\?|^\W*(what|who|which|where|when|how|show|list|find|get|tell)\b/i
const VALUES = /\b[A-Z]{2,}-\d+\b|[#!]\d+|\S@\S+\.\w|https?:|"[^"]+"|“[^“”]+”/
/** "Open a ticket" asks for a new one, "open the ticket" for one that is there. */
const OPENS = /\b(?:open|file|raise|log)(?: up)? (?:an?|another|new)\b/i
/** A longer prompt is cut: nobody describes one call in more words. */
const MAX_CHARACTERS = 2_000
const MAX_SENTENCES = 6

export function readQuery({ vocabulary, size, words: list, named }: Index, text: string): Query {
  const prompt = text.slice(0, MAX_CHARACTERS)
  const withValues = contentWords(prompt)
  const without = contentWords(withoutValues(prompt))
  const bareWords = [...new Set(without.length > 0 ? without : withValues)]
  const all = [...new Set(withValues.map(stem))]
  const found = terms(all)
  const bare = terms(without.map(stem))
  return {
    words: bareWords,
    terms: found,
    forms: new Set(withValues),
    idfSum: all.reduce((sum, each) => sum + list.idf(vocabulary.find(each)), 0),
    bare,
    onlyInValues: found.filter((term) => !bare.includes(term)),
    sentences: sentences(prompt)
      .slice(0, MAX_SENTENCES)
      .map((sentence) => terms(stems(withoutValues(sentence)))),
    concepts: [...new Set(bare.flatMap((term) => vocabulary.concepts(term)))],
    verbs: verbClasses(words(prompt).map(stem)) | (OPENS.test(prompt) ? MAKES : 0),
    hasValues: VALUES.test(prompt),
    asks: ASKS.test(prompt),
    apps: named.in(prompt),
  }

  function terms(stems: readonly string[]): number[] {
    return [...new Set(stems)].map((each) => vocabulary.find(each)).filter((term) => term >= 0 && term < size)
  }
}
