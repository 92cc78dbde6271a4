import type { ValueSchema } from '@onward/catalog'
import { fits, type PredictedArgument } from '@onward/predict'
import type { Callable } from '../../catalog/functions.ts'
import { findLabel } from './find-label.ts'
import type { Offered, Option } from './option.ts'
import { wantedOf } from './wanted-of.ts'

/**
 * One parameter's value by what its source offers: the id of what the prompt names. A value that is an id already stays; a name that is
 * none of the labels gives undefined, or stays where not all labels are known.
 */
export function resolveName(
  { fn, check }: Callable,
  parameter: string,
  prompt: string,
  offered: Offered,
  predicted: PredictedArgument | undefined,
): PredictedArgument | undefined {
  if (predicted !== undefined && isOffered(predicted.value, offered.options)) return predicted
  const found = findLabel(prompt, offered, wantedOf(fn, parameter, predicted))
  const schema = fn.parameters.properties[parameter] as ValueSchema
  const value = found && asSchema(found.option.value, schema)
  const source = fn.sources[parameter]?.function
  if (found === undefined || value === undefined || source === undefined || !fits(check, parameter, value)) {
    return !offered.whole || (predicted !== undefined && isId(predicted.value, schema)) ? predicted : undefined
  }
  return { value, origin: { from: 'source_function', function: source, span: found.span }, confidence: found.confidence }
}

function isOffered(value: unknown, options: readonly Option[]): boolean {
  const given = Array.isArray(value) ? value : [value]
  return given.every((each) => options.some((option) => String(option.value) === String(each)))
}

/** Letters and digits without blanks: an id that is on a later page, or of another kind than those offered; or a value that the description names. */
function isId(value: unknown, schema: ValueSchema): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((each) => isId(each, schema))
  if (typeof value !== 'string') return typeof value === 'number'
  return /^(?=.*[\d@])[^\s#]+$/.test(value) || (schema.description ?? '').split(/[^\w-]+/).includes(value)
}

function asSchema(value: unknown, { type, items }: ValueSchema): unknown {
  if (type === 'array') return items && [asSchema(value, items)]
  if (type === 'string') return String(value)
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
}
