import type { EndpointShape } from '../endpoint.ts'
import { errorBody } from '../error.ts'
import { scopeOf } from '../insights/scopes.ts'
import { errorExamples } from './examples.ts'
import { operationOf, pathOf, sharedParameters } from './operation.ts'
import { responseHeaders } from './responses.ts'

type Area = {
  readonly title: string
  readonly description: string
  /** Modules of the contract by the title of their group. Their endpoints become operations. */
  readonly groups: Readonly<Record<string, readonly object[]>>
  /** The headers that authenticate a request, by the name of their security scheme. All of them are required. */
  readonly headers: Readonly<Record<string, { readonly header: string; readonly description: string }>>
  readonly webhooks?: Readonly<Record<string, object>>
}

export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
} & Readonly<Record<string, unknown>>

/** Returns the OpenAPI document of an area. The service also serves each path with a final slash. */
export function openApiDocument({ title, description, groups, headers, webhooks }: Area): OpenApiDocument {
  const paths: Record<string, Record<string, object>> = {}
  const schemes = Object.entries(headers)
  const security = (roles: readonly string[]) => [Object.fromEntries(schemes.map(([name]) => [name, roles]))]
  for (const [group, modules] of Object.entries(groups)) {
    for (const [name, endpoint] of modules.flatMap(endpointsOf)) {
      const path = pathOf(endpoint)
      const scope = scopeOf(endpoint)
      const needed = scope === undefined ? {} : { security: security([scope]) }
      paths[path] = { ...paths[path], [endpoint.method]: { tags: [group], ...operationOf(name, endpoint), ...needed } }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, description, version: '1.0.0', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: Object.keys(groups).map((name) => ({ name })),
    security: security([]),
    paths,
    ...(webhooks === undefined ? {} : { webhooks }),
    components: {
      securitySchemes: Object.fromEntries(
        schemes.map(([name, { header, description: text }]) => [name, { type: 'apiKey', in: 'header', name: header, description: text }]),
      ),
      schemas: { Error: errorBody },
      parameters: sharedParameters,
      headers: responseHeaders,
      examples: errorExamples(),
    },
  }
}

/** Returns the endpoints among the exports of a module, with their names. */
function endpointsOf(module: object): [string, EndpointShape][] {
  return Object.entries(module).filter((entry): entry is [string, EndpointShape] => isEndpoint(entry[1]))
}

function isEndpoint(value: unknown): value is EndpointShape {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}
