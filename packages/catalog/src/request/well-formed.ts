/** The text itself. Throws URIError, as encoding for a URL does, when it has half of a surrogate pair: UTF-8 can't carry it. */
export function wellFormed(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new URIError('the text is not well-formed')
  return text
}
