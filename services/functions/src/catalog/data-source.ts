import { type AppFunction, argumentTags, type Source } from '@onward/catalog'
import type { ParameterMeta } from '@onward/contract'

type Field = ParameterMeta['ui']['ui_field']

/**
 * Returns how a form loads the options of a dropdown. It sends `body` to `url`, page by page, with the values of the parameters that the
 * dropdown depends on as `_variables`. The paths lead to the option's id and text in each item of the output. An empty path means the item
 * itself.
 */
export function dataSourceOf(
  fn: AppFunction,
  parameter: string,
  source: Source,
): Required<Pick<Field, 'option_key_path' | 'value_key_path' | 'data_source'>> {
  return {
    option_key_path: toPath(source.value),
    value_key_path: toPath(source.label),
    data_source: { url: `/functions/${source.function}/call`, body: sourceBody(fn, parameter, source), query_params: {} },
  }
}

/** Returns the parameters of `fn` whose values are sent to the source function. */
export function dependenciesOf(fn: AppFunction, parameter: string, source: Source): string[] {
  return [...new Set(argumentTags(sourceBody(fn, parameter, source)))]
}

/**
 * Returns the arguments for the source function: the arguments of `source`, and a tag such as `{team_id}` for each other required parameter
 * that `fn` also has.
 */
export function sourceBody(fn: AppFunction, parameter: string, source: Source): Record<string, unknown> {
  const required = fn.app.functions.find(({ name }) => name === source.function)?.parameters.required ?? []
  const shared = required.filter(
    (name) => name !== parameter && !Object.hasOwn(source.arguments, name) && Object.hasOwn(fn.parameters.properties, name),
  )
  return { ...source.arguments, ...Object.fromEntries(shared.map((name) => [name, `{${name}}`])) }
}

/** Converts a JSON pointer to a path: `/contact/id` to `contact.id`. */
function toPath(pointer: string): string {
  return pointer.split('/').slice(1).join('.')
}
