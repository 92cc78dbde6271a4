import { Refusal } from '@onward/runtime'

export type Variables = Readonly<Record<string, unknown>>

/** A tag is `{name}` with dotted parts after it; any other brace is plain text. `{{` and `}}` write literal braces. */
const TAG = /\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)\}/g
const ONE_TAG = /^\{([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)\}$/

/**
 * Replaces every tag in a value, to any depth. A value that is exactly one tag takes the variable's own type; a tag inside text
 * is put in as text (objects and arrays as JSON). Throws a Refusal that names every unknown tag.
 */
export function fillVariables<T>(value: T, variables: Variables): T {
  const unknown = new Set<string>()
  const filled = fill(value, variables, unknown)
  if (unknown.size > 0) {
    const problems = [...unknown].map((tag) => `_variables: has no value for {${tag}}`)
    throw new Refusal('invalid_parameters', 'a tag names a variable that was not sent', problems)
  }
  return filled as T
}

function fill(value: unknown, variables: Variables, unknown: Set<string>): unknown {
  if (typeof value === 'string') return fillText(value, variables, unknown)
  if (Array.isArray(value)) return value.map((item) => fill(item, variables, unknown))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, variables, unknown)]))
  }
  return value
}

function fillText(text: string, variables: Variables, unknown: Set<string>): unknown {
  const whole = ONE_TAG.exec(text)?.[1]
  if (whole !== undefined) {
    const found = lookUp(variables, whole)
    if (found === undefined) unknown.add(whole)
    return found
  }
  return text.replace(TAG, (match, tag: string | undefined) => {
    if (tag === undefined) return match.slice(1)
    const found = lookUp(variables, tag)
    if (found === undefined) unknown.add(tag)
    return typeof found === 'string' ? found : JSON.stringify(found)
  })
}

/** The value at a dotted path such as `items.0.id`; undefined when there is none. */
function lookUp(variables: Variables, path: string): unknown {
  let value: unknown = variables
  for (const part of path.split('.')) {
    // Own and enumerable: neither what every object inherits nor the length of an array.
    if (typeof value !== 'object' || value === null || !Object.prototype.propertyIsEnumerable.call(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}
