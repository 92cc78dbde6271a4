import type { EndpointShape, ObjectSchema } from '../endpoint.ts'

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
        ...(answerHeaders === undefined ? {} : { headers: answerHeaders }),
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
  const required = requiredOf(query)
  return Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    schema,
  }))
}

function headerParameters(headers: NonNullable<EndpointShape['headers']>): object[] {
  return Object.entries(headers).map(([name, header]) => ({ name, in: 'header', ...header }))
}

/** A form cannot hold an array. A body without required properties may be omitted. */
function requestBodyOf(body: ObjectSchema): object {
  const json = { 'application/json': { schema: body } }
  const form = body.type === 'object' ? { 'application/x-www-form-urlencoded': { schema: body } } : {}
  return { ...(body.type === 'array' || requiredOf(body).length > 0 ? { required: true } : {}), content: { ...json, ...form } }
}

function requiredOf(schema: ObjectSchema): readonly string[] {
  return (schema as { required?: readonly string[] }).required ?? []
}
