import { type AppFunction, type Cursor, readArguments } from '@onward/catalog'
import { Refusal, shapeProblem, spellBooleans } from '@onward/runtime'
import type { Callable } from '../catalog/functions.ts'
import { refuse } from './refuse.ts'

export type Arguments = Record<string, unknown>

/** Keys that published clients send along with every call; ignored unless the function has such a parameter. */
const CLIENT_KEYS = ['cursor', 'query_string_data']

/**
 * The arguments, checked against the function's schema with defaults filled in. Throws a Refusal with one string per problem. They may be as a
 * model made them for one of the tool forms: null for an optional parameter means absent, at any depth of declared properties, and JSON text
 * is read where the schema wants an object.
 */
export function validate({ fn, check, checkForm }: Callable, args: Arguments, form: boolean): Arguments {
  const sent = Object.fromEntries(
    Object.entries(args).filter(([key]) => !CLIENT_KEYS.includes(key) || Object.hasOwn(fn.parameters.properties, key)),
  )
  const own = readArguments(fn.parameters, sent) as Arguments
  // Of the body itself this was asked when it came; JSON text in it is read only now.
  const misshape = shapeProblem(own)
  if (misshape !== undefined) throw new Refusal('invalid_body', misshape)
  if (form) spellBooleans(own, fn.parameters.properties)
  refuse((form ? checkForm : check)(own))
  return own
}

/** The cursor in the shape that the function takes; null for the first page. From a query or a form it comes as text. */
export function readCallCursor(fn: AppFunction, raw: unknown): Cursor | null {
  if (raw === undefined || raw === null || raw === '') return null
  const cursor = raw as Cursor
  const problems = fn.checkCursor(cursor)
  if (problems.length === 0) return cursor
  if (typeof raw === 'string') {
    const parsed = parse(raw)
    if (parsed !== undefined && fn.checkCursor(parsed).length === 0) return parsed
  }
  refuse(problems)
  return null
}

function parse(text: string): Cursor | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' || (typeof value === 'object' && value !== null) ? (value as Cursor) : undefined
  } catch {
    return undefined
  }
}
