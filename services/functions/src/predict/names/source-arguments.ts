import type { AppFunction, Source } from '@onward/catalog'
import type { PredictedArguments, Variables } from '@onward/predict'
import { Refusal } from '@onward/runtime'
import { dependsOn, sourceBody } from '../../catalog/data-source.ts'
import type { Callable } from '../../catalog/functions.ts'
import { type Arguments, validate } from '../../catalog/validate.ts'
import { fillVariables } from '../../catalog/variables.ts'

/** The valid arguments of a parameter's source; undefined where it needs a parameter that has no value. */
export function sourceArguments(
  fn: AppFunction,
  parameter: string,
  source: Source,
  callable: Callable,
  known: PredictedArguments,
  variables: Variables | null,
): Arguments | undefined {
  try {
    const values = dependsOn(fn, parameter, source).map((name) => [name, known[name]?.value] as const)
    if (values.some(([, value]) => value === undefined)) return undefined
    const own = variables === null ? Object.fromEntries(values) : fillVariables(Object.fromEntries(values), variables)
    return validate(callable, fillVariables(sourceBody(fn, parameter, source), own), false)
  } catch (err) {
    if (err instanceof Refusal) return undefined
    throw err
  }
}
