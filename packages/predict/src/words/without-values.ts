/** A prompt without its literal values: quotes, addresses, ids and numbers name no function. */
export function withoutValues(prompt: string): string {
  return prompt
    .replace(/"[^"]*"|“[^”]*”|(?<!\p{L})'[^']{2,60}'(?!\p{L})|https?:\S+|\S+@\S+/gu, ' ')
    .replace(/(?<![\w-])[A-Za-z_-]*\d[\w-]*/g, ' ')
}
