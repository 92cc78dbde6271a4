import { type Label, type Labels, labelsOf, similarLabel } from './labels.ts'
import type { FoundOption, NameQuery, Offered, Option } from './options.ts'
import { ARTICLES, BEFORE_NAMES, type FoldedWord, isSameWord, type PromptWords, promptWordsOf } from './prompt-words.ts'

/** The lowest score of a match. An optional parameter is only filled when the prompt says what the name refers to. */
const MIN_SCORE = { required: 1.5, optional: 3 } as const

/** A match of a label in the prompt, from the first to the last word. `option` is undefined when the label is ambiguous. */
type Place = {
  readonly label: Label
  readonly first: number
  readonly last: number
  readonly score: number
  readonly option: Option | undefined
}

/**
 * Returns the option that a prompt names, or undefined when none or several are named. Similar labels are only searched when all labels are
 * known, because a missing label may be more similar.
 */
export function findLabel(text: string, { options, complete }: Offered, query: NameQuery): FoundOption | undefined {
  const prompt = promptWordsOf(text)
  const labels = labelsOf(options)
  const enough = query.required ? MIN_SCORE.required : MIN_SCORE.optional
  const places = placesOf(prompt, labels, query).filter(({ score }) => score >= enough)
  const [start, ...others] = places
  if (start === undefined) return complete ? similarLabel(prompt, labels, query) : undefined
  // The best match has the highest score; of several with this score, the longest label.
  const best = others.reduce((a, b) => ((b.score - a.score || b.label.length - a.label.length) > 0 ? b : a), start)
  const { option, first, last, score } = best
  if (option === undefined) return undefined
  const competitors = places.filter((other) => other.score === score && other.option?.value !== option.value)
  // A shorter label inside the best one is no competitor, such as "Sales" in "Sales Europe".
  if (competitors.some((other) => other.first < first || other.last > last || other.label.length === best.label.length)) return undefined
  const span = [prompt.words[first]?.start ?? 0, prompt.words[last]?.end ?? 0] as const
  return { option, span, confidence: score >= 4 ? 0.95 : score >= 3 ? 0.9 : 0.75 }
}

/** Searches by the words of the prompt, because there may be a thousand labels, and a prompt may repeat one 500 times. */
function placesOf(prompt: PromptWords, labels: Labels, query: NameQuery): Place[] {
  const { text, words } = prompt
  const scoreAt = openScoring(prompt, query)
  const longest = Math.max(0, ...Array.from(labels.keys(), (key) => key.length))
  return words.flatMap((initial, first) => {
    const places: Place[] = []
    let key = ''
    for (let last = first; last < words.length && key.length <= longest; last++) {
      key = last === first ? initial.text : `${key} ${words[last]?.text}`
      const label = labels.get(key)
      if (label === undefined) continue
      const said = text.slice(initial.start, words[last]?.end)
      const hasCapitals = /\p{Lu}/u.test(said) && label.bySpelling.has(said)
      const score = scoreAt(label, first, last, hasCapitals)
      const isMeant = hasCapitals && score > scoreAt(label, first, last, false)
      places.push({ label, first, last, score, option: isMeant ? label.bySpelling.get(said) : label.option })
    }
    return places
  })
}

/** The largest distance, in words, between a noun and the name after it. */
const MAX_DISTANCE = 3

type Score = (label: Label, first: number, last: number, hasCapitals: boolean) => number

/**
 * Returns a function that scores how clearly a label in the prompt, from a first to a last word, is meant as a name: 0 not at all, 4 or
 * more almost certainly. Properties of words are computed once, because many labels may begin with the same word.
 */
function openScoring({ text, words, quotes }: PromptWords, { nouns, about, span }: NameQuery): Score {
  const isNoun = words.map((word) => nouns.some((noun) => isSameWord(noun, word.text)))
  const isAboutFunction = words.map((word, at) => isNoun[at] || about.some((each) => isSameWord(each, word.text)))
  const isBeforeName = words.map((word) => BEFORE_NAMES.has(word.text))
  const wordBefore = lastBefore(words, (word) => !ARTICLES.has(word))
  const nounBefore = lastBefore(words, (word) => !ARTICLES.has(word) && !BEFORE_NAMES.has(word))
  const quoteOf = words.map(({ start, end }) => quotes.find((quote) => start >= quote.start && end <= quote.end))

  // "the Marketing pipeline", "channel general", "the board called Roadmap", "assign it to Ada".
  function isBeside(first: number, last: number): boolean {
    const at = nounBefore[first] ?? -1
    return (at >= first - MAX_DISTANCE && isNoun[at] === true) || isNoun[last + 1] === true
  }

  return ({ text: label, length }, first, last, hasCapitals) => {
    const [start, end] = [words[first]?.start ?? 0, words[last]?.end ?? 0]
    const quote = quoteOf[first] === quoteOf[last] ? quoteOf[first] : undefined
    // A part of a quoted text is not a name.
    if (quote !== undefined && quote.foldedText !== label) return 0
    if (/[#@]/.test(text[start - 1] ?? '')) return 4
    if (length === 1 && isAboutFunction[first]) return 0
    const extra = quote !== undefined || length > 1 || hasCapitals ? 1 : 0
    if (isBeside(first, last)) return 3 + extra
    if (span !== undefined && start >= span[0] && end <= span[1]) return 3 + extra
    if (isBeforeName[wordBefore[first] ?? -1]) return 1.5 + extra
    return quote === undefined ? 0.5 + extra : 0
  }
}

/** Returns, for each word, the index of the last word before it that satisfies the condition, or -1. */
function lastBefore(words: readonly FoldedWord[], isOfKind: (word: string) => boolean): number[] {
  let last = -1
  return words.map((word, at) => {
    const found = last
    if (isOfKind(word.text)) last = at
    return found
  })
}
