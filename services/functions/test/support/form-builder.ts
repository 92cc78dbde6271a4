import type { ParameterMeta } from '@onward/contract'
import type { User } from './support.ts'

type Ui = ParameterMeta['ui']['ui_field']
type Option = { readonly id: unknown; readonly value: string }

/** The parts of a property in an `include=meta` response that a form reads: the metadata, the type and the inner properties. */
export type Property = {
  readonly type: string
  readonly meta: ParameterMeta
  readonly properties?: Readonly<Record<string, Property>>
  readonly items?: { readonly type: string; readonly properties?: Readonly<Record<string, Property>> }
}

/** One field of a form. */
export type Field = {
  readonly name: string
  readonly label: string
  readonly help: string
  readonly required: boolean
  readonly many: boolean
  readonly widget: 'line' | 'number' | 'lines' | 'choice' | 'source' | 'tick' | 'pairs' | 'group'
  readonly dependsOn: readonly string[]
  readonly meta: ParameterMeta
  /** The inner fields of a group; empty for other widgets. */
  readonly fields: readonly Field[]
}

/** Builds the fields of a form from the metadata of a function's parameters. */
export function formOf(properties: Readonly<Record<string, Property>>): Field[] {
  return Object.values(properties).map((property) => {
    const { meta } = property
    const { ui_field: ui, depends_on } = meta.ui
    const numbers = ['integer', 'number'].includes((ui.is_multiselect ? property.items : property)?.type ?? '')
    const inner = (ui.is_multiselect ? property.items?.properties : property.properties) ?? {}
    return {
      name: meta.machine_name,
      label: meta.title,
      help: meta.description_for_users,
      required: meta.is_required,
      many: ui.is_multiselect,
      widget: widgetOf(meta, numbers),
      dependsOn: depends_on,
      meta,
      fields: ui.type === 'OBJECT' ? formOf(inner) : [],
    }
  })
}

function widgetOf({ ui }: ParameterMeta, numbers: boolean): Field['widget'] {
  switch (ui.ui_field.type) {
    case 'TEXTFIELD':
      return numbers ? 'number' : 'line'
    case 'TEXTAREA':
      return 'lines'
    case 'STATIC_DROPDOWN':
      return 'choice'
    case 'DYNAMIC_DROPDOWN':
      return 'source'
    case 'CHECKBOX':
      return 'tick'
    case 'CUSTOM_FIELDS':
      return 'pairs'
    case 'OBJECT':
      return 'group'
  }
}

/** Returns a valid value for a field. For a dropdown with a source it is a placeholder, since only the source knows the ids. */
export function sampleOf(field: Field): unknown {
  const one = sampleOfOne(field)
  return field.many ? (one === undefined ? [] : [one]) : one
}

function sampleOfOne({ widget, meta: { ui }, fields, many }: Field): unknown {
  switch (widget) {
    case 'number':
      return 1
    case 'line':
    case 'lines':
    case 'source':
      return ui.placeholder || 'text'
    case 'choice':
      return ui.ui_field.options[0]?.id
    case 'tick':
      return true
    case 'pairs':
      return many ? undefined : {}
    case 'group':
      return Object.fromEntries(fields.map((field) => [field.name, sampleOf(field)]))
  }
}

/** Calls the source of a dropdown for all its pages, with the values chosen in the fields that it depends on. */
export async function optionsOf(user: User, { meta, dependsOn }: Field, chosen: Readonly<Record<string, unknown>>): Promise<Option[]> {
  const { data_source, option_key_path = '', value_key_path = '' } = meta.ui.ui_field as Ui
  if (data_source === undefined) throw new Error(`${meta.machine_name} has no source`)
  const _variables = Object.fromEntries(dependsOn.map((name) => [name, chosen[name]]))
  const query = new URLSearchParams(data_source.query_params as Record<string, string>)
  const options: Option[] = []
  let _cursor: unknown = null
  do {
    const { body } = await user.post(`${data_source.url}?${query}`, { ...data_source.body, _variables, _cursor }).expect(200)
    if (!Array.isArray(body.output)) throw new Error(`${data_source.url} answered ${JSON.stringify(body)}`)
    for (const item of body.output) {
      options.push({ id: valueAt(item, option_key_path), value: String(valueAt(item, value_key_path)) })
    }
    _cursor = body._cursor ?? null
  } while (_cursor !== null)
  return options
}

function valueAt(item: unknown, path: string): unknown {
  return path === '' ? item : path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], item)
}
