const MAX_READ = 4_000
/** Shorter beginnings, such as `Note.`, tell nothing. */
const LEAST = 30

/**
 * The first sentences of a text, at most `most` characters, as plain text on one line: without Markdown, HTML and links' addresses.
 * Empty when nothing is left.
 */
export function plainText(text: string, most: number): string {
  const plain = stripMarks(text.slice(0, MAX_READ))
  if (plain.length <= most) return plain
  const ends = [...plain.slice(0, most).matchAll(/[.!?](?=\s)/g)]
  const end = ends.at(-1)?.index
  if (end !== undefined && end >= LEAST) return plain.slice(0, end + 1)
  return `${plain.slice(0, most - 1).replace(/\s+\S*$/, '')}…`
}

function stripMarks(text: string): string {
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<\/?[A-Za-z][^<>]*>/g, ' ')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/^\s*(?:#+|>|[-*+])\s+/gm, '')
    .replace(/^\s*\|.*$/gm, ' ')
    .replace(/^[\s=*_-]{3,}$/gm, ' ')
    .replace(/(\*\*|__|`)/g, '')
    .replace(/(^|\s)[*_](\S[^*_\n]*)[*_](?=\W|$)/g, '$1$2')
    .replace(/&(?:amp|#38);/g, '&')
    .replace(/&(?:lt|#60);/g, '<')
    .replace(/&(?:gt|#62);/g, '>')
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&(?:nbsp|#160);/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** `issue_number` → `Issue number`, for a thing that the document does not describe. */
export function inWords(name: string): string {
  const words = splitWords(name).join(' ')
  return words === '' ? 'Value' : words[0]?.toUpperCase() + words.slice(1)
}

/** The words of a name in lower case: `listUserRepos2`, `list_user-repos/2` → list, user, repos, 2. */
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
