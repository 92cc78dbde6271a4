import { type AppFunction, argumentTags, type Source } from '@onward/catalog'
import type { ParameterMeta } from '@onward/contract'

type Field = ParameterMeta['ui']['ui_field']

/**
 * Returns how a form loads the options of a dropdown: it sends `body` to `url`, page by page, with the values of the parameters that the
 * dropdown depends on as `_variables`. The paths lead to the option's id and text in each item of the output; an empty path is the item.
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

/** Returns the parameters whose values are sent to the source function. */
export function dependsOn(fn: AppFunction, parameter: string, source: Source): string[] {
  return [...new Set(argumentTags(sourceBody(fn, parameter, source)))]
}

/** Returns the arguments of the source, with a tag for each parameter that the source requires and this function has by the same name. */
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
