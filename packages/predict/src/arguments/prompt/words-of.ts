import { stemmer } from 'stemmer'

/** A word of a prompt. `start` and `end` are UTF-16 offsets, end exclusive; `before` is what stands between it and the word before. */
export type Word = {
  readonly text: string
  readonly lower: string
  readonly stem: string
  readonly start: number
  readonly end: number
  readonly before: string
}

/** The words of a text in order. A possessive 's is not part of a word. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  let last = 0
  for (const match of text.matchAll(/\p{N}+(?:[.,:]\p{N}+)+\p{L}*|[\p{L}\p{N}]+(?:['’](?!s\b)\p{L}+)*/gu)) {
    const [word] = match
    const end = match.index + word.length
    words.push({ text: word, ...lowered(word), start: match.index, end, before: text.slice(last, match.index) })
    last = /^['’]s\b/.test(text.slice(end, end + 3)) ? end + 2 : end
  }
  return words
}

function lowered(word: string): Pick<Word, 'lower' | 'stem'> {
  const lower = word.normalize('NFKC').toLowerCase().replaceAll('’', "'")
  return { lower, stem: stemmer(lower) }
}
