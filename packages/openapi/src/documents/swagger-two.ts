import { isObject, type JsonObject, listAt, member, objectAt, textAt } from '../json.ts'
import type { Resolve } from './resolve.ts'

/** Converts host, base path and schemes of an OpenAPI 2.0 document to servers. */
export function upgradeServers(root: JsonObject): JsonObject[] {
  const host = textAt(root, 'host')
  const path = textAt(root, 'basePath') ?? ''
  const schemes = listAt(root, 'schemes')
  if (host === undefined) return [...parameterizedHost(root, path), ...(path === '' ? [] : [{ url: path }])].slice(0, 1)
  // Without schemes, the specification uses the scheme of the document's own URL.
  return (schemes.length > 0 ? schemes : ['https']).map((scheme) => ({
    url: `${String(scheme)}://${host}${path.replace(/^(?=[^/])/, '/')}`,
  }))
}

/** Azure's documents have an extension instead of a host: `{endpoint}/language`, or `{vault}.vault.azure.net` with https in front. */
function parameterizedHost(root: JsonObject, path: string): JsonObject[] {
  const extension = objectAt(root, 'x-ms-parameterized-host')
  const host = textAt(extension, 'hostTemplate')
  if (host === undefined) return []
  return [{ url: `${extension.useSchemePrefix === false ? '' : 'https://'}${host}${path.replace(/^(?=[^/])/, '/')}` }]
}

/** Converts the security definitions of an OpenAPI 2.0 document. */
export function upgradeSchemes(root: JsonObject, resolve: Resolve): JsonObject {
  const flows: Readonly<Record<string, string>> = {
    accessCode: 'authorizationCode',
    application: 'clientCredentials',
    implicit: 'implicit',
    password: 'password',
  }
  return Object.fromEntries(
    Object.entries(objectAt(root, 'securityDefinitions')).map(([name, raw]) => {
      const scheme = resolve(raw)
      if (!isObject(scheme)) return [name, {}]
      if (scheme.type === 'basic') return [name, { ...scheme, type: 'http', scheme: 'basic' }]
      if (scheme.type !== 'oauth2') return [name, scheme]
      return [name, { type: 'oauth2', description: scheme.description, flows: { [flows[String(scheme.flow)] ?? 'implicit']: scheme } }]
    }),
  )
}

/** Converts an operation of an OpenAPI 2.0 document: body and form parameters become `requestBody`, the others get a schema. */
export function upgradeOperation(operation: JsonObject, root: JsonObject, resolve: Resolve): JsonObject {
  const consumes = mediaTypes(operation, root, 'consumes')
  const produces = mediaTypes(operation, root, 'produces')
  const parameters = listAt(operation, 'parameters').filter(isObject)
  const body = parameters.find((parameter) => parameter.in === 'body')
  const form = parameters.filter((parameter) => parameter.in === 'formData')
  const requestBody = body ? upgradeBody(body, consumes) : form.length > 0 ? upgradeForm(form, consumes) : undefined
  return {
    ...operation,
    parameters: parameters.filter((parameter) => parameter.in !== 'body' && parameter.in !== 'formData').map(upgradeParameter),
    requestBody,
    responses: upgradeResponses(objectAt(operation, 'responses'), produces, resolve),
  }
}

function mediaTypes(operation: JsonObject, root: JsonObject, key: 'consumes' | 'produces'): string[] {
  const own = member(operation, key)
  const types = (Array.isArray(own) ? own : listAt(root, key)).filter((type) => typeof type === 'string')
  return types.length > 0 ? types : ['application/json']
}

function upgradeBody(body: JsonObject, consumes: readonly string[]): JsonObject {
  const { schema, required, description } = body
  return { required, description, content: Object.fromEntries(consumes.map((type) => [type, { schema }])) }
}

function upgradeForm(form: readonly JsonObject[], consumes: readonly string[]): JsonObject {
  const named = consumes.find((type) => /^multipart\/form-data|^application\/x-www-form-urlencoded/.test(type))
  const type = form.some((field) => field.type === 'file' || textAt(field.items, 'type') === 'file')
    ? 'multipart/form-data'
    : (named ?? 'application/x-www-form-urlencoded')
  const names = (fields: readonly JsonObject[]) => fields.map((field) => String(field.name))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(form.map((field) => [String(field.name), schemaOf(field)])),
    required: names(form.filter((field) => field.required === true)),
  }
  const encoding = Object.fromEntries(form.map((field) => [String(field.name), styleOf(field)]))
  return { required: schema.required.length > 0, content: { [type]: { schema, encoding } } }
}

function upgradeParameter(parameter: JsonObject): JsonObject {
  const { name, in: place, description, required, deprecated } = parameter
  return { name, in: place, description, required, deprecated, schema: schemaOf(parameter), ...styleOf(parameter) }
}

/** In OpenAPI 2.0 the keywords of the schema are keys of the parameter. */
function schemaOf(parameter: JsonObject): JsonObject {
  const { name: _, in: __, required: ___, collectionFormat: ____, schema, ...own } = parameter
  return isObject(schema) ? schema : own
}

function styleOf(parameter: JsonObject): JsonObject {
  switch (parameter.collectionFormat) {
    case 'multi':
      return { style: 'form', explode: true }
    case 'ssv':
      return { style: 'spaceDelimited', explode: false }
    case 'tsv':
      return { style: 'tabDelimited', explode: false }
    case 'pipes':
      return { style: 'pipeDelimited', explode: false }
    default:
      return parameter.in === 'query' || parameter.in === 'formData' ? { style: 'form', explode: false } : {}
  }
}

function upgradeResponses(responses: JsonObject, produces: readonly string[], resolve: Resolve): JsonObject {
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, raw]) => {
      const response = /^(?:2|default)/i.test(status) ? orUndefined(() => resolve(raw)) : undefined
      if (!isObject(response)) return []
      const content = response.schema === undefined ? {} : Object.fromEntries(produces.map((type) => [type, { schema: response.schema }]))
      return [[status, { headers: response.headers, content }]]
    }),
  )
}

/** A response with a broken reference must not make its operation unusable. */
function orUndefined(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return undefined
  }
}
