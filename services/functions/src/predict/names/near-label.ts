import { nearest } from '@onward/runtime'
import type { Labels } from './labels.ts'
import type { Found, Wanted } from './option.ts'
import { ARTICLES, BEFORE_NAMES, type ReadPrompt } from './read-prompt.ts'
import { isSame, plain } from './words-in.ts'

/** Shorter names are near to too many, and longer ones take long to compare. */
const MIN_NEAR = 5
const MAX_NEAR = 40
const LONGEST_NAME = 4
/** Each is compared with every label. */
const MOST = 12

/** An option whose name is a little misspelt in the prompt, or that is the only one to begin with what the prompt says. */
export function nearLabel(prompt: ReadPrompt, labels: Labels, wanted: Wanted): Found | undefined {
  const texts = [...labels.keys()]
  for (const { text, span } of namesIn(prompt, wanted)) {
    const begun = texts.filter((label) => label.startsWith(`${text} `))
    const near = begun.length > 0 ? begun : nearestTwo(text, texts)
    const label = near.length === 1 ? labels.get(near[0] as string) : undefined
    if (label !== undefined) return label.option && { option: label.option, span, confidence: 0.7 }
  }
  return undefined
}

function nearestTwo(text: string, labels: readonly string[]): string[] {
  const known = labels.filter((label) => label[0] === text[0])
  const first = nearest(text, known)
  if (first === undefined) return []
  const second = nearest(
    text,
    known.filter((label) => label !== first),
  )
  return second === undefined ? [first] : [first, second]
}

/** What stands where the name should: the text that seems to be the value, and the words beside what it is called, the longest first. */
function namesIn({ text, words }: ReadPrompt, { nouns, about, span }: Wanted): { text: string; span: readonly [number, number] }[] {
  const found = span === undefined ? [] : [{ text: plain(text.slice(...span)), span }]
  const isNoName = (word: string) => ARTICLES.has(word) || BEFORE_NAMES.has(word) || about.includes(word)
  for (const [at, word] of words.entries()) {
    if (!nouns.some((noun) => isSame(noun, word.text))) continue
    for (let length = LONGEST_NAME; length > 0; length--) {
      for (const first of [at - length, at + 1]) {
        const name = first < 0 ? [] : words.slice(first, first + length)
        const [start, end] = [name[0]?.start, name.at(-1)?.end]
        if (name.length < length || start === undefined || end === undefined || name.some((each) => isNoName(each.text))) continue
        found.push({ text: name.map((each) => each.text).join(' '), span: [start, end] })
      }
    }
  }
  return found.filter((name) => name.text.length >= MIN_NEAR && name.text.length <= MAX_NEAR).slice(0, MOST)
}
