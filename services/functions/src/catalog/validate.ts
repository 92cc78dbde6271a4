import { objectOf, readArguments } from '@onward/catalog'
import { ExactNumber, isStructured, nearestNumbers } from '@onward/json'
import { type Check, convertTexts, refuseProblems, shapeProblem } from '@onward/runtime'
import type { Callable } from './functions.ts'

export type Arguments = Record<string, unknown>

/** Published clients send these keys with every call. `validate` ignores them unless the function has such a parameter. */
const CLIENT_KEYS = ['cursor', 'query_string_data']

/**
 * Checks the arguments against the function's schema and fills in defaults. Throws a Refusal with one string for each problem. A model may
 * have written the arguments for a tool format, so `readArguments` converts them first.
 */
export function validate({ fn, check, checkForm }: Callable, args: Arguments, form: boolean): Arguments {
  const ignored = CLIENT_KEYS.filter((key) => Object.hasOwn(args, key) && !Object.hasOwn(fn.parameters.properties, key))
  const sent = ignored.length === 0 ? args : objectOf(Object.entries(args).filter(([key]) => !ignored.includes(key)))
  const own = readArguments(fn.parameters, sent) as Arguments
  // The shape of the body was checked when it arrived, but JSON text in it is parsed only now.
  const problem = shapeProblem(own)
  if (problem !== undefined) throw problem
  if (form) convertTexts(own, fn.parameters)
  return checkNumbers(form ? checkForm : check, own)
}

/** Checks arguments. The schema applies to the nearest JavaScript number of an exact number, which keeps its digits. */
function checkNumbers(check: Check, args: Arguments): Arguments {
  const nearest = nearestNumbers(args) as Arguments
  refuseProblems(check(nearest))
  return nearest === args ? args : (keepDigits(nearest, args) as Arguments)
}

/** Returns `checked`, in which the exact numbers of `sent` replace their nearest numbers. */
function keepDigits(checked: unknown, sent: unknown): unknown {
  // A form sends one item in place of a list.
  if (sent instanceof ExactNumber) return typeof checked === 'number' ? sent : Array.isArray(checked) ? [sent] : checked
  if (!isStructured(sent) || !isStructured(checked)) return checked
  const result = checked as Record<string, unknown>
  for (const [key, value] of Object.entries(sent)) result[key] = keepDigits(result[key], value)
  return checked
}
