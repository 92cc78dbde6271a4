/** Returns every word of a text in lower case. Identifiers are split (`postMessage`, `post_message`). */
export function words(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** Returns the words of a name without spaces: `Google Sheets`, `google-sheets` and `GoogleSheets` are the same. */
export function asOneWord(name: string): string {
  return words(name).join('')
}

/** Hashes a text to an int32 (FNV-1a). `start` is the hash of what comes before. */
export function hash(text: string, start = 0x811c9dc5): number {
  let made = start
  for (let i = 0; i < text.length; i++) made = hashNext(made, text.charCodeAt(i))
  return made
}

/** Returns the hash of a text with one more UTF-16 unit. */
export function hashNext(made: number, unit: number): number {
  return Math.imul(made ^ unit, 16_777_619)
}

/** Returns the words without stop words. */
export function contentWords(text: string): string[] {
  return words(text).filter((word) => !STOP_WORDS.has(word))
}

/** Words that do not help to tell which function a prompt means. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be been but by can could did do does for from had has have he her hers him his how i if in ' +
    'into is it its just like may me might my need of on or our out please shall she should so some than that the their them then there these ' +
    'they this those to too up us want was we were what when where which who whom why will with would you your'
  ).split(' '),
)

/** Returns the sentences of a prompt that have more than three characters. */
export function sentences(prompt: string): string[] {
  return prompt
    .split(/(?<=[.?!])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 3)
}

/** Removes literal values from a prompt: quotes, addresses, ids and numbers do not name a function. */
export function withoutValues(prompt: string): string {
  return withoutIds(prompt.replace(/"[^"]*"|“[^”]*”|(?<!\p{L})'[^']{2,60}'(?!\p{L})|https?:\S+|\S+@\S+/gu, ' '))
}

/** Removes numbers, and words that contain a digit. */
export function withoutIds(text: string): string {
  return text.replace(/(?<![\w-])[A-Za-z_-]*\d[\w-]*/g, ' ')
}
