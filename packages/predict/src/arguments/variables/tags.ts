import { objectOf, onlyTag, VARIABLE_TAG, valueAt } from '@onward/catalog'
import type { Variables } from '../types.ts'
import { copyOf } from './copy-of.ts'

/** Each tag of a text, whatever it names. Offsets are UTF-16, end exclusive. */
export function tagSpans(text: string): { readonly path: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(VARIABLE_TAG)].flatMap(({ index, 0: tag, 1: path }) =>
    path === undefined ? [] : [{ path, start: index, end: index + tag.length }],
  )
}

/** The paths of the tags of a text that are variables. */
export function tagsIn(text: string, variables: Variables): string[] {
  return tagSpans(text).flatMap(({ path }) => (valueAt(variables, path) === undefined ? [] : [path]))
}

/** A text as it must be sent beside the variables: tags of variables stay, every other brace that would be read is doubled. */
export function escapeTags(text: string, variables: Variables): string {
  return text.replace(VARIABLE_TAG, (match, path: string | undefined) => {
    if (path !== undefined && valueAt(variables, path) !== undefined) return match
    return path === undefined ? match + match : `{${match}}`
  })
}

/** A value with its tags replaced, to any depth, as the call would have it. Every tag in it is one of a variable. */
export function filled(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return filledText(value, variables)
  if (Array.isArray(value)) return value.map((item) => filled(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return objectOf(Object.entries(value).map(([key, item]) => [key, filled(item, variables)]))
}

function filledText(text: string, variables: Variables): unknown {
  const whole = onlyTag(text)
  const own = whole === undefined ? undefined : valueAt(variables, whole)
  if (own !== undefined) return copyOf(own)
  return text.replace(VARIABLE_TAG, (match, path: string | undefined) => {
    if (path === undefined) return match.slice(1)
    const found = valueAt(variables, path)
    return typeof found === 'string' ? found : JSON.stringify(found)
  })
}
