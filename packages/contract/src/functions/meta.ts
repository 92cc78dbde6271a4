import type { FromSchema } from 'json-schema-to-ts'
import { arrayOf, object } from '../schemas.ts'
import { connectedAccount, neededScopes } from './parts.ts'

const fieldTypes = ['TEXTFIELD', 'TEXTAREA', 'STATIC_DROPDOWN', 'DYNAMIC_DROPDOWN', 'CHECKBOX', 'CUSTOM_FIELDS', 'OBJECT'] as const

/** What a form needs to show one parameter (`include=meta`). */
export const parameterMeta = {
  type: 'object',
  required: ['id', 'title', 'machine_name', 'description_for_users', 'is_required', 'ui'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    machine_name: { type: 'string' },
    description_for_users: { type: 'string' },
    is_required: { type: 'boolean' },
    /** Present when the value may be null, which is not the same as absent or empty. */
    nullable: { type: 'boolean', const: true },
    ui: object({
      placeholder: { type: 'string' },
      default_value: {},
      regex: { type: 'string' },
      regex_error_message: { type: 'string' },
      depends_on: arrayOf({ type: 'string' }),
      is_visible: { type: 'boolean' },
      ui_field: object(
        {
          type: { type: 'string', enum: fieldTypes },
          is_multiselect: { type: 'boolean' },
          options: arrayOf(object({ id: {}, value: { type: 'string' } })),
        },
        {
          option_key_path: { type: 'string' },
          value_key_path: { type: 'string' },
          data_source: object({ url: { type: 'string' }, body: { type: 'object' }, query_params: { type: 'object' } }),
        },
      ),
    }),
  },
} as const

/**
 * The origin of a predicted argument, and its confidence. `span` is the part of the prompt, in UTF-16 units with an exclusive end.
 * `variable` is the dotted path of a variable; `variables` are all variables in one value. `function` is the source function that returned
 * the id of a name.
 */
export const argumentMeta = {
  type: 'object',
  required: ['from', 'confidence'],
  additionalProperties: false,
  properties: {
    from: { type: 'string', enum: ['prompt', 'variable', 'default', 'source_function', 'model'] },
    span: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 2, maxItems: 2 },
    variables: arrayOf({ type: 'string' }),
    variable: { type: 'string' },
    function: { type: 'string' },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
  },
} as const

/**
 * What a form needs to show one function (`include=meta`). A `destructive` function can destroy data or take away money or access; ask the user
 * before calling it. `scopes` are what the app asks of a token, if the app file says so: each item is enough, with all of its scopes.
 * `output` is a JSON Schema of what people use of the output, if the app file declares it; every value in it may be missing or null.
 * `arguments` is present when arguments were predicted.
 */
export const functionMeta = object(
  {
    id: { type: 'integer' },
    type: { type: 'string', enum: ['QUERY', 'ACTION', 'PASSTHROUGH'] },
    version: { type: 'string' },
    destructive: { type: 'boolean' },
    ui: object({ title: { type: 'string' } }),
    app: object({
      name: { type: 'string' },
      title: { type: 'string' },
      icon_url: { type: 'string' },
      login_url: { type: 'string' },
      connected_accounts: arrayOf(connectedAccount),
    }),
  },
  {
    scopes: neededScopes,
    output: { type: 'object', required: ['type'], additionalProperties: true, properties: { type: { type: 'string' } } },
    arguments: { type: 'object', additionalProperties: argumentMeta },
  },
)

export type ParameterMeta = FromSchema<typeof parameterMeta>
export type ArgumentMeta = FromSchema<typeof argumentMeta>
export type FunctionMeta = FromSchema<typeof functionMeta>
