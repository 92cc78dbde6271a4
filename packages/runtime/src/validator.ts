import type { ObjectSchema } from '@onward/contract'
import { Ajv, type CodeOptions, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { nearest } from './nearest.ts'
import { MAX_PROBLEMS } from './refusal.ts'

const OPTIONS = { strict: true, allErrors: true, verbose: true, allowUnionTypes: true, useDefaults: true } as const

// ajv's code optimizer makes compiling much slower, and checks no faster.
const CODE: CodeOptions = { optimize: false }

/**
 * Returns the problems of a value as `"<field path>: <what is wrong>"`, for example `"[3].allowed_tasks: must be a whole number, 0 or more"`.
 * Describes at most `MAX_PROBLEMS`. Changes the value itself: adds defaults, and in mode `coerce` converts types.
 */
export type Check = (value: unknown) => string[]

/**
 * Compiles a schema to a check. JSON is checked strictly; form bodies and queries, whose values are all text, with coercion. Throws if
 * the schema is not valid in ajv's strict mode.
 */
export type CompileCheck = (schema: ObjectSchema, mode: 'strict' | 'coerce') => Check

/**
 * Returns a compiler that runs the patterns of schemas with `regExp`. With `strictTypes: false`, `maximum` needs no `type` beside it. With
 * `useDefaults: false`, strict checks change nothing.
 */
export function openCompiler(regExp: CodeOptions['regExp'], { strictTypes = true, useDefaults = true } = {}): CompileCheck {
  const options = { ...OPTIONS, strictTypes, useDefaults, code: { ...CODE, regExp } }
  const strict = new Ajv(options)
  const coercing = new Ajv({ ...options, coerceTypes: 'array' })
  formats.default(strict)
  formats.default(coercing)
  return (schema, mode) => compile(mode === 'strict' ? strict : coercing, schema)
}

/** The compiler for our own schemas. Their patterns run in JavaScript's own engine. */
export const compileCheck = openCompiler(undefined)

/** Compiles a check on its first use: compiling all schemas of a service takes longer than the rest of its start. */
export function onFirstUse(compile: () => Check): Check {
  let check: Check | undefined
  return (value) => {
    check ??= compile()
    return check(value)
  }
}

function compile(ajv: Ajv, schema: ObjectSchema): Check {
  const validate: ValidateFunction = ajv.compile(schema)
  // ajv would cache every schema forever, but functions are added and removed at run time.
  ajv.removeSchema(schema)
  const maxItems = (schema.type === 'array' ? schema.maxItems : undefined) ?? Number.POSITIVE_INFINITY
  return (value) => {
    // Refuse a huge array by its length, before ajv checks every item.
    if (Array.isArray(value) && value.length > maxItems) return [`: must have at most ${maxItems} items`]
    return validate(value) ? [] : describeProblems(validate.errors ?? [], value)
  }
}

/** What other products call the object around the arguments of a call. */
const WRAPPERS = ['arguments', 'args', 'body', 'data', 'input', 'parameters', 'params', 'payload']

function describeProblems(errors: readonly ErrorObject[], value: unknown): string[] {
  const described = [...new Set(errors.slice(0, MAX_PROBLEMS).map((error) => describeProblem(error, value)))]
  return errors.length > MAX_PROBLEMS ? [...described, ': has more problems'] : described
}

function describeProblem(error: ErrorObject, value: unknown): string {
  const path = fieldPath(pointerParts(error.instancePath))
  switch (error.keyword) {
    case 'required':
      return `${join(path, error.params.missingProperty)}: is required`
    case 'additionalProperties': {
      const key: string = error.params.additionalProperty
      const near = nearest(key, Object.keys(error.parentSchema?.properties ?? {}))
      const isWrapper = path === '' && WRAPPERS.includes(key) && typeof Object(value)[key] === 'object'
      const hint = near !== undefined ? `did you mean ${near}?` : isWrapper && 'put what is in it at the top level'
      return `${join(path, key)}: is not known here${hint ? `; ${hint}` : ''}`
    }
    case 'type':
      return `${path}: ${typeText(error.parentSchema as TypeSchema, false)}${exampleOf(path, error.parentSchema as ShapeSchema)}`
    case 'minimum':
      return `${path}: ${typeText(error.parentSchema as TypeSchema, false)}`
    case 'maximum':
      return `${path}: ${typeText(error.parentSchema as TypeSchema, true)}`
    case 'enum':
      return `${path}: must be one of ${listed(error.params.allowedValues, ', ')}`
    case 'not':
      return `${path}: ${forbidden(error) ?? error.message}`
    case 'minLength':
      return `${path}: ${error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`}`
    case 'maxLength':
      return `${path}: must have at most ${error.params.limit} characters`
    case 'minItems':
      return `${path}: ${error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} items`}`
    case 'maxItems':
      return `${path}: must have at most ${error.params.limit} items`
    case 'uniqueItems':
      return `${path}: must not hold the same item twice`
    case 'pattern': {
      const [example] = (error.parentSchema?.examples ?? []) as readonly unknown[]
      return `${path}: ${error.message}${example === undefined ? '' : `, such as ${example}`}`
    }
    case 'format':
      return `${path}: must be a valid ${error.params.format}`
    default:
      return `${path}: ${error.message ?? `fails ${error.keyword}`}`
  }
}

/** Returns the text for a value that is in an enum of forbidden values. */
function forbidden({ schema }: ErrorObject): string | undefined {
  const values: unknown = Object(schema).enum
  return Array.isArray(values) ? `must not be ${listed(values, ' or ')}` : undefined
}

function listed(values: readonly unknown[], separator: string): string {
  return values.map((value) => JSON.stringify(value)).join(separator)
}

type TypeSchema = { type?: string | readonly string[]; minimum?: number; maximum?: number }

const TYPE_TEXT: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

type ShapeSchema = { readonly type?: unknown; readonly required?: readonly string[]; readonly properties?: object }

/**
 * Returns the required properties of an object, where another value was sent in its place. Inside a value, it is the first property if none is
 * required, such as the `url` of a file.
 */
function exampleOf(path: string, { type, required = [], properties = {} }: ShapeSchema): string {
  const names = required.length > 0 || path === '' ? required : Object.keys(properties).slice(0, 1)
  const shown = names.slice(0, MAX_SHOWN).map((name) => `"${name}": …`)
  return type === 'object' && shown.length > 0 ? `, such as {${shown.join(', ')}}` : ''
}

const MAX_SHOWN = 5

/** A maximum of 2^53 − 1 only says that numbers must be exact, so the text names it only if the value exceeds it. */
function typeText({ type = 'number', minimum, maximum }: TypeSchema, exceeded: boolean): string {
  const kinds = (typeof type === 'string' ? [type] : type).map((kind) => TYPE_TEXT[kind] ?? kind)
  const range =
    minimum !== undefined && maximum !== undefined && (exceeded || maximum !== Number.MAX_SAFE_INTEGER)
      ? `, ${minimum} to ${maximum}`
      : minimum !== undefined
        ? `, ${minimum} or more`
        : maximum !== undefined
          ? `, ${maximum} or less`
          : ''
  return `must be ${kinds.join(' or ')}${range}`
}

/** `['3', 'allowed_tasks']` → `[3].allowed_tasks` */
export function fieldPath(parts: readonly string[]): string {
  return parts.reduce((path, part) => (/^\d{1,9}$/.test(part) ? `${path}[${part}]` : join(path, part)), '')
}

function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Maximum length of a key in a path. Each problem repeats its path, so long keys could otherwise make a response huge. */
const MAX_KEY = 200

function join(path: string, key: string): string {
  const name = key.length > MAX_KEY ? `${key.slice(0, MAX_KEY)}…` : key
  return path === '' ? name : `${path}.${name}`
}
