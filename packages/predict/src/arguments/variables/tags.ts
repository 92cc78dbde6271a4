import { objectOf, onlyTag, VARIABLE_TAG, type ValueSchema, valueAt } from '@onward/catalog'
import { isStructured } from '@onward/json'
import { type Fillable, fits, type PredictedArgument, type PredictedArguments, type Variables } from '../types.ts'
import { canonical } from './canonical.ts'
import type { Target } from './targets-of.ts'
import type { Variable } from './variables-of.ts'

/** Returns the tags of a text, whatever they name. Offsets are UTF-16; the end is exclusive. */
export function tagSpans(text: string): { readonly path: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(VARIABLE_TAG)].flatMap(({ index, 0: tag, 1: path }) =>
    path === undefined ? [] : [{ path, start: index, end: index + tag.length }],
  )
}

/** Returns the paths of the tags that name a variable. */
function tagsIn(text: string, variables: Variables): string[] {
  return tagSpans(text).flatMap(({ path }) => (valueAt(variables, path) === undefined ? [] : [path]))
}

/** Escapes a text so that it can be sent beside variables: tags of variables stay, other braces are doubled. */
export function escapeTags(text: string, variables: Variables): string {
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

/**
 * Escapes arguments from a prompt so that they can be sent beside variables. Leaves out arguments that are not valid with the variables
 * filled in, and those that consist of the tag of an unknown variable.
 */
export function keepTags(check: Fillable['check'], args: PredictedArguments, variables: Variables): PredictedArguments {
  return Object.fromEntries(
    Object.entries(args).flatMap(([parameter, argument]) => {
      const kept = keep(argument, variables)
      return kept !== undefined && fits(check, parameter, fillTags(kept.value, variables)) ? [[parameter, kept]] : []
    }),
  )
}

function keep(argument: PredictedArgument, variables: Variables): PredictedArgument | undefined {
  const used = new Set<string>()
  let lost = false
  const value = eachText(argument.value, (text) => {
    for (const path of tagsIn(text, variables)) used.add(path)
    const only = onlyTag(text)
    lost ||= only !== undefined && valueAt(variables, only) === undefined
    return escapeTags(text, variables)
  })
  if (lost) return undefined
  const { origin } = argument
  return { ...argument, value, origin: origin.from === 'prompt' && used.size > 0 ? { ...origin, variables: [...used] } : origin }
}

function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => eachText(item, change))
  if (!isStructured(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, eachText(item, change)]))
}

/**
 * Returns what to write into a parameter for a variable: its tag, or a list or object that contains the tag. Returns undefined when the
 * variable's value would not be valid, or is null: it must not clear a field that the prompt does not mention.
 */
export function tagFor(check: Fillable['check'], { parameter, schema }: Target, variable: Variable): unknown {
  if (variable.tooLarge || variable.value === null) return undefined
  const tag = `{${variable.path}}`
  if (fits(check, parameter, copyOf(variable.value))) return tag
  if (schema.type !== 'array' || typeof variable.value === 'object') return undefined
  const value = within(schema, variable, copyOf(variable.value))
  return value !== undefined && fits(check, parameter, value) ? within(schema, variable, tag) : undefined
}

function within(schema: ValueSchema, variable: Variable, value: unknown): unknown {
  if (schema.type === 'array') {
    const item = schema.items && within(schema.items, variable, value)
    return item === undefined ? undefined : [item]
  }
  if (schema.type !== 'object') return value
  const [name, inner] = Object.entries(schema.properties ?? {}).find(([each]) => isFor(each, variable, schema)) ?? []
  const part = inner && within(inner, variable, value)
  return name === undefined || part === undefined ? undefined : { [name]: part }
}

/** Whether a property is meant for the variable: by its name, or because it is the only one. */
function isFor(property: string, { last, kind }: Variable, { properties, required }: ValueSchema): boolean {
  const words = canonical(property)
  if (kind !== undefined && words.includes(kind)) return true
  if (words.length === last.length && words.every((word) => last.includes(word))) return true
  return Object.keys(properties ?? {}).length === 1 || (required?.length === 1 && required[0] === property)
}

/** Copies a JSON value. `structuredClone` allocates memory for all lower indexes: 12 KB for `{"1000":1}` alone. */
function copyOf(value: unknown): unknown {
  return typeof value !== 'object' ? value : JSON.parse(JSON.stringify(value))
}
