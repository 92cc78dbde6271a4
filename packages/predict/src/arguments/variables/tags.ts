import { objectOf, onlyTag, VARIABLE_TAG, valueAt } from '@onward/catalog'
import { isStructured } from '@onward/json'
import type { Variables } from '../types.ts'

/** Returns the tags of a text, whatever they name. Offsets are UTF-16; the end is exclusive. */
export function tagSpans(text: string): { readonly path: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(VARIABLE_TAG)].flatMap(({ index, 0: tag, 1: path }) =>
    path === undefined ? [] : [{ path, start: index, end: index + tag.length }],
  )
}

/** Returns the paths of the variables whose tags a value contains, to any depth. */
export function variablesIn(value: unknown, variables: Variables): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap((item) => variablesIn(item, variables))
  if (typeof value !== 'string') return []
  return tagSpans(value).flatMap(({ path }) => (valueAt(variables, path) === undefined ? [] : [path]))
}

/**
 * Escapes a value so that it can be sent beside variables: tags of variables stay, other braces are doubled. Returns undefined for the tag
 * of an unknown variable.
 */
export function escapeTags(value: unknown, variables: Variables): unknown {
  let isKnown = true
  const escaped = mapTexts(value, (text) => {
    const only = onlyTag(text)
    isKnown &&= only === undefined || valueAt(variables, only) !== undefined
    return text.replace(VARIABLE_TAG, (match, path: string | undefined) => {
      if (path === undefined) return match + match
      return valueAt(variables, path) === undefined ? `{${match}}` : match
    })
  })
  return isKnown ? escaped : undefined
}

/** Replaces the tags in a value, to any depth, as the call would do it. Every tag must name a variable. */
export function fillTags(value: unknown, variables: Variables): unknown {
  return mapTexts(value, (text) => {
    const only = onlyTag(text)
    const own = only === undefined ? undefined : valueAt(variables, only)
    // `structuredClone` allocates memory for all lower indexes: 12 KB for `{"1000":1}` alone.
    if (own !== undefined) return typeof own === 'object' ? JSON.parse(JSON.stringify(own)) : own
    return text.replace(VARIABLE_TAG, (match, path: string | undefined) => {
      if (path === undefined) return match.slice(1)
      const found = valueAt(variables, path)
      return typeof found === 'string' ? found : JSON.stringify(found)
    })
  })
}

/** Replaces every text in a value, to any depth. */
function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (!isStructured(value)) return value
  return objectOf(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}
