import type { ValueSchema } from '@onward/catalog'

export type Variables = Readonly<Record<string, unknown>>

/** A function as far as its arguments need it: the check of its whole parameters (problems by path; none: valid), and the parameters. */
export type Fillable = {
  readonly check: (value: unknown) => readonly string[]
  readonly properties: Readonly<Record<string, ValueSchema>>
  readonly required: readonly string[]
  /** Its title and description: words of theirs say which function is meant, rarely what goes into it. */
  readonly about: string
  /** Such as Create contact; where it is known apart. */
  readonly title?: string
  /** The app that it belongs to: "in HubSpot" says where a call goes, not what goes into it. */
  readonly app?: { readonly name: string; readonly title: string }
}

/** What arguments are predicted from. `timeZone` is an IANA name. */
export type ArgumentInput = {
  readonly prompt: string | null
  readonly variables: Variables | null
  readonly now: Date
  readonly timeZone: string
}

/** Where an argument came from. Spans are UTF-16 offsets into the prompt, their end exclusive. */
export type Origin =
  | { readonly from: 'prompt'; readonly span: readonly [number, number]; readonly variables?: readonly string[] }
  // `variables` are all of them where a value is made of several.
  | { readonly from: 'variable'; readonly variable: string; readonly variables?: readonly string[] }
  | { readonly from: 'default' }
  | { readonly from: 'source_function'; readonly function: string; readonly span?: readonly [number, number] }
  | { readonly from: 'model' }

/** `confidence` is 0 to 1. */
export type PredictedArgument = { readonly value: unknown; readonly origin: Origin; readonly confidence: number }

export type PredictedArguments = Readonly<Record<string, PredictedArgument>>

/** Whether a value is valid for one parameter, whatever else the function's check finds missing. */
export function fits(check: Fillable['check'], parameter: string, value: unknown): boolean {
  return !check({ [parameter]: value }).some((problem) => [':', '.', '['].some((next) => problem.startsWith(parameter + next)))
}
