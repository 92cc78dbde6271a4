import { type AppFunction, type Cursor, objectOf, readArguments } from '@onward/catalog'
import { convertTexts, Refusal, refuseProblems, shapeProblem } from '@onward/runtime'
import type { Callable } from './functions.ts'

export type Arguments = Record<string, unknown>

/** Published clients send these keys with every call. `validate` ignores them unless the function has such a parameter. */
const CLIENT_KEYS = ['cursor', 'query_string_data']

/**
 * Checks the arguments against the function's schema and fills in defaults. Throws a Refusal with one string for each problem. A model may
 * have written the arguments for a tool format: null means that an optional parameter is absent, at any depth of declared properties, and
 * JSON text is parsed where the schema requires an object or an array.
 */
export function validate({ fn, check, checkForm }: Callable, args: Arguments, form: boolean): Arguments {
  const ignored = CLIENT_KEYS.filter((key) => Object.hasOwn(args, key) && !Object.hasOwn(fn.parameters.properties, key))
  const sent = ignored.length === 0 ? args : objectOf(Object.entries(args).filter(([key]) => !ignored.includes(key)))
  const own = readArguments(fn.parameters, sent) as Arguments
  // The shape of the body was checked when it arrived, but JSON text in it is parsed only now.
  const problem = shapeProblem(own)
  if (problem !== undefined) throw problem
  if (form) convertTexts(own, fn.parameters)
  refuseProblems((form ? checkForm : check)(own))
  return own
}

/**
 * Returns the cursor in the shape that the function takes; null for the first page. In a query or a form, a cursor that is not a
 * text is sent as JSON text. Throws a Refusal for an invalid cursor.
 */
export function readCallCursor(fn: AppFunction, raw: unknown): Cursor | null {
  if (raw === undefined || raw === null || raw === '') return null
  const cursor = raw as Cursor
  const problems = fn.checkCursor(cursor)
  if (problems.length === 0) return cursor
  const parsed = typeof raw === 'string' ? parse(raw) : undefined
  if (parsed !== undefined && shapeProblem(parsed) === undefined && fn.checkCursor(parsed).length === 0) return parsed
  throw new Refusal('invalid_parameters', 'the parameters are not valid', problems)
}

function parse(text: string): Cursor | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' || (typeof value === 'object' && value !== null) ? (value as Cursor) : undefined
  } catch {
    return undefined
  }
}
