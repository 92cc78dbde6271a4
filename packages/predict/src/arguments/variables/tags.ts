import type { Variables } from '../types.ts'

/** A tag is `{name}` with dotted parts after it; `{{` and `}}` are literal braces where variables are sent. */
const TAG = /\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)\}/g

/** The value at a dotted path such as `items.0.id`; undefined when there is none. */
export function lookUp(variables: Variables, path: string): unknown {
  let value: unknown = variables
  for (const part of path.split('.')) {
    // As at call time: neither what every object inherits nor the length of an array.
    if (typeof value !== 'object' || value === null || !Object.prototype.propertyIsEnumerable.call(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/** Each tag of a text, whatever it names. Offsets are UTF-16, end exclusive. */
export function tagSpans(text: string): { readonly path: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(TAG)].flatMap(({ index, 0: tag, 1: path }) =>
    path === undefined ? [] : [{ path, start: index, end: index + tag.length }],
  )
}

/** The path of a text that is one tag and nothing else. */
export function onlyTag(text: string): string | undefined {
  const [tag] = tagSpans(text)
  return tag?.start === 0 && tag.end === text.length ? tag.path : undefined
}

/** The paths of the tags of a text that are variables. */
export function tagsIn(text: string, variables: Variables): string[] {
  return tagSpans(text).flatMap(({ path }) => (lookUp(variables, path) === undefined ? [] : [path]))
}

/** A text as it must be sent beside the variables: tags of variables stay, every other brace that would be read is doubled. */
export function escapeTags(text: string, variables: Variables): string {
  return text.replace(TAG, (match, path: string | undefined) => {
    if (path !== undefined && lookUp(variables, path) !== undefined) return match
    return path === undefined ? match + match : `{${match}}`
  })
}

/** A value with its tags replaced, to any depth, as the call would have it. Every tag in it is one of a variable. */
export function filled(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return filledText(value, variables)
  if (Array.isArray(value)) return value.map((item) => filled(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, variables)]))
}

function filledText(text: string, variables: Variables): unknown {
  const whole = onlyTag(text)
  const own = whole === undefined ? undefined : lookUp(variables, whole)
  if (own !== undefined) return structuredClone(own)
  return text.replace(TAG, (match, path: string | undefined) => {
    if (path === undefined) return match.slice(1)
    const found = lookUp(variables, path)
    return typeof found === 'string' ? found : JSON.stringify(found)
  })
}
