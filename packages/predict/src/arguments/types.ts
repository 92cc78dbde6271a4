import type { ValueSchema } from '@onward/catalog'
import { nearestNumbers } from '@onward/json'

export type Variables = Readonly<Record<string, unknown>>

/**
 * What argument prediction needs to know about a function. `check` validates all its arguments and returns problems by path; an empty list
 * means that they are valid.
 */
export type Fillable = {
  readonly check: (value: unknown) => readonly string[]
  readonly properties: Readonly<Record<string, ValueSchema>>
  readonly required: readonly string[]
  /** Title and description. Their words say which function is meant, and are rarely a value. */
  readonly about: string
  /** The title alone, such as "Create contact"; `about` is used without it. */
  readonly title?: string
  /** The app of the function. "In HubSpot" says which app to call; it is not a value. */
  readonly app?: { readonly name: string; readonly title: string }
}

/** The input of a prediction. `timeZone` is an IANA name. */
export type ArgumentInput = {
  readonly prompt: string | null
  readonly variables: Variables | null
  readonly now: Date
  readonly timeZone: string
}

/** The source of an argument. Spans are UTF-16 offsets into the prompt; the end is exclusive. */
export type Origin =
  | { readonly from: 'prompt'; readonly span: readonly [number, number]; readonly variables?: readonly string[] }
  // If the value consists of several variables, `variables` lists all of them.
  | { readonly from: 'variable'; readonly variable: string; readonly variables?: readonly string[] }
  | { readonly from: 'default' }
  | { readonly from: 'source_function'; readonly function: string; readonly span?: readonly [number, number] }
  | { readonly from: 'model' }

/** `confidence` is 0 to 1. */
export type PredictedArgument = { readonly value: unknown; readonly origin: Origin; readonly confidence: number }

export type PredictedArguments = Readonly<Record<string, PredictedArgument>>

/** Whether a value is valid for a parameter. Checks a copy, because the check fills in defaults. Ignores the problems of other parameters. */
export function fits(check: Fillable['check'], parameter: string, value: unknown): boolean {
  return !check({ [parameter]: typeof value === 'object' ? structuredClone(nearestNumbers(value)) : value }).some((problem) =>
    [':', '.', '['].some((next) => problem.startsWith(parameter + next)),
  )
}
