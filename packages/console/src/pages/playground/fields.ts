import type { Alternative, FunctionItem, ParameterMeta } from '@onward/contract'

/** How a form loads the choices of a field: it calls `fn` with `body`, in which tags such as `{team_id}` name the fields in `dependsOn`. */
type Source = {
  readonly fn: string
  readonly body: Readonly<Record<string, unknown>>
  /** The paths to a choice's id and text in each item of the output, such as `contact.id`; empty for the item itself. */
  readonly idPath: string
  readonly textPath: string
  readonly dependsOn: readonly string[]
}

/** One field of the form of a function. With `many`, the value is a list and the kind applies to each item. */
export type Field = {
  readonly name: string
  /** Where the value is, as errors of the service write it: `address.city`. */
  readonly path: string
  readonly label: string
  readonly help: string
  readonly required: boolean
  /** Whether the value may be null. */
  readonly nullable: boolean
  readonly placeholder: string
  readonly defaultValue: unknown
  readonly kind: 'line' | 'lines' | 'date' | 'moment' | 'number' | 'choice' | 'source' | 'flag' | 'json' | 'group'
  readonly many: boolean
  /** For numbers, also those chosen from a source. */
  readonly numeric: 'integer' | 'number' | undefined
  readonly options: readonly { readonly id: unknown; readonly value: string }[]
  readonly source: Source | undefined
  /** The fields of a group, and the shapes that it may have. */
  readonly fields: readonly Field[]
  readonly shapes: readonly Alternative[]
}

type Schema = {
  readonly type: string
  readonly format?: string
  readonly meta?: ParameterMeta
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly alternatives?: readonly Alternative[]
}

/** Returns the fields of a function that was read with `include=meta`. */
export function fieldsOf({ parameters }: Pick<FunctionItem, 'parameters'>): readonly Field[] {
  return fieldsIn(parameters.properties as Readonly<Record<string, Schema>>, '')
}

function fieldsIn(properties: Readonly<Record<string, Schema>>, within: string): readonly Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { meta } = schema
    return meta === undefined || !meta.ui.is_visible ? [] : [fieldOf(name, schema, meta, within)]
  })
}

function fieldOf(name: string, schema: Schema, meta: ParameterMeta, within: string): Field {
  const path = within === '' ? name : `${within}.${name}`
  const { ui_field: ui } = meta.ui
  const one = ui.is_multiselect ? schema.items : schema
  const type = one?.type
  const numeric = type === 'integer' || type === 'number' ? type : undefined
  return {
    name,
    path,
    label: meta.title,
    help: meta.description_for_users,
    required: meta.is_required,
    nullable: meta.nullable === true,
    placeholder: meta.ui.placeholder,
    defaultValue: meta.ui.default_value ?? undefined,
    // A list of lists, or of open objects, is written as one JSON text.
    kind: kindOf(ui.type, numeric, one?.format),
    many: ui.is_multiselect && ui.type !== 'CUSTOM_FIELDS',
    numeric,
    options: ui.options.map(({ id, value }) => ({ id, value })),
    source: sourceOf(meta),
    fields: ui.type === 'OBJECT' ? fieldsIn(one?.properties ?? {}, path) : [],
    shapes: one?.alternatives ?? [],
  }
}

function kindOf(type: ParameterMeta['ui']['ui_field']['type'], numeric: Field['numeric'], format: string | undefined): Field['kind'] {
  switch (type) {
    case 'TEXTFIELD':
      if (numeric !== undefined) return 'number'
      return format === 'date-time' ? 'moment' : format === 'date' ? 'date' : 'line'
    case 'TEXTAREA':
      return 'lines'
    case 'STATIC_DROPDOWN':
      return 'choice'
    case 'DYNAMIC_DROPDOWN':
      return 'source'
    case 'CHECKBOX':
      return 'flag'
    case 'CUSTOM_FIELDS':
      return 'json'
    case 'OBJECT':
      return 'group'
  }
}

function sourceOf({ ui }: ParameterMeta): Source | undefined {
  const { data_source, option_key_path = '', value_key_path = '' } = ui.ui_field
  const fn = data_source === undefined ? undefined : /^\/functions\/([^/]+)\/call$/.exec(new URL(data_source.url, 'http://x').pathname)?.[1]
  if (data_source === undefined || fn === undefined) return undefined
  const body = data_source.body as Readonly<Record<string, unknown>>
  return { fn, body, idPath: option_key_path, textPath: value_key_path, dependsOn: ui.depends_on }
}

/** Returns the value at a dotted path; undefined if there is none. */
export function valueAt(item: unknown, path: string): unknown {
  return path === '' ? item : path.split('.').reduce<unknown>((value, key) => Object(value)[key], item)
}
