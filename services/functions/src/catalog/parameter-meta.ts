import { createHash } from 'node:crypto'
import type { AppFunction, ValueSchema } from '@onward/catalog'
import type { ParameterMeta } from '@onward/contract'
import { dataSourceOf, dependenciesOf } from './data-source.ts'
import { descriptionOf, patternOf, placeholderOf, titleOf, widgetOf } from './form-field.ts'

/** Returns the schema of a parameter with `meta`. Each property inside the parameter and inside its items gets `meta` too. */
export function withMeta<S extends ValueSchema>(fn: AppFunction, name: string, schema: S): S & { meta: ParameterMeta } {
  return addMeta(fn, { name, path: name, required: fn.parameters.required.includes(name) }, schema)
}

/** The position of a property; `path` starts at the parameter, as in `customer.name`. */
type Place = { readonly name: string; readonly path: string; readonly required: boolean }

function addMeta<S extends ValueSchema>(fn: AppFunction, place: Place, schema: S): S & { meta: ParameterMeta } {
  const { items } = schema
  return {
    ...schema,
    ...innerProperties(fn, place, schema),
    ...(items === undefined ? {} : { items: { ...items, ...innerProperties(fn, place, items) } }),
    meta: metaOf(fn, place, schema),
  }
}

function innerProperties(
  fn: AppFunction,
  { path }: Place,
  { properties, required = [] }: ValueSchema,
): { properties?: Record<string, ValueSchema> } {
  if (properties === undefined) return {}
  const entries = Object.entries(properties).map(([name, inner]) => [
    name,
    addMeta(fn, { name, path: `${path}.${name}`, required: required.includes(name) }, inner),
  ])
  return { properties: Object.fromEntries(entries) }
}

/** Returns what a form needs to show a property. The schema and the source function decide the widget. */
function metaOf(fn: AppFunction, { name, path, required }: Place, schema: ValueSchema): ParameterMeta {
  const source = path === name ? fn.sources[name] : undefined
  const title = schema.title ?? titleOf(name)
  const description = descriptionOf(schema, source !== undefined)
  return {
    id: idOf(fn.id, path),
    title,
    machine_name: name,
    description_for_users: description,
    is_required: required,
    ...(schema.nullable && { nullable: true as const }),
    ui: {
      placeholder: source === undefined ? placeholderOf(schema) : '',
      default_value: schema.default ?? null,
      ...patternOf(schema.type === 'array' ? (schema.items as ValueSchema) : schema, title, description),
      depends_on: source === undefined ? [] : dependenciesOf(fn, name, source),
      is_visible: true,
      ui_field: { ...widgetOf(schema, name, source !== undefined), ...(source === undefined ? {} : dataSourceOf(fn, name, source)) },
    },
  }
}

/** Returns an id that stays the same after a restart, like the ids of apps and functions. */
function idOf(functionId: number, path: string): number {
  return createHash('sha256').update(`${functionId}/${path}`).digest().readUInt32BE(0) >>> 1
}
