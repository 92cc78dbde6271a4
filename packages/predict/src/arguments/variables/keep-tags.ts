import { onlyTag, valueAt } from '@onward/catalog'
import { fits } from '../fits.ts'
import type { Fillable, PredictedArgument, PredictedArguments, Variables } from '../types.ts'
import { escapeTags, filled, tagsIn } from './tags.ts'

/**
 * Arguments from a prompt as they can be sent beside the variables: tags of variables stay, other braces are escaped. Left out is what
 * would not be valid with the variables in it, and what is nothing but the tag of a variable that is not there.
 */
export function keepTags(check: Fillable['check'], args: PredictedArguments, variables: Variables): PredictedArguments {
  return Object.fromEntries(
    Object.entries(args).flatMap(([parameter, argument]) => {
      const kept = keep(argument, variables)
      return kept !== undefined && fits(check, parameter, filled(kept.value, variables)) ? [[parameter, kept]] : []
    }),
  )
}

function keep(argument: PredictedArgument, variables: Variables): PredictedArgument | undefined {
  const used = new Set<string>()
  let lost = false
  const value = eachText(argument.value, (text) => {
    for (const path of tagsIn(text, variables)) used.add(path)
    const only = onlyTag(text)
    lost ||= only !== undefined && valueAt(variables, only) === undefined
    return escapeTags(text, variables)
  })
  if (lost) return undefined
  const { origin } = argument
  return { ...argument, value, origin: origin.from === 'prompt' && used.size > 0 ? { ...origin, variables: [...used] } : origin }
}

function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => eachText(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, eachText(item, change)]))
}
