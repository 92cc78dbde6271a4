import { type AppFunction, CURSOR_PARAMETER, type ParameterSchema, type ValueSchema } from '@onward/catalog'
import type { ParameterMeta } from '@onward/contract'

/**
 * Returns the parameters of a function as published clients read them. The Python client knows neither the type `integer`, nor that a call
 * of a paging function takes `_cursor`, unless it is a parameter.
 */
export function publishedParameters({ parameters, paged }: AppFunction): Record<string, ParameterSchema> {
  const properties = paged ? { ...parameters.properties, _cursor: CURSOR_PARAMETER } : parameters.properties
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withoutIntegers(schema)]))
}

/** Replaces the type `integer` by `number`, at any depth. */
function withoutIntegers<S extends ValueSchema>(schema: S): S {
  const { properties, items, additionalProperties } = schema
  return {
    ...schema,
    type: schema.type === 'integer' ? 'number' : schema.type,
    ...(items === undefined ? {} : { items: withoutIntegers(items) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: withoutIntegers(additionalProperties) } : {}),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, withoutIntegers(inner)])) }),
  }
}

/**
 * Returns what the published browser client needs to draw a parameter. It loads options only from a complete URL. `_cursor` is no field of
 * a form.
 */
export function publishedMeta(name: string, meta: ParameterMeta, publicUrl: string): ParameterMeta {
  const { ui } = meta
  const { data_source: source } = ui.ui_field
  return {
    ...meta,
    ui: {
      ...ui,
      is_visible: name !== '_cursor',
      ui_field: { ...ui.ui_field, ...(source && { data_source: { ...source, url: `${publicUrl}${source.url}` } }) },
    },
  }
}
