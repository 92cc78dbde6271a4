import type { EndpointExample, EndpointShape, ObjectSchema } from '../endpoint.ts'
import { examplesOf } from './examples.ts'
import { responsesOf } from './responses.ts'

/** Returns the operation of an OpenAPI document for an endpoint. */
export function operationOf(operationId: string, endpoint: EndpointShape): object {
  const { path, summary, query, body, headers = {}, examples = [] } = endpoint
  return {
    operationId,
    summary: summary.replace(/\.$/, ''),
    parameters: [...pathParameters(path, examples), ...queryParameters(examples, query), ...headerParameters(headers), REQUEST_ID],
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body, examples) }),
    responses: responsesOf(endpoint),
  }
}

/** The parameter that every operation has. */
const REQUEST_ID = { $ref: '#/components/parameters/X-Request-ID' }

/** The parameters that operations refer to, by name. */
export const sharedParameters = {
  'X-Request-ID': {
    name: 'X-Request-ID',
    in: 'header',
    description: 'An id of your own for this request. Any other value is replaced by a new id.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.-]{8,128}$' },
  },
} as const

/** `/apps/:app_name/get` → `/apps/{app_name}/get` */
export function pathOf({ path }: EndpointShape): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function pathParameters(path: string, examples: readonly EndpointExample[]): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...examplesOf(examples, ({ params }) => params?.[name]),
  }))
}

function queryParameters(examples: readonly EndpointExample[], query: ObjectSchema = {}): object[] {
  const { properties = {}, required = [] } = query
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    schema,
    ...examplesOf(examples, (example) => example.query?.[name]),
  }))
}

function headerParameters(headers: NonNullable<EndpointShape['headers']>): object[] {
  return Object.entries(headers).map(([name, header]) => ({ name, in: 'header', ...header }))
}

/** A form cannot represent an array. A body without required properties may be omitted. */
function requestBodyOf(body: ObjectSchema, examples: readonly EndpointExample[]): object {
  const { type, required = [] } = body
  const json = { 'application/json': { schema: body, ...examplesOf(examples, (example) => example.body) } }
  const form = type === 'object' ? { 'application/x-www-form-urlencoded': { schema: body } } : {}
  return { ...(type === 'array' || required.length > 0 ? { required: true } : {}), content: { ...json, ...form } }
}
