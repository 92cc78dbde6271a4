import type { AppFunction, ValueSchema } from '@onward/catalog'
import { ExactNumber, isExact } from '@onward/json'
import { fits, type PredictedArgument } from '@onward/predict'
import type { Callable } from '../../catalog/functions.ts'
import { findLabel } from './find-label.ts'
import type { NameQuery, Offered, Option } from './options.ts'
import { foldedWords } from './prompt-words.ts'

/**
 * Returns a parameter's argument with the id of the option that the prompt names. A predicted value that is an id stays. If no option is
 * named, returns undefined, or the predicted value if the options are incomplete.
 */
export function resolveName(
  { fn, check }: Callable,
  parameter: string,
  prompt: string,
  offered: Offered,
  predicted: PredictedArgument | undefined,
): PredictedArgument | undefined {
  if (predicted !== undefined && isOffered(predicted.value, offered.options)) return predicted
  const found = findLabel(prompt, offered, nameQueryOf(fn, parameter, predicted))
  const schema = fn.parameters.properties[parameter] as ValueSchema
  const value = found && asSchema(found.option.value, schema)
  const source = fn.sources[parameter]?.function
  if (found === undefined || value === undefined || source === undefined || !fits(check, parameter, value)) {
    return !offered.complete || (predicted !== undefined && isId(predicted.value, schema)) ? predicted : undefined
  }
  return { value, origin: { from: 'source_function', function: source, span: found.span }, confidence: found.confidence }
}

function isOffered(value: unknown, options: readonly Option[]): boolean {
  const given = Array.isArray(value) ? value : [value]
  return given.every((each) => options.some((option) => String(option.value) === String(each)))
}

/** Whether a value is like an id: text with a digit or @ and without spaces, or a word of the parameter's description. */
function isId(value: unknown, schema: ValueSchema): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((each) => isId(each, schema))
  if (typeof value !== 'string') return typeof value === 'number' || value instanceof ExactNumber
  return /^(?=.*[\d@])[^\s#]+$/.test(value) || (schema.description ?? '').split(/[^\w-]+/).includes(value)
}

/** Converts an option's value to the type of the parameter. */
function asSchema(value: unknown, { type, items }: ValueSchema): unknown {
  if (type === 'array') return items && [asSchema(value, items)]
  if (type === 'string') return String(value)
  if (typeof value !== 'string' || !/^-?(?:0|[1-9]\d*)$/.test(value)) return value
  return isExact(value) ? Number(value) : new ExactNumber(value)
}

/** Words in parameter names that do not say what kind of thing is meant. */
const GENERIC_WORDS = new Set(['id', 'ids', 'gid', 'key', 'name', 'slug', 'number', 'path', 'sid', 'email', 'address', 'iid', 'list'])

/** Returns what to search for in a prompt for a parameter. `predicted` is the prediction from the prompt alone. */
export function nameQueryOf(fn: AppFunction, parameter: string, predicted: PredictedArgument | undefined): NameQuery {
  const { origin } = predicted ?? {}
  const own = wordsOfName(parameter)
  const source = wordsOfName((fn.sources[parameter]?.function ?? '').slice(fn.app.name.length + 1)).slice(1)
  const nouns = own.filter((word) => !GENERIC_WORDS.has(word))
  return {
    nouns: nouns.length > 0 ? [...nouns, ...source] : [...own, ...source],
    about: wordsOfName(fn.title),
    span: origin?.from === 'prompt' ? origin.span : undefined,
    required: fn.parameters.required.includes(parameter),
  }
}

/** `idBoard` and `board_id` both return `board` and `id`, in the order of the name. */
function wordsOfName(name: string): string[] {
  return foldedWords(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_-]/g, ' ')).map(({ text }) => text)
}
