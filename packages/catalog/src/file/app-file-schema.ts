import { SCHEME_KINDS } from '../auth/schemes.ts'
import { HEADER_NAME, HEADER_TEXT, mapOf, oneOf, POINTER, record, SETTING_NAME, TEXT } from '../values/schema-parts.ts'
import { ALTERNATIVES, OUTPUT_SCHEMA, VALUE_SCHEMA } from './value-schema.ts'

const LINK = { type: 'string', pattern: '^(https://\\S+)?$' }
const SLUG = '^[a-z][a-z0-9]*(-[a-z0-9]+)*$'
const PARAMETER_NAME = '^[A-Za-z_][A-Za-z0-9_-]*$'
const BODY_TYPE = { enum: ['json', 'form', 'multipart', 'raw'] }
const HEADERS = mapOf({ type: 'string', pattern: HEADER_TEXT }, HEADER_NAME)
const PARAMETER = { parameter: TEXT }
const NAMES = { type: 'array', items: TEXT, minItems: 1, uniqueItems: true }

const SCHEME = oneOf(
  'type',
  Object.fromEntries(
    Object.entries(SCHEME_KINDS).map(
      ([
        type,
        {
          keys: [required, optional],
        },
      ]) => [type, [required, { ...optional, base_url: TEXT }] as const],
    ),
  ),
)

const AUTH = {
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { type: 'array', items: { $ref: '#/$defs/scheme' }, minItems: 1 },
  else: { $ref: '#/$defs/scheme' },
}

/** What `request` and the request of later pages have in common. */
const REQUEST_PARTS = {
  query: mapOf({ type: ['string', 'number', 'boolean'] }, '.'),
  body: {},
  variables: { type: 'object' },
}

const PATH = { type: 'string', pattern: '^/' }
const COUNT = { type: 'integer', minimum: 0 }
const LATER = { request: record({}, { path: PATH, ...REQUEST_PARTS }) }
const PLACE = { ...LATER, in: { enum: ['query', 'body'] } }
const ONE_PLACE = { ...LATER, in: { enum: ['query', 'body', 'template'] } }
const NUMBER = { ...ONE_PLACE, first: COUNT, max: COUNT, max_items: COUNT, more: POINTER }

const PAGING = oneOf('style', {
  cursor: [
    { ...PARAMETER, next: POINTER },
    { ...ONE_PLACE, max_items: COUNT, more: POINTER },
  ],
  page: [PARAMETER, { ...NUMBER, send_first: { type: 'boolean' }, total_pages: POINTER }],
  offset: [PARAMETER, { ...NUMBER, total: POINTER, step: POINTER }],
  last_id: [
    { ...PARAMETER, id: POINTER },
    { ...ONE_PLACE, more: POINTER, lowest: { type: 'boolean' } },
  ],
  fields: [{ parameters: { ...mapOf(POINTER, '.'), minProperties: 1 } }, PLACE],
  next_url: [{ next: POINTER }, { ...PLACE, parameters: NAMES }],
  link: [{ parameters: NAMES }, LATER],
  relay: [{ connection: POINTER }, { ...LATER, variable: TEXT }],
})

const ERROR = record({ pointer: POINTER }, { equals: { type: ['string', 'number', 'boolean'] } })

const REFUSED = record({
  pointer: POINTER,
  values: { type: 'array', items: { type: ['string', 'number'] }, minItems: 1, uniqueItems: true },
})

const HOST = { type: 'string', pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$' }

const REQUEST = record(
  { method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }, path: PATH },
  {
    ...REQUEST_PARTS,
    headers: mapOf({ type: ['string', 'object', 'array'], pattern: HEADER_TEXT }, HEADER_NAME),
    host: HOST,
    body_type: BODY_TYPE,
    content_type: { type: 'string', pattern: HEADER_TEXT },
    graphql: TEXT,
    token: TEXT,
    encode_twice: NAMES,
    base64: NAMES,
    separators: mapOf(TEXT, PARAMETER_NAME),
    mail: record({ headers: mapOf(TEXT, HEADER_NAME), text: TEXT }, { content_type: TEXT, attachments: TEXT }),
  },
)

const PARAMETERS = record(
  {},
  {
    properties: mapOf(
      { type: 'object', $ref: '#/$defs/value', required: ['description'], properties: { description: TEXT } },
      PARAMETER_NAME,
    ),
    required: { type: 'array', items: TEXT, uniqueItems: true },
    alternatives: ALTERNATIVES,
  },
)

const FUNCTION = record(
  { title: TEXT, description: TEXT, type: { enum: ['QUERY', 'ACTION'] }, request: REQUEST },
  {
    parameters: PARAMETERS,
    response: record({}, { output: POINTER, optional: { type: 'boolean' }, error: ERROR }),
    output: { $ref: '#/$defs/output' },
    paging: PAGING,
    files: mapOf(record({ description: TEXT }, { title: TEXT, multiple: { type: 'boolean' } }), PARAMETER_NAME),
    safe_to_retry: { type: 'boolean' },
    destructive: { type: 'boolean' },
    scopes: { type: 'array', minItems: 1, uniqueItems: true, items: { if: { type: 'string' }, else: NAMES } },
    clear: { ...mapOf({}, PARAMETER_NAME), minProperties: 1 },
    sources: mapOf(record({ function: TEXT, value: POINTER, label: POINTER }, { arguments: { type: 'object' } }), PARAMETER_NAME),
    examples: { type: 'array', items: TEXT },
  },
)

/** The JSON Schema of an app file. The compiler checks how the parts of a file fit together. */
export const APP_FILE_SCHEMA = {
  $defs: { value: VALUE_SCHEMA, output: OUTPUT_SCHEMA, scheme: SCHEME },
  ...record(
    {
      name: { type: 'string', pattern: SLUG },
      title: TEXT,
      description: TEXT,
      base_url: TEXT,
      auth: AUTH,
      functions: mapOf(FUNCTION, SLUG),
    },
    {
      icon_url: LINK,
      docs_url: LINK,
      help_url: LINK,
      help: mapOf(TEXT, SETTING_NAME),
      hosts: { type: 'array', items: HOST },
      headers: HEADERS,
      account_settings: mapOf(
        record({ title: TEXT, description: TEXT }, { pattern: { type: 'string', format: 're2' }, default: TEXT }),
        SETTING_NAME,
      ),
      body_type: BODY_TYPE,
      passthrough: { type: 'boolean' },
      send_traces: { type: 'boolean' },
      identity: record({ function: TEXT, name: POINTER }, { id: POINTER, arguments: { type: 'object' } }),
      error: ERROR,
      refused: REFUSED,
      expires: {
        type: 'array',
        items: record({ what: TEXT, source: { type: 'string', pattern: '^https://\\S+$' } }, { on: { type: 'string', format: 'date' } }),
      },
      rate_limit: record(
        { unit: { enum: ['seconds', 'epoch_seconds', 'epoch_ms'] } },
        { remaining: { type: 'string', pattern: HEADER_NAME }, reset: { type: 'string', pattern: HEADER_NAME } },
      ),
    },
  ),
}
