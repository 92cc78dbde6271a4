import { STOP_WORDS } from './stop-words.ts'

/** Every word of a text in lower case, identifiers split (`postMessage`, `post_message`). */
export function words(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** The words that say something about which function is meant. */
export function contentWords(text: string): string[] {
  return words(text).filter((word) => !STOP_WORDS.has(word))
}
