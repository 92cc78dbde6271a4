import { splitWords } from '../text.ts'

export type PathWords = {
  /** The words of each fixed segment. */
  readonly fixed: readonly (readonly string[])[]
  /** The variables' names, in words. */
  readonly variables: readonly (readonly string[])[]
  /** Whether the path ends with a variable: it is an item of a collection. */
  readonly item: boolean
}

/** The words of a path: without versions, file endings and segments that every path has. */
export function pathWords(path: string, shared: ReadonlySet<string>): PathWords {
  // What stands after # or : is a part of what the operation does.
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

/** Segments that the paths of a document begin with, all of them: they tell none from another. */
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

/** Whether segments name what an operation is about. */
function isNamed(segments: readonly string[]): boolean {
  return segments.some((segment) => segment !== '' && !segment.includes('{'))
}
