import { fits } from '../fits.ts'
import type { Fillable, PredictedArgument, PredictedArguments } from '../types.ts'
import { affinity } from './affinity.ts'
import type { Target } from './targets-of.ts'
import type { Variable } from './variables-of.ts'
import { PERSONS } from './word-sets.ts'

/** A person's whole name from the first and the last one. */
export function wholeNames(
  check: Fillable['check'],
  open: readonly Target[],
  variables: readonly Variable[],
  title: readonly string[],
): PredictedArguments {
  const found: Record<string, PredictedArgument> = {}
  for (const target of open.filter(isWholeName)) {
    const firsts = variables.filter(({ last, value }) => last.join(' ') === 'first name' && typeof value === 'string')
    const pairs = firsts.flatMap((first) => {
      const last = variables.find(
        (other) => other.last.join(' ') === 'last name' && prefixOf(other) === prefixOf(first) && typeof other.value === 'string',
      )
      const asName = { ...first, last: target.words, words: [...first.owner, ...target.words], kind: undefined }
      return last !== undefined && affinity(asName, target, title, false) >= 6 ? [{ first, last }] : []
    })
    const [pair] = pairs
    if (pairs.length !== 1 || pair === undefined || !fits(check, target.parameter, `${pair.first.value} ${pair.last.value}`)) continue
    const variable = pair.first.path
    found[target.parameter] = {
      value: `{${variable}} {${pair.last.path}}`,
      origin: { from: 'variable', variable, variables: [variable, pair.last.path] },
      confidence: 0.8,
    }
  }
  return found
}

function isWholeName({ words, head, schema }: Target): boolean {
  return words.join(' ') === 'name' && (/full name/i.test(schema.description ?? '') || head.some((word) => PERSONS.has(word)))
}

function prefixOf({ path }: Variable): string {
  return path.slice(0, path.lastIndexOf('.') + 1)
}
