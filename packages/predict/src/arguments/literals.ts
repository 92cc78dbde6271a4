/** A value that stands in a prompt to the letter. */
export type Literal = {
  readonly kind: 'quoted' | 'email' | 'url' | 'number' | 'tag'
  readonly text: string
  readonly start: number
  readonly end: number
}

/** In the order in which they are looked for: what an earlier one took is not looked at again. */
const PATTERNS: readonly [Literal['kind'], RegExp][] = [
  ['quoted', /"([^"\n]+)"|“([^”\n]+)”|‘([^’\n]+)’|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])|`([^`\n]+)`/gu],
  ['tag', /\{[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*\}/g],
  ['url', /https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)]/g],
  ['email', /[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/g],
  ['number', /(?<![\p{L}\p{N}._-])-?\d+(?:\.\d+)?(?![\p{L}\p{N}_-]|\.\d)/gu],
]

/** The literal values of a prompt by position: quoted text, e-mail addresses, URLs, numbers, `{variable}` tags. */
export function findLiterals(prompt: string): Literal[] {
  const found: Literal[] = []
  for (const [kind, pattern] of PATTERNS) {
    for (const match of prompt.matchAll(pattern)) {
      const start = match.index
      const end = start + match[0].length
      if (found.some((other) => start < other.end && end > other.start)) continue
      found.push({ kind, text: match.slice(1).find((group) => group !== undefined) ?? match[0], start, end })
    }
  }
  return found.sort((a, b) => a.start - b.start)
}
