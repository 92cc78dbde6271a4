import { valueSchema } from './value-schema.ts'

const text = { type: 'string', minLength: 1 }
const link = { type: 'string', pattern: '^(https://\\S+)?$' }
const pointer = { type: 'string', pattern: '^(/([^~/]|~[01])*)*$' }
const slug = '^[a-z][a-z0-9]*(-[a-z0-9]+)*$'
const parameterName = '^[A-Za-z_][A-Za-z0-9_-]*$'
const headerName = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
const bodyType = { enum: ['json', 'form'] }

function record(required: Record<string, object>, optional: Record<string, object> = {}): object {
  return { type: 'object', additionalProperties: false, required: Object.keys(required), properties: { ...required, ...optional } }
}

function mapOf(value: object, name: string): object {
  return { type: 'object', propertyNames: { type: 'string', pattern: name }, additionalProperties: value }
}

function oneOf(tag: string, kinds: Record<string, [required: Record<string, object>, optional?: Record<string, object>]>): object {
  return {
    type: 'object',
    required: [tag],
    discriminator: { propertyName: tag },
    oneOf: Object.entries(kinds).map(([kind, [required, optional]]) => record({ [tag]: { const: kind }, ...required }, optional)),
    properties: { [tag]: { enum: Object.keys(kinds) } },
  }
}

const headers = mapOf({ type: 'string', pattern: '^[\\t -~]+$' }, headerName)
const parameter = { parameter: text }
const place = { in: { enum: ['query', 'body'] } }

const auth = oneOf('type', {
  none: [{}],
  api_key: [{ in: { enum: ['header', 'query'] }, name: text }, { prefix: { type: 'string', pattern: '^[ -~]*$' } }],
  bearer: [{}],
  basic: [{}],
})

const paging = oneOf('style', {
  cursor: [{ ...parameter, next: pointer }, place],
  page: [parameter, { ...place, first: { type: 'integer', minimum: 0 }, total_pages: pointer, more: pointer }],
  offset: [parameter, { ...place, total: pointer, more: pointer }],
  last_id: [
    { ...parameter, id: pointer },
    { ...place, more: pointer },
  ],
  fields: [{ parameters: { ...mapOf(pointer, '.'), minProperties: 1 } }, place],
  next_url: [{ parameters: { type: 'array', items: text, minItems: 1, uniqueItems: true }, next: pointer }, place],
})

const request = record(
  { method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }, path: { type: 'string', pattern: '^/' } },
  { query: mapOf({ type: ['string', 'number', 'boolean'] }, '.'), headers, body: {}, body_type: bodyType },
)

const parameters = record(
  {},
  {
    properties: mapOf(
      { type: 'object', $ref: '#/$defs/value', required: ['description'], properties: { description: text } },
      parameterName,
    ),
    required: { type: 'array', items: text, uniqueItems: true },
  },
)

const appFunction = record(
  { title: text, description: text, type: { enum: ['QUERY', 'ACTION'] }, request },
  {
    parameters,
    response: record({}, { output: pointer }),
    paging,
    sources: mapOf(record({ function: text, value: pointer, label: pointer }), parameterName),
    examples: { type: 'array', items: text },
  },
)

/** What an app file may hold. What one place of the file says of another is checked by the compiler. */
export const appFileSchema = {
  $defs: { value: valueSchema },
  ...record(
    {
      name: { type: 'string', pattern: slug },
      title: text,
      description: text,
      base_url: text,
      auth,
      functions: mapOf(appFunction, slug),
    },
    {
      icon_url: link,
      docs_url: link,
      hosts: { type: 'array', items: { type: 'string', pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$' } },
      headers,
      account_settings: mapOf(
        record({ title: text, description: text }, { pattern: { type: 'string', format: 'regex' } }),
        '^[a-z][a-z0-9_]*$',
      ),
      body_type: bodyType,
      passthrough: { type: 'boolean' },
    },
  ),
}
