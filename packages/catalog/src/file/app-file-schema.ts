import { valueSchema } from './value-schema.ts'

const text = { type: 'string', minLength: 1 }
const link = { type: 'string', pattern: '^(https://\\S+)?$' }
const pointer = { type: 'string', pattern: '^(/([^~/]|~[01])*)*$' }
const slug = '^[a-z][a-z0-9]*(-[a-z0-9]+)*$'
const parameterName = '^[A-Za-z_][A-Za-z0-9_-]*$'
const headerName = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
const bodyType = { enum: ['json', 'form', 'multipart', 'raw'] }

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

const headerText = '^[\\t -~]+$'
const headers = mapOf({ type: 'string', pattern: headerText }, headerName)
const parameter = { parameter: text }
const names = { type: 'array', items: text, minItems: 1, uniqueItems: true }
const place = { in: { enum: ['query', 'body'] } }

const settingName = '^[a-z][a-z0-9_]*$'
const httpsUrl = { type: 'string', pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1)[:/])\\S+$' }
const texts = mapOf({ type: 'string' }, '.')
const fields = { ...mapOf(record({ title: text, description: text }, { secret: { type: 'boolean' } }), settingName), minProperties: 1 }
const tokenEndpoint = {
  scopes: { type: 'array', items: text, uniqueItems: true },
  scope_separator: text,
  client_authentication: { enum: ['client_secret_post', 'client_secret_basic'] },
  token_parameters: texts,
  header: { type: 'string', pattern: headerName },
  prefix: { type: 'string', pattern: '^[ -~]*$' },
}

const scheme = oneOf('type', {
  none: [{}],
  api_key: [{ in: { enum: ['header', 'query'] }, name: text }, { prefix: { type: 'string', pattern: '^[ -~]*$' } }],
  bearer: [{}],
  basic: [{}, { fields, username: text, password: { type: 'string' } }],
  custom: [{ fields }, { headers, query: texts, path: { type: 'string', pattern: '^/' } }],
  oauth2: [
    { authorization_url: httpsUrl, token_url: httpsUrl },
    {
      ...tokenEndpoint,
      revocation_url: httpsUrl,
      authorization_parameters: texts,
      pkce: { type: 'boolean' },
      issuer: httpsUrl,
      settings: mapOf({ ...record({}, { callback: text, token: pointer }), minProperties: 1, maxProperties: 1 }, settingName),
    },
  ],
  oauth2_client_credentials: [{ token_url: httpsUrl }, { ...tokenEndpoint, grant_type: text }],
  oauth2_jwt_bearer: [{ token_url: httpsUrl }, { ...tokenEndpoint, algorithm: { enum: ['RS256', 'ES256'] }, audience: text }],
})

const auth = {
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { type: 'array', items: { $ref: '#/$defs/scheme' }, minItems: 1 },
  else: { $ref: '#/$defs/scheme' },
}

const paging = oneOf('style', {
  cursor: [{ ...parameter, next: pointer }, place],
  page: [
    parameter,
    { ...place, first: { type: 'integer', minimum: 0 }, send_first: { type: 'boolean' }, total_pages: pointer, more: pointer },
  ],
  offset: [parameter, { ...place, total: pointer, more: pointer }],
  last_id: [
    { ...parameter, id: pointer },
    { ...place, more: pointer },
  ],
  fields: [{ parameters: { ...mapOf(pointer, '.'), minProperties: 1 } }, place],
  next_url: [{ next: pointer }, { ...place, parameters: names }],
  link: [{ parameters: names }],
  relay: [{ connection: pointer }, { variable: text }],
})

const host = { type: 'string', pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$' }

const request = record(
  { method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }, path: { type: 'string', pattern: '^/' } },
  {
    query: mapOf({ type: ['string', 'number', 'boolean'] }, '.'),
    headers: mapOf({ type: ['string', 'object', 'array'], pattern: headerText }, headerName),
    host,
    body: {},
    body_type: bodyType,
    content_type: { type: 'string', pattern: headerText },
    graphql: text,
    variables: { type: 'object' },
  },
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
    files: mapOf(record({ description: text }, { title: text }), parameterName),
    safe_to_retry: { type: 'boolean' },
    sources: mapOf(record({ function: text, value: pointer, label: pointer }, { arguments: { type: 'object' } }), parameterName),
    examples: { type: 'array', items: text },
  },
)

/** What an app file may hold. What one place of the file says of another is checked by the compiler. */
export const appFileSchema = {
  $defs: { value: valueSchema, scheme },
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
      hosts: { type: 'array', items: host },
      headers,
      account_settings: mapOf(record({ title: text, description: text }, { pattern: { type: 'string', format: 'regex' } }), settingName),
      body_type: bodyType,
      passthrough: { type: 'boolean' },
      identity: record({ function: text, name: pointer }, { id: pointer, arguments: { type: 'object' } }),
      rate_limit: record(
        { unit: { enum: ['seconds', 'epoch_seconds', 'epoch_ms'] } },
        { remaining: { type: 'string', pattern: headerName }, reset: { type: 'string', pattern: headerName } },
      ),
    },
  ),
}
