/** A tag is `{name}` with dotted parts after it; any other brace is plain text. `{{` and `}}` write literal braces. */
export const VARIABLE_TAG = /\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)\}/g

/** The path of a text that is one tag and nothing else. */
export function onlyTag(text: string): string | undefined {
  const [tag] = text.matchAll(VARIABLE_TAG)
  return tag?.[0].length === text.length ? tag[1] : undefined
}

/** The value at a dotted path such as `items.0.id`; undefined when there is none. */
export function valueAt(variables: object, path: string): unknown {
  let value: unknown = variables
  for (const part of path.split('.')) {
    // Own and enumerable: neither what every object inherits nor the length of an array.
    if (typeof value !== 'object' || value === null || !Object.prototype.propertyIsEnumerable.call(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}
