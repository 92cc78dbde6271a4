import type { ValueSchema } from '../types.ts'
import { isLinearPattern } from '../values/linear-pattern.ts'

const ANY: readonly Keyword[] = ['type', 'nullable', 'title', 'description', 'default']
const NUMBER: readonly Keyword[] = [...ANY, 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

type Keyword = keyof ValueSchema

/** The keywords that a schema of each type may have. `$ref` and `anyOf` are not allowed. */
const KEYWORDS: { readonly [T in ValueSchema['type']]: readonly Keyword[] } = {
  string: [...ANY, 'enum', 'format', 'pattern', 'minLength', 'maxLength'],
  number: NUMBER,
  integer: NUMBER,
  boolean: [...ANY, 'enum'],
  object: [...ANY, 'properties', 'required', 'additionalProperties', 'alternatives'],
  array: [...ANY, 'items', 'minItems', 'maxItems', 'uniqueItems'],
}

/** Maximum nesting of objects and arrays, including the parameters object. Source: OpenAI, strict mode. */
const MAX_DEPTH = 10

/** Source: OpenAI, descriptions of functions. The other vendors accept more. */
const MAX_DESCRIPTION = 1_024

/** Names of parameters: Gemini's rule, the strictest. */
const PARAMETER_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/
/** Names inside objects: Anthropic's rule. Gemini gets an object with other names as text. */
const INNER_NAME = /^[A-Za-z0-9_.-]{1,64}$/

/** Returns problems with a schema and all schemas inside it, `"<path>: <problem>"`. */
export function lintSchema(schema: ValueSchema, path = '', depth = 1): string[] {
  const problems: string[] = []
  const report = (what: string) => problems.push(path === '' ? what : `${path}: ${what}`)
  const keywords: readonly string[] | undefined = Object.hasOwn(KEYWORDS, String(schema.type)) ? KEYWORDS[schema.type] : undefined
  if (keywords === undefined || Array.isArray(schema.type)) return [`${path === '' ? '' : `${path}: `}must have one type`]
  for (const keyword of Object.keys(schema).filter((key) => !keywords.includes(key))) report(`must not have ${keyword}`)
  if (depth > MAX_DEPTH && (schema.type === 'object' || schema.type === 'array')) {
    report(`objects and arrays may be at most ${MAX_DEPTH} deep`)
    return problems
  }
  if (schema.description !== undefined) problems.push(...lintDescription(schema.description, path))
  for (const problem of [...choiceProblems(schema), ...requiredProblems(schema), ...patternProblems(schema)]) report(problem)
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const at = path === '' ? name : `${path}.${name}`
    if (!(depth === 1 ? PARAMETER_NAME : INNER_NAME).test(name)) problems.push(`${at}: is not a name that every model accepts`)
    if (depth === 1 && inner.description === undefined) problems.push(`${at}: needs a description`)
    problems.push(...lintSchema(inner, at, depth + 1))
  }
  if (schema.items !== undefined) problems.push(...lintSchema(schema.items, `${path}[]`, depth + 1))
  else if (schema.type === 'array') report('needs items')
  if (typeof schema.additionalProperties === 'object') problems.push(...lintSchema(schema.additionalProperties, `${path}.*`, depth + 1))
  return problems
}

export function lintDescription(description: string, path: string): string[] {
  const at = path === '' ? 'description' : `${path}: its description`
  if (description.trim() === '') return [`${at} must not be empty`]
  return description.length > MAX_DESCRIPTION ? [`${at} must have at most ${MAX_DESCRIPTION} characters`] : []
}

function choiceProblems({ type, enum: values }: ValueSchema): string[] {
  if (values === undefined) return []
  const problems = new Set(values).size < values.length || values.length === 0 ? ['enum must have distinct values'] : []
  const wanted = type === 'integer' ? 'number' : type
  if (values.some((value) => typeof value !== wanted)) problems.push(`enum must have only values of type ${type}`)
  return problems
}

function requiredProblems({ required = [], properties = {} }: ValueSchema): string[] {
  const unknown = required
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => `required names ${name}, which is not a property`)
  return new Set(required).size < required.length ? ['required names a property twice', ...unknown] : unknown
}

function patternProblems({ pattern }: ValueSchema): string[] {
  return pattern === undefined || isLinearPattern(pattern) ? [] : ['its pattern is not a regular expression that RE2 supports']
}
