import { nearest } from '@onward/runtime'
import type { FoundOption, NameQuery, Option } from './options.ts'
import { ARTICLES, BEFORE_NAMES, foldedText, isSameWord, type PromptWords } from './prompt-words.ts'

/** The options whose labels consist of the same words: "Dev-Ops" and "dev ops". */
export type Label = {
  /** The words, joined by spaces. */
  readonly text: string
  /** The number of words. */
  readonly length: number
  /** Undefined when the options have different values. */
  readonly option: Option | undefined
  /** The same for each exact spelling. */
  readonly bySpelling: ReadonlyMap<string, Option | undefined>
}

/** Labels by their text. */
export type Labels = ReadonlyMap<string, Label>

export function labelsOf(options: readonly Option[]): Labels {
  const groups = group(options, ({ words }) => words.join(' '))
  // Labels without letters and digits.
  groups.delete('')
  return new Map(Array.from(groups, ([text, same]) => [text, labelOf(text, same)]))
}

function labelOf(text: string, options: readonly Option[]): Label {
  const spellings = group(options, ({ label }) => label)
  const bySpelling = new Map(Array.from(spellings, ([spelling, same]) => [spelling, commonOption(same)]))
  return { text, length: text.split(' ').length, option: commonOption(options), bySpelling }
}

function commonOption([first, ...others]: readonly Option[]): Option | undefined {
  return others.every(({ value }) => value === first?.value) ? first : undefined
}

function group(options: readonly Option[], keyOf: (option: Option) => string): Map<string, Option[]> {
  const groups = new Map<string, Option[]>()
  for (const option of options) {
    const key = keyOf(option)
    const same = groups.get(key)
    if (same === undefined) groups.set(key, [option])
    else same.push(option)
  }
  return groups
}

/** Lengths of names, in characters. Shorter ones are similar to too many labels; longer ones take too long to compare. */
const MIN_LENGTH = 5
const MAX_LENGTH = 40
const MAX_NAME_WORDS = 4
/** The number is limited because each name is compared with all labels. */
const MAX_NAMES = 12

/** Returns the option whose label is similar to a name in the prompt, or the only option whose label begins with it. */
export function similarLabel(prompt: PromptWords, labels: Labels, query: NameQuery): FoundOption | undefined {
  const texts = [...labels.keys()]
  for (const { text, span } of possibleNames(prompt, query)) {
    const extended = texts.filter((label) => label.startsWith(`${text} `))
    const similar = extended.length > 0 ? extended : mostSimilarTwo(text, texts)
    const label = similar.length === 1 ? labels.get(similar[0] as string) : undefined
    if (label !== undefined) return label.option && { option: label.option, span, confidence: 0.7 }
  }
  return undefined
}

function mostSimilarTwo(text: string, labels: readonly string[]): string[] {
  const known = labels.filter((label) => label[0] === text[0])
  const first = nearest(text, known)
  if (first === undefined) return []
  const second = nearest(
    text,
    known.filter((label) => label !== first),
  )
  return second === undefined ? [first] : [first, second]
}

/** Returns the texts that may be the name: the predicted value, and the words next to the noun, the longest first. */
function possibleNames(
  { text, words }: PromptWords,
  { nouns, about, span }: NameQuery,
): { text: string; span: readonly [number, number] }[] {
  const found = span === undefined ? [] : [{ text: foldedText(text.slice(...span)), span }]
  const isFunctionWord = (word: string) => ARTICLES.has(word) || BEFORE_NAMES.has(word) || about.includes(word)
  for (const [at, word] of words.entries()) {
    if (!nouns.some((noun) => isSameWord(noun, word.text))) continue
    for (let length = MAX_NAME_WORDS; length > 0; length--) {
      for (const first of [at - length, at + 1]) {
        const name = first < 0 ? [] : words.slice(first, first + length)
        const [start, end] = [name[0]?.start, name.at(-1)?.end]
        if (name.length < length || start === undefined || end === undefined || name.some((each) => isFunctionWord(each.text))) continue
        found.push({ text: name.map((each) => each.text).join(' '), span: [start, end] })
      }
    }
  }
  return found.filter((name) => name.text.length >= MIN_LENGTH && name.text.length <= MAX_LENGTH).slice(0, MAX_NAMES)
}
