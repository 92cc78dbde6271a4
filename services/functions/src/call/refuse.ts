import { Refusal } from '@onward/runtime'

/** Throws a Refusal when there are problems with the arguments, `"<field path>: <what is wrong>"` each. */
export function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Refusal('invalid_parameters', 'the parameters are not valid', problems)
}
