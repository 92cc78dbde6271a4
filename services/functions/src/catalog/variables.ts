import { objectOf, onlyTag, VARIABLE_TAG, valueAt } from '@onward/catalog'
import { isStructured, writeJson } from '@onward/json'
import { MAX_PROBLEMS, Refusal } from '@onward/runtime'

export type Variables = Readonly<Record<string, unknown>>

/** Maximum number of characters that variables may add to the arguments. Otherwise a short text could repeat a long one many times. */
const MAX_FILLED = 1_048_576

/** The state of one replacement: `texts` holds each used variable as text, and `left` how many characters variables may still add. */
type Filling = { readonly variables: Variables; readonly unknown: Set<string>; readonly texts: Map<string, string>; left: number }

/**
 * Replaces every tag in a value, to any depth. A value that is exactly one tag gets the variable's own type; a tag inside other text is
 * replaced by text (objects and arrays by JSON). Throws a Refusal that names the unknown tags.
 */
export function fillVariables<T>(value: T, variables: Variables): T {
  const filling: Filling = { variables, unknown: new Set(), texts: new Map(), left: MAX_FILLED }
  const filled = fill(value, filling)
  if (filling.unknown.size > 0) throw unknownTags(filling.unknown)
  return filled as T
}

function unknownTags(tags: ReadonlySet<string>): Refusal {
  const problems = [...tags].map((tag) => `_variables: has no value for {${tag}}`)
  return new Refusal('invalid_parameters', 'a tag names a variable that was not sent', problems)
}

function fill(value: unknown, filling: Filling): unknown {
  if (typeof value === 'string') return fillText(value, filling)
  if (Array.isArray(value)) return value.map((item) => fill(item, filling))
  if (isStructured(value)) {
    return objectOf(Object.entries(value).map(([key, item]) => [key, fill(item, filling)]))
  }
  return value
}

function fillText(text: string, filling: Filling): unknown {
  const whole = onlyTag(text)
  if (whole !== undefined) {
    // Counts the characters, and notes an unknown variable.
    textOf(whole, filling)
    return valueAt(filling.variables, whole)
  }
  return text.replace(VARIABLE_TAG, (match, tag: string | undefined) => (tag === undefined ? match.slice(1) : textOf(tag, filling)))
}

/** Returns a tag's value as text. Counts its characters at each use, and throws a Refusal when there are too many. */
function textOf(tag: string, filling: Filling): string {
  let text = filling.texts.get(tag)
  if (text === undefined) {
    const found = valueAt(filling.variables, tag)
    if (found === undefined && filling.unknown.add(tag).size > MAX_PROBLEMS) throw unknownTags(filling.unknown)
    text = typeof found === 'string' ? found : found === undefined ? '' : writeJson(found)
    filling.texts.set(tag, text)
  }
  filling.left -= text.length
  if (filling.left < 0) throw new Refusal('body_too_large', 'the arguments are too large with the variables filled in')
  return text
}
