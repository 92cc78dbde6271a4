/** A prompt without its literal values: quotes, addresses, ids and numbers name no function. */
export function withoutValues(prompt: string): string {
  return withoutIds(prompt.replace(/"[^"]*"|“[^”]*”|(?<!\p{L})'[^']{2,60}'(?!\p{L})|https?:\S+|\S+@\S+/gu, ' '))
}

/** A text without its numbers, and its words with a digit. */
export function withoutIds(text: string): string {
  return text.replace(/(?<![\w-])[A-Za-z_-]*\d[\w-]*/g, ' ')
}
