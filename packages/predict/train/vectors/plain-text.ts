const LONGEST = 200

/** A text in one line, without tags and the marks of Markdown, cut to what a sentence may have; undefined where nothing is left to learn from. */
export function plainText(text: string): string | undefined {
  const plain = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>|`|\*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
  return plain.length > 8 && /[a-z]/.test(plain) ? plain : undefined
}
