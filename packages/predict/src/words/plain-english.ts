import { isOneEdit } from './spelling.ts'
import type { WordNumbers } from './vectors.ts'
import { words } from './words.ts'

/** Rewrites a prompt in English words that ranking knows. The rest of the text stays as it is. */
export type PlainEnglish = (prompt: string, isMeant: (word: string) => boolean, near: (word: string) => readonly string[]) => string

/** The most frequent English words keep their English meaning, unless nearly all words of the prompt are of another language. */
const COMMON = 6_000
const MIN_FOREIGN = 2
/** Shorter words have too many neighbours. */
const MIN_LENGTH = 5
const WORD = /[\p{L}\p{M}]+/gu

/**
 * Returns a function that translates word by word from the languages of `languages.txt`, and corrects words with one wrong letter. `isMeant`
 * tells whether the catalog contains a word, and `near` returns words of the catalog that may be meant. `lexicon` holds a word per line, with
 * its English words after a tab; a word without translation, such as an article, is left out.
 */
export function readPlainEnglish(lexicon: string, known: WordNumbers): PlainEnglish {
  const translations = new Map<string, string>()
  const withoutAccents = new Map<string, string>()
  for (const line of lexicon.trimEnd().split('\n')) {
    const [word = '', english = ''] = line.split('\t')
    translations.set(word, english)
    withoutAccents.set(plain(word), english)
  }
  const translationOf = (word: string) => translations.get(word) ?? withoutAccents.get(word)
  const isCommon = (word: string) => {
    const place = known.place(word)
    return place >= 0 && place < COMMON
  }
  return (prompt, isMeant, near) => {
    const said = words(prompt)
    const foreign = said.filter((word) => translationOf(word) !== undefined && !isCommon(word))
    const isForeign = foreign.length >= MIN_FOREIGN || foreign.length * 2 > said.length
    return prompt.normalize('NFC').replace(WORD, (written) => {
      const word = written.toLowerCase()
      const translation = isForeign && !isCommon(word) ? translationOf(word) : undefined
      if (translation !== undefined) return translation
      if (word.length < MIN_LENGTH || known.place(word) >= 0 || isMeant(word) || known.find(word) >= 0) return written
      return near(word).find((other) => isOneEdit(word, other)) ?? written
    })
  }
}

function plain(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '')
}
