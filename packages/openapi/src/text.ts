import removeMarkdown from 'remove-markdown'

const MAX_READ = 4_000
/** A text is not cut after a shorter first sentence, such as `Note.`, because that would say nothing. */
const MIN_SENTENCE = 30

/**
 * Returns the first sentences of a description as plain text on one line: without Markdown, HTML and the addresses of links. The result has
 * at most `most` characters and may be empty.
 */
export function plainText(text: string, most: number): string {
  const plain = stripMarks(text.slice(0, MAX_READ))
  if (plain.length <= most) return plain
  const ends = [...plain.slice(0, most).matchAll(/[.!?](?=\s)/g)]
  const end = ends.at(-1)?.index
  if (end !== undefined && end >= MIN_SENTENCE) return plain.slice(0, end + 1)
  return `${plain.slice(0, most - 1).replace(/\s+\S*$/, '')}…`
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

function stripMarks(text: string): string {
  // Code blocks, comments, HTML tags and tables become a space; remove-markdown would join the words around them, or keep them.
  const withoutBlocks = text.replace(/```[\s\S]*?(?:```|$)|<!--[\s\S]*?(?:-->|$)|<\/?[A-Za-z][^<>]*>|^\s*\|.*$/gm, ' ')
  return removeMarkdown(withoutBlocks.replaceAll('<', '&lt;'), { useImgAltText: false })
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name] as string)
    .replace(/&#(\d{2,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]+/gu, ' ')
    .trim()
}

/** Returns a name as words, for a value that the document does not describe: `issue_number` → `Issue number`. */
export function inWords(name: string): string {
  const words = splitWords(name).join(' ')
  return words === '' ? 'Value' : words[0]?.toUpperCase() + words.slice(1)
}

/** Returns the words of a name in lower case: `listUserRepos2` and `list_user-repos/2` → list, user, repos, 2. */
export function splitWords(name: string): string[] {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** Compares by code unit, so that the order does not depend on the machine's language. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** Returns how often each text occurs. */
export function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
