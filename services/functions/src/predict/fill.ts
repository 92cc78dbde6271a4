import { type Asking, type PredictedArguments, predictArguments } from '@onward/predict'
import type { Callable } from '../catalog/functions.ts'

/** The arguments of one function from what the user says. */
export function fillArguments({ fn, check }: Callable, asking: Asking): PredictedArguments {
  return predictArguments({ check, ...fn.parameters }, asking)
}

/** As `arguments` goes over the wire. */
export function valuesOf(args: PredictedArguments): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).map(([name, { value }]) => [name, value]))
}
