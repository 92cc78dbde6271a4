import pluralize from 'pluralize'
import { splitWords } from '../text.ts'

export type PathWords = {
  /** Words of each fixed segment. */
  readonly fixed: readonly (readonly string[])[]
  /** Words of each variable's name. */
  readonly variables: readonly (readonly string[])[]
  /** Whether the path ends with a variable and so names one item of a collection. */
  readonly item: boolean
}

/** Returns the words of a path, without versions, file extensions and `shared` segments. */
export function pathWords(path: string, shared: ReadonlySet<string>): PathWords {
  // Text after # or : describes the operation.
  const segments = path
    .replace(/\?.*$/s, '')
    .split(/[/#]|(?<=[^/]):/)
    .filter((segment) => segment !== '')
  const fixed: string[][] = []
  for (const segment of segments) {
    const text = segment.replace(/\{[^{}]*\}/g, ' ').replace(/\.(?:json|xml)\b/i, '')
    const words = splitWords(text)
    if (words.length > 0 && !isVersion(text) && !shared.has(segment)) fixed.push(words)
  }
  const variables = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => splitWords(match[1] as string))
  return { fixed, variables, item: /^\{[^{}]*\}(?:\.\w+)?$/.test(segments.at(-1) ?? '') }
}

function isVersion(text: string): boolean {
  return /^v?\d+([._-]\d+)*(?:(?:alpha|beta)\d*)?$/i.test(text)
}

/** Returns the segments that all paths of a document begin with; they do not distinguish operations. */
export function sharedSegments(paths: readonly string[]): ReadonlySet<string> {
  const split = [...new Set(paths)].map((path) => path.split('/').slice(1))
  const [first = []] = split
  const shared = new Set<string>()
  for (const [index, segment] of first.entries()) {
    if (split.length < 2 || segment.includes('{') || split.some((each) => each[index] !== segment || !isNamed(each.slice(index + 1)))) break
    shared.add(segment)
  }
  return shared
}

/** Whether any segment is a fixed word. */
function isNamed(segments: readonly string[]): boolean {
  return segments.some((segment) => segment !== '' && !segment.includes('{'))
}

/** Words that pluralize would change, although names use them in one form: `data` would become `datum`. */
for (const word of ['access', 'analytics', 'data', 'dns', 'info', 'media', 'metadata', 'qos', 'settings', 'sms', 'sso']) {
  pluralize.addUncountableRule(word)
}

/** `issues` → `issue`; a word that is not a plural stays. */
export function singular(word: string): string {
  return pluralize.singular(word)
}

/** `issue` → `issues`; a plural stays. */
export function plural(word: string): string {
  return pluralize.plural(word)
}

/** Whether a word has a singular that differs from it. */
export function isPlural(word: string): boolean {
  return singular(word) !== word
}
