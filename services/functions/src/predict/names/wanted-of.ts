import type { AppFunction } from '@onward/catalog'
import type { PredictedArgument } from '@onward/predict'
import type { Wanted } from './option.ts'
import { wordsIn } from './words-in.ts'

/** They say in a name that it is of something else. */
const NO_NOUNS = new Set(['id', 'ids', 'gid', 'key', 'name', 'slug', 'number', 'path', 'sid', 'email', 'address', 'iid', 'list'])

/** What to look for in a prompt for one parameter; `predicted` is what the prompt alone gave. */
export function wantedOf(fn: AppFunction, parameter: string, predicted: PredictedArgument | undefined): Wanted {
  const { origin } = predicted ?? {}
  const own = namesOf(parameter)
  const source = namesOf((fn.sources[parameter]?.function ?? '').slice(fn.app.name.length + 1)).slice(1)
  const nouns = own.filter((word) => !NO_NOUNS.has(word))
  return {
    nouns: nouns.length > 0 ? [...nouns, ...source] : [...own, ...source],
    about: namesOf(fn.title),
    span: origin?.from === 'prompt' ? origin.span : undefined,
    required: fn.parameters.required.includes(parameter),
  }
}

/** `idBoard` and `board_id` → `id`, `board`. */
function namesOf(name: string): string[] {
  return wordsIn(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_-]/g, ' ')).map(({ text }) => text)
}
