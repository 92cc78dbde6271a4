import { endpoint } from '../endpoint.ts'
import { arrayOf, object } from '../schemas.ts'
import { appName } from './parts.ts'

/** A tag, a path with all below it, an operationId, or an operation such as `GET /pets`. */
const selection = { type: 'array', maxItems: 5_000, items: { type: 'string', minLength: 1, maxLength: 2_048 } } as const
const text = { type: 'string' } as const
const texts = arrayOf(text)
const count = { type: 'integer' } as const

const previewExample = {
  summary: 'One operation becomes a function, and one is skipped',
  params: { name: 'help-desk' },
  body: {
    document: `openapi: 3.1.0
info: { title: Help desk }
servers: [{ url: https://api.helpdesk.dev/v2 }]
paths:
  /tickets:
    get: { operationId: listTickets, summary: List tickets }
    delete: { operationId: deleteTickets, deprecated: true }
`,
  },
  response: {
    name: 'help-desk',
    title: 'Help desk',
    openapi: '3.1.0',
    replaces: null,
    base_url: 'https://api.helpdesk.dev/v2',
    hosts: [],
    servers: [{ url: 'https://api.helpdesk.dev/v2', reason: null }],
    settings: [],
    auth: [{ type: 'none', sends: [], authorization_url: null, token_url: null, scopes: [] }],
    operations: [
      {
        operation: 'DELETE /tickets',
        method: 'DELETE',
        path: '/tickets',
        line: 7,
        outcome: 'skipped',
        reasons: ['is deprecated; include its operationId to import it'],
        function: 'help-desk-delete-tickets',
        title: 'Delete tickets',
        type: 'ACTION',
        destructive: true,
        update: null,
      },
      {
        operation: 'GET /tickets',
        method: 'GET',
        path: '/tickets',
        line: 6,
        outcome: 'kept',
        reasons: [],
        function: 'help-desk-list-tickets',
        title: 'List tickets',
        type: 'QUERY',
        destructive: false,
        update: 'new',
      },
    ],
    removed: [],
    totals: { operations: 2, kept: 1, changed: 0, skipped: 1, destructive: 0, removed: 0 },
    warnings: ['the document has no usable authentication: requests are sent without any'],
    file: {
      name: 'help-desk',
      title: 'Help desk',
      description: 'Functions of Help desk.',
      base_url: 'https://api.helpdesk.dev/v2',
      auth: { type: 'none' },
      functions: {
        'list-tickets': {
          title: 'List tickets',
          description: 'List tickets',
          type: 'QUERY',
          parameters: { properties: {} },
          request: { method: 'GET', path: '/tickets' },
        },
      },
    },
  },
} as const

const functionType = { type: 'string', enum: ['QUERY', 'ACTION'] } as const

/**
 * Converts an OpenAPI document and returns what an import would store, without storing anything. `putApp` takes `file` unchanged; it is null
 * if no operation can become a function, and then `base_url` is null too.
 *
 * `document` is JSON or YAML. References to other documents are not followed: the operations that need them are skipped. With `include`,
 * only these operations are imported; operations in `exclude` are not. A deprecated operation is imported only if `include` has its
 * operationId or itself. `base_url` replaces the servers of the document.
 *
 * `outcome` of an operation: `kept` becomes a function as it is described, `changed` a function that differs from the document as `reasons`
 * say, and `skipped` none. `line` is null if it is unknown. `update` compares the function with the function of the stored app of this
 * name, whose version is `replaces`; `removed` are functions of the stored app that the new app does not have. Requests go to the server
 * with `reason` null. `sends` says where a way to authenticate puts the credentials, for example `header Authorization`.
 *
 * A document that is broken, or that takes too long or too much memory to convert, is refused with `invalid_parameters`; `error_details`
 * say why, with line and column.
 */
export const previewImport = endpoint({
  method: 'post',
  path: '/admin/apps/:name/preview',
  access: { role: 'operator' },
  action: null,
  summary: 'Convert an OpenAPI document, and return what an import would store.',
  body: object(
    { document: { type: 'string', minLength: 1, maxLength: 8_000_000, writeOnly: true } },
    {
      include: selection,
      exclude: selection,
      base_url: { type: 'string', maxLength: 2_048 },
    },
  ),
  errors: ['app_is_built_in'],
  examples: [previewExample],
  response: object({
    name: appName,
    title: text,
    openapi: text,
    replaces: { type: ['string', 'null'] },
    base_url: { type: ['string', 'null'] },
    hosts: texts,
    servers: arrayOf(object({ url: text, reason: { type: ['string', 'null'] } })),
    settings: arrayOf(object({ name: text, title: text, description: text })),
    auth: arrayOf(
      object({
        type: text,
        sends: texts,
        authorization_url: { type: ['string', 'null'] },
        token_url: { type: ['string', 'null'] },
        scopes: texts,
      }),
    ),
    operations: arrayOf(
      object({
        operation: text,
        method: text,
        path: text,
        line: { type: ['integer', 'null'] },
        outcome: { type: 'string', enum: ['kept', 'changed', 'skipped'] },
        reasons: texts,
        function: text,
        title: text,
        type: functionType,
        destructive: { type: 'boolean' },
        update: { type: ['string', 'null'], enum: ['new', 'changed', 'unchanged', null] },
      }),
    ),
    removed: texts,
    totals: object({ operations: count, kept: count, changed: count, skipped: count, destructive: count, removed: count }),
    warnings: texts,
    file: { type: ['object', 'null'], additionalProperties: true },
  }),
})
