import { createHash } from 'node:crypto'
import type { AppFunction, ValueSchema } from '@onward/catalog'
import type { FunctionMeta, ParameterMeta } from '@onward/contract'
import type { Account } from '../db/connected-accounts.ts'
import { presentAccount } from './present-account.ts'

export function functionMeta({ id, type, version, title, app }: AppFunction, accounts: readonly Account[]): FunctionMeta {
  const { name, icon_url } = app
  const shown = { name, title: app.title, icon_url, login_url: '', connected_accounts: accounts.map(presentAccount) }
  return { id, type, version, ui: { title }, app: shown }
}

/** What a form needs to render a parameter: its widget follows from the schema and from the function its values come from. */
export function parameterMeta(fn: AppFunction, name: string): ParameterMeta {
  const schema = fn.parameters.properties[name] as ValueSchema
  const source = fn.sources[name]
  const description = schema.description ?? ''
  return {
    id: parameterId(fn.id, name),
    title: schema.title ?? titleOf(name),
    machine_name: name,
    description_for_users: source === undefined ? description : description.replace(/ Call `[^`]+` to get the available values\.$/, ''),
    is_required: fn.parameters.required.includes(name),
    ui: {
      placeholder: '',
      default_value: schema.default ?? null,
      regex: schema.pattern ?? '',
      regex_error_message: schema.pattern === undefined ? '' : `must match ${schema.pattern}`,
      depends_on: [],
      is_visible: true,
      ui_field: {
        type: fieldType(schema, source !== undefined),
        is_multiselect: schema.type === 'array' && (source !== undefined || schema.items?.enum !== undefined),
        options: (schema.enum ?? schema.items?.enum ?? []).map((id) => ({ id, value: String(id) })),
        ...(source === undefined
          ? {}
          : {
              option_key_path: pointerToPath(source.value),
              value_key_path: pointerToPath(source.label),
              data_source: { url: `/functions/${source.function}/call`, body: {}, query_params: {} },
            }),
      },
    },
  }
}

type FieldType = ParameterMeta['ui']['ui_field']['type']

function fieldType(schema: ValueSchema, hasSource: boolean): FieldType {
  if (hasSource) return 'DYNAMIC_DROPDOWN'
  if (schema.enum !== undefined || schema.items?.enum !== undefined) return 'STATIC_DROPDOWN'
  switch (schema.type) {
    case 'boolean':
      return 'CHECKBOX'
    case 'object':
      return schema.properties === undefined ? 'CUSTOM_FIELDS' : 'OBJECT'
    case 'array':
      return 'CUSTOM_FIELDS'
    case 'string':
      return (schema.maxLength ?? 0) > 255 ? 'TEXTAREA' : 'TEXTFIELD'
    case 'number':
    case 'integer':
      return 'TEXTFIELD'
  }
}

/** `/contact/id` → `contact.id` */
function pointerToPath(pointer: string): string {
  return pointer.split('/').slice(1).join('.')
}

function titleOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Stable over restarts, like the ids of apps and functions. */
function parameterId(functionId: number, name: string): number {
  return createHash('sha256').update(`${functionId}/${name}`).digest().readUInt32BE(0) >>> 1
}
