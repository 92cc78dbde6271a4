import type { ArgumentMeta } from '@onward/contract'
import type { PredictedArguments } from '@onward/predict'

/** Where each predicted argument came from, as the wire shows it. */
export function argumentsMeta(predicted: PredictedArguments): Record<string, ArgumentMeta> {
  return Object.fromEntries(
    Object.entries(predicted).map(([name, { origin, confidence }]) => [name, { ...origin, confidence } as ArgumentMeta]),
  )
}
