import { Refusal } from '@onward/runtime'

/** Refuses texts that hold a NUL: JSON and URLs can carry one, Postgres can't. By their names on the wire. */
export function refuseNul(texts: Readonly<Record<string, string | undefined>>): void {
  const problems = Object.entries(texts)
    .filter(([, text]) => text?.includes('\0'))
    .map(([name]) => `${name}: must not hold a NUL character`)
  if (problems.length > 0) throw new Refusal('invalid_parameters', 'the parameters are not valid', problems)
}
