import { isStructured } from '@onward/json'

/** A tag is `{name}`, optionally with dotted parts. Any other brace is plain text. `{{` and `}}` write literal braces. */
export const VARIABLE_TAG = /\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)\}/g

/** Returns the path when a text is exactly one tag. */
export function onlyTag(text: string): string | undefined {
  const [tag] = text.matchAll(VARIABLE_TAG)
  return tag?.[0].length === text.length ? tag[1] : undefined
}

/** Returns the value at a dotted path such as `items.0.id`, or undefined. */
export function valueAt(variables: object, path: string): unknown {
  let value: unknown = variables
  for (const part of path.split('.')) {
    // Only own enumerable properties: no inherited ones, and not the length of an array.
    if (!isStructured(value) || !Object.prototype.propertyIsEnumerable.call(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/** Returns the names of the `{name}` tags anywhere in the arguments of a source. */
export function argumentTags(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(/\{([A-Za-z_][A-Za-z0-9_-]*)\}/g)].map((match) => match[1] as string)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(argumentTags) : []
}
