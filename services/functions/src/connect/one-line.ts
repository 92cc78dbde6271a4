/** Text of others as it can be kept and shown: on one line, without control characters, of at most so many characters. */
export function oneLine(text: string, most: number): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, most)
}
