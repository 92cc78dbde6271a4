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
  if (typeof value === 'string') {
    const only = onlyTag(value)
    return only !== undefined && valueAt(variables, only) === undefined ? undefined : escapeText(value, variables)
  }
  if (!isStructured(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [key, escapeTags(item, variables)] as const)
  if (entries.some(([, item]) => item === undefined)) return undefined
  return Array.isArray(value) ? entries.map(([, item]) => item) : objectOf(entries)
}

function escapeText(text: string, variables: Variables): string {
  return text.replace(VARIABLE_TAG, (match, path: string | undefined) => {
    if (path !== undefined && valueAt(variables, path) !== undefined) return match
    return path === undefined ? match + match : `{${match}}`
  })
}

/** Replaces the tags in a value, to any depth, as the call would do it. Every tag must name a variable. */
export function fillTags(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return fillTagsInText(value, variables)
  if (Array.isArray(value)) return value.map((item) => fillTags(item, variables))
  if (!isStructured(value)) return value
  return objectOf(Object.entries(value).map(([key, item]) => [key, fillTags(item, variables)]))
}

function fillTagsInText(text: string, variables: Variables): unknown {
  const whole = onlyTag(text)
  const own = whole === undefined ? undefined : valueAt(variables, whole)
  if (own !== undefined) return copyOf(own)
  return text.replace(VARIABLE_TAG, (match, path: string | undefined) => {
    if (path === undefined) return match.slice(1)
    const found = valueAt(variables, path)
    return typeof found === 'string' ? found : JSON.stringify(found)
  })
}

/** Copies a JSON value. `structuredClone` allocates memory for all lower indexes: 12 KB for `{"1000":1}` alone. */
function copyOf(value: unknown): unknown {
  return typeof value !== 'object' ? value : JSON.parse(JSON.stringify(value))
}
