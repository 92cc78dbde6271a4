import type { EndpointShape } from '../endpoint.ts'
import { errorBody } from '../error.ts'
import { operationOf, pathOf, sharedParameters } from './operation.ts'
import { answerHeaders, errorExamples } from './responses.ts'

type Area = {
  readonly title: string
  readonly description: string
  readonly endpoints: Readonly<Record<string, EndpointShape>>
  /** The headers that authenticate a request, by the name of their security scheme. All of them are required. */
  readonly headers: Readonly<Record<string, { readonly header: string; readonly description: string }>>
  readonly webhooks?: Readonly<Record<string, object>>
}

export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
} & Readonly<Record<string, unknown>>

/** Returns the OpenAPI document of an area. The service also serves each path with a final slash. */
export function openApiDocument({ title, description, endpoints, headers, webhooks }: Area): OpenApiDocument {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = pathOf(endpoint)
    paths[path] = { ...paths[path], [endpoint.method]: operationOf(name, endpoint) }
  }
  const schemes = Object.entries(headers)
  return {
    openapi: '3.1.0',
    info: { title, description, version: '1.0.0', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: [Object.fromEntries(schemes.map(([name]) => [name, []]))],
    paths,
    ...(webhooks === undefined ? {} : { webhooks }),
    components: {
      securitySchemes: Object.fromEntries(
        schemes.map(([name, { header, description: text }]) => [name, { type: 'apiKey', in: 'header', name: header, description: text }]),
      ),
      schemas: { Error: errorBody },
      parameters: sharedParameters,
      headers: answerHeaders,
      examples: errorExamples(),
    },
  }
}
