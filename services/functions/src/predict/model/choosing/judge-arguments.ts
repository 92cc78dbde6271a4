import { readArguments } from '@onward/catalog'
import type { ArgumentInput } from '@onward/predict'
import { Refusal, shapeProblem } from '@onward/runtime'
import type { Callable } from '../../../catalog/functions.ts'
import { fillVariables } from '../../../catalog/variables.ts'
import { inventedPart } from './invented-part.ts'

/** Arguments by parameter, with their tags, and what is wrong with those that are not among them. */
export type Judged = { readonly valid: Readonly<Record<string, unknown>>; readonly problems: readonly string[] }

const MAX_TEXT = 65_536

/** The arguments of a model's JSON text that may stand: valid with the variables filled in, and not made up. One that is missing is no problem. */
export function judgeArguments({ fn, check }: Callable, text: string, input: ArgumentInput): Judged {
  const raw = parse(text)
  if (!isObject(raw) || shapeProblem(raw) !== undefined) return { valid: {}, problems: ['the arguments must be one JSON object'] }
  const own = readArguments(fn.parameters, raw) as Record<string, unknown>
  const valid: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, value] of Object.entries(own)) {
    const wrong = problemsOf(name, value)
    if (wrong.length === 0) valid[name] = value
    else problems.push(...wrong)
  }
  return { valid, problems }

  function problemsOf(name: string, value: unknown): string[] {
    if (!Object.hasOwn(fn.parameters.properties, name)) return [`${name}: is no parameter of this tool`]
    if (shapeProblem(value) !== undefined) return [`${name}: is nested too deep`]
    const invented = inventedPart(fn, name, value, input)
    if (invented !== undefined) return [`${name}: "${invented}" is not in what the person says`]
    try {
      // In a copy: the check fills in defaults.
      const filled = fillVariables(structuredClone(value), input.variables ?? {})
      return check({ [name]: filled }).filter((problem) => [':', '.', '['].some((next) => problem.startsWith(name + next)))
    } catch (err) {
      if (err instanceof Refusal) return [`${name}: holds a tag that no variable fills`]
      throw err
    }
  }
}

function parse(text: string): unknown {
  if (text.length > MAX_TEXT) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
