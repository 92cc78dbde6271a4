import { type AppFunction, argumentTags, type Source } from '@onward/catalog'
import type { ParameterMeta } from '@onward/contract'

type Field = ParameterMeta['ui']['ui_field']

/**
 * How a dropdown gets its options: by a POST of `body` to `url`, page by page, with the values of the parameters that it depends on as
 * `_variables`. The paths lead to the option's id and to its text in each item of the output; an empty path is the item itself.
 */
export function dataSource(
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

/** The parameters whose values the source is called with. */
export function dependsOn(fn: AppFunction, parameter: string, source: Source): string[] {
  return [...new Set(argumentTags(sourceBody(fn, parameter, source)))]
}

/** The arguments of the source, and a tag for each parameter that it requires and that goes by the same name here. */
export function sourceBody(fn: AppFunction, parameter: string, source: Source): Record<string, unknown> {
  const required = fn.app.functions.find(({ name }) => name === source.function)?.parameters.required ?? []
  const shared = required.filter(
    (name) => name !== parameter && !Object.hasOwn(source.arguments, name) && Object.hasOwn(fn.parameters.properties, name),
  )
  return { ...source.arguments, ...Object.fromEntries(shared.map((name) => [name, `{${name}}`])) }
}

/** `/contact/id` → `contact.id` */
function toPath(pointer: string): string {
  return pointer.split('/').slice(1).join('.')
}
