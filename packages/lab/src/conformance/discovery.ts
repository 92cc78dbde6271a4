import { isObject, type JsonObject, listAt, member, objectAt, textAt } from '@onward/openapi/conformance'

/** Converts a discovery document of Google to OpenAPI 3.0. */
export function openApiOf(discovery: JsonObject): JsonObject {
  const root = textAt(discovery, 'rootUrl') ?? ''
  const shared = parametersOf(objectAt(discovery, 'parameters'))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const method of methodsOf(discovery)) {
    const operation = operationOf(method, shared)
    const add = (path: string, value: JsonObject) => {
      paths[path] = { ...paths[path], [(textAt(method, 'httpMethod') ?? '').toLowerCase()]: value }
    }
    add(`/${textAt(method, 'flatPath') ?? textAt(method, 'path')}`.replace(/\{\+/g, '{'), operation)
    const upload = textAt(objectAt(objectAt(objectAt(method, 'mediaUpload'), 'protocols'), 'simple'), 'path')
    if (upload !== undefined) add(upload, { ...operation, servers: [{ url: root }], ...uploadOf(method) })
  }
  return {
    openapi: '3.0.0',
    info: { title: textAt(discovery, 'title'), version: textAt(discovery, 'version') },
    servers: [{ url: `${root}${textAt(discovery, 'servicePath') ?? ''}`.replace(/\/$/, '') }],
    components: {
      securitySchemes: { google: { type: 'oauth2' } },
      schemas: Object.fromEntries(Object.entries(objectAt(discovery, 'schemas')).map(([name, schema]) => [name, schemaOf(schema)])),
    },
    paths,
  }
}

function methodsOf(resource: JsonObject): JsonObject[] {
  const own = Object.values(objectAt(resource, 'methods')).filter(isObject)
  return [
    ...own,
    ...Object.values(objectAt(resource, 'resources'))
      .filter(isObject)
      .flatMap((inner) => methodsOf(inner)),
  ]
}

function operationOf(method: JsonObject, shared: readonly JsonObject[]): JsonObject {
  const request = objectAt(method, 'request')
  const response = objectAt(method, 'response')
  return {
    parameters: [...parametersOf(objectAt(method, 'parameters')), ...shared],
    ...(request.$ref !== undefined && { requestBody: { content: { 'application/json': { schema: schemaOf(request) } } } }),
    responses: {
      200: { description: '', content: response.$ref === undefined ? {} : { 'application/json': { schema: schemaOf(response) } } },
    },
    // Each scope alone is enough.
    security: listAt(method, 'scopes').map((scope) => ({ google: [scope] })),
    ...(method.deprecated === true && { deprecated: true }),
  }
}

/** An upload sends the metadata and the file, or only the file. */
function uploadOf(method: JsonObject): JsonObject {
  const schema = schemaOf(objectAt(method, 'request'))
  return { requestBody: { content: { 'application/json': { schema }, 'multipart/related': { schema }, '*/*': {} } } }
}

function parametersOf(parameters: JsonObject): JsonObject[] {
  return Object.entries(parameters).map(([name, value]) => ({
    name,
    in: textAt(value, 'location'),
    required: member(value, 'required') === true,
    deprecated: member(value, 'deprecated') === true,
    schema: schemaOf(value),
  }))
}

function schemaOf(value: unknown): JsonObject {
  if (!isObject(value)) return {}
  if (typeof value.$ref === 'string') return { $ref: `#/components/schemas/${value.$ref}` }
  const { repeated, required: _, properties, items, additionalProperties, type, minimum, maximum, ...rest } = value
  const schema: JsonObject = {
    ...rest,
    ...(type !== 'any' && { type }),
    ...(minimum !== undefined && { minimum: Number(minimum) }),
    ...(maximum !== undefined && { maximum: Number(maximum) }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, schemaOf(inner)])),
    }),
    ...(items !== undefined && { items: schemaOf(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: schemaOf(additionalProperties) }),
  }
  return repeated === true ? { type: 'array', items: schema } : schema
}
