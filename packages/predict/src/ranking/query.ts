import { stem, stems } from '../words/stems.ts'
import { MAKES, verbClasses } from '../words/word-groups.ts'
import { contentWords, sentences, withoutValues, words } from '../words/words.ts'
import type { Index } from './build-index.ts'
import type { Encoder } from './encoder.ts'
import type { Scope } from './scope.ts'
import { typedWords } from './typed-words.ts'

/** A prompt as ranking reads it. Terms are numbers of the vocabulary that functions of this catalog may contain. */
export type Query = {
  /** Distinct words outside literal values, in order. */
  readonly words: readonly string[]
  readonly terms: readonly number[]
  /** All words as written. */
  readonly forms: ReadonlySet<string>
  /** The summed idf of all words, including those that no function contains. */
  readonly idfSum: number
  /** The terms outside literal values; `onlyInValues` holds the terms that are only inside. */
  readonly bare: readonly number[]
  readonly onlyInValues: readonly number[]
  readonly sentences: readonly (readonly number[])[]
  readonly concepts: readonly number[]
  /** The result of `verbClasses`. */
  readonly verbs: number
  /** Whether the prompt contains a value that only a call needs: an address, a quote or an id. */
  readonly hasValues: boolean
  /** Whether the prompt is a question or asks to show something. */
  readonly asks: boolean
  /** The apps that the prompt names. */
  readonly apps: ReadonlySet<string>
  /** The beginning of the prompt as the user typed it, and in English words. */
  readonly typed: string
  readonly plain: string
  readonly direction: Int8Array
  /** A product that the prompt names and that is no app of the catalog. */
  readonly product: string | undefined
  /** How similar the prompt is to prompts that no function fits. */
  readonly nothing: ReturnType<Scope['nothing']>
}

const ASKS = /\?|^\W*(what|who|which|where|when|how|show|list|find|get|tell)\b/i
const VALUES = /\b[A-Z]{2,}-\d+\b|[#!]\d+|\S@\S+\.\w|https?:|"[^"]+"|“[^“”]+”/
/** "Open a ticket" asks to create one; "open the ticket" refers to an existing one. */
const OPENS = /\b(?:open|file|raise|log)(?: up)? (?:an?|another|new)\b/i
/** Longer prompts are cut: a request for one call is shorter. */
const MAX_CHARACTERS = 2_000
const MAX_SENTENCES = 6

/** Returns the beginning of a prompt. Normalization makes 18 characters of some ligatures, and all of them count. */
export function cutForRanking(text: string): string {
  const prompt = text.slice(0, MAX_CHARACTERS)
  const normalized = prompt.normalize('NFKC')
  return normalized.length > MAX_CHARACTERS ? normalized.slice(0, MAX_CHARACTERS) : prompt
}

/** "Tell the team that it works", "let Ada know that it works", but not "tell me that it works". */
const TELLS =
  /\b(?:(?:tell|notify|inform)\s+(?!me\b|us\b)((?:[^\s.?!]+\s+){1,8}?)that|let\s+(?!me\b|us\b)((?:[^\s.?!]+\s+){1,8}?)know(?:\s+that)?)\s+(.+?)(?=[.?!](?:\s|$)|\n|$)/i

/** A team that is told something is people. The word would be taken for the app Microsoft Teams. */
const TEAM = /\bteam\b/i

/** Functions send or post messages, and do not tell anything. What a prompt tells is the text of the message: a value, like a quote. */
export function asMessage(prompt: string): string {
  return prompt.replace(
    TELLS,
    (_all, told = '', known = '', text) => `send or post a message to ${(told + known).replace(TEAM, '')}“${text}”`,
  )
}

export function readQuery(index: Index, encoder: Encoder, text: string): Query {
  const { english, vocabulary, size, words: list, named, spelling, scope } = index
  const typed = cutForRanking(text)
  const plain = english.plain(typed, spelling.has, spelling.near)
  const prompt = asMessage(plain)
  const direction = encoder.prompt(typedWords(prompt))
  const withValues = contentWords(prompt)
  const without = contentWords(withoutValues(prompt))
  const bareWords = [...new Set(without.length > 0 ? without : withValues)]
  const all = [...new Set(withValues.map(stem))]
  const found = terms(all)
  const bare = terms(without.map(stem))
  const apps = named.in(prompt)
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
    apps,
    typed,
    plain,
    direction,
    product: scope.product(typed),
    nothing: scope.nothing(direction, apps),
  }

  function terms(stems: readonly string[]): number[] {
    return [...new Set(stems)].map((each) => vocabulary.find(each)).filter((term) => term >= 0 && term < size)
  }
}
