import type { EndpointShape, ObjectSchema } from '../endpoint.ts'

const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': {
    description: 'The rate limits of the request: at most `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: { type: 'string' },
  },
  RateLimit: { description: 'How many requests remain (`r`) for how many seconds (`t`).', schema: { type: 'string' } },
} as const

/** Returns the operation of an OpenAPI document for an endpoint. */
export function operationOf(
  operationId: string,
  { path, summary, query, body, answer, headers = {}, answerHeaders }: EndpointShape,
): object {
  const parameters = [...pathParameters(path), ...queryParameters(query), ...headerParameters(headers)]
  return {
    operationId,
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body) }),
    responses: {
      200: {
        description: 'The request succeeded.',
        headers: { ...RATE_LIMIT_HEADERS, ...answerHeaders },
        content: { 'application/json': { schema: answer } },
      },
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

/** `/apps/:app_name/get` → `/apps/{app_name}/get` */
export function pathOf({ path }: EndpointShape): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

function queryParameters(query: ObjectSchema = {}): object[] {
  const { properties = {}, required = [] } = query
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    schema,
  }))
}

function headerParameters(headers: NonNullable<EndpointShape['headers']>): object[] {
  return Object.entries(headers).map(([name, header]) => ({ name, in: 'header', ...header }))
}

/** A form cannot represent an array. A body without required properties may be omitted. */
function requestBodyOf(body: ObjectSchema): object {
  const { type, required = [] } = body
  const json = { 'application/json': { schema: body } }
  const form = type === 'object' ? { 'application/x-www-form-urlencoded': { schema: body } } : {}
  return { ...(type === 'array' || required.length > 0 ? { required: true } : {}), content: { ...json, ...form } }
}
