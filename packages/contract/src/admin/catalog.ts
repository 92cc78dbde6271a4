import { endpoint } from '../endpoint.ts'
import { functionTypes } from '../functions/functions.ts'
import { arrayOf, object, orNull, time } from '../schemas.ts'
import { quarantinedFunction } from './apps.ts'

const count = { type: 'integer' } as const
const texts = arrayOf({ type: 'string' })

const itemProperties = {
  name: { type: 'string' },
  title: { type: 'string' },
  icon_url: { type: 'string' },
  source: { type: 'string', enum: ['built_in', 'imported'] },
  auth: texts,
  functions: count,
  rejected: count,
  connected_accounts: count,
  broken_accounts: count,
} as const

/**
 * `auth` has the types of the ways to authenticate, such as `oauth2`. `rejected` counts the functions that are left out because they do not
 * compile. Counts the accounts of the workspace, or of all workspaces; broken accounts have another status than `active`.
 */
export const listCatalog = endpoint({
  method: 'get',
  path: '/admin/catalog',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'List the apps of the catalog, with the number of accounts.',
  query: { type: 'object', properties: { workspace_id: { type: 'string' } } },
  response: object({
    apps: arrayOf(object(itemProperties)),
  }),
})

/** The logos of the built-in apps as `data:` URLs, by the name of the app. Apps without a logo are left out. */
export const listAppIcons = endpoint({
  method: 'get',
  path: '/admin/app-icons',
  access: { role: 'member' },
  summary: 'List the logos of apps.',
  response: object({ icons: { type: 'object', additionalProperties: { type: 'string' } } }),
})

/**
 * The accounts belong to `app_key` or, without it, to `workspace_id`. The OAuth client belongs to `app_key`. `hosts` are further hosts to
 * which requests can go, besides the host of the app's address. `redirect_url` is what to enter at the provider of an OAuth app; null for
 * other apps. `client_help` says how to get a client there: the page where one is made, the steps, what the provider requires before people
 * of other organisations can connect, and the provider's document. It is null where the app file does not say. `scopes` has the scopes of the
 * app file and of the OAuth client; `asked` are the scopes that are requested from users. The `scopes` of a function are those that a token
 * needs, each item with all of its scopes; `allowed` says whether the scopes that are requested include one item. It is null where the app
 * file names no scopes, or users do not sign in.
 */
export const readCatalogApp = endpoint({
  method: 'get',
  path: '/admin/catalog/:app',
  access: { role: 'viewer', in: ['workspace_id', 'app_key'] },
  summary: 'Read one app of the catalog with its functions and its OAuth client.',
  query: { type: 'object', properties: { workspace_id: { type: 'string' }, app_key: { type: 'string' } } },
  errors: ['app_not_found', 'application_not_found'],
  response: object({
    ...itemProperties,
    hosts: texts,
    redirect_url: { type: ['string', 'null'] },
    client_help: orNull(
      object({ url: { type: 'string' }, steps: texts, review: { type: ['string', 'null'] }, source: { type: 'string' } }),
    ),
    scopes: arrayOf(object({ name: { type: 'string' }, asked: { type: 'boolean' } })),
    oauth_client: orNull(
      object({
        client_id: { type: 'string' },
        scopes: { type: ['array', 'null'], items: { type: 'string' } },
        modified_at: time,
      }),
    ),
    functions: arrayOf(
      object({
        name: { type: 'string' },
        title: { type: 'string' },
        description: { type: 'string' },
        type: { type: 'string', enum: ['QUERY', 'ACTION', 'PASSTHROUGH'] },
        destructive: { type: 'boolean' },
        version: { type: 'string' },
        scopes: arrayOf(texts),
        allowed: { type: ['boolean', 'null'] },
      }),
    ),
    rejected: arrayOf(quarantinedFunction),
  }),
})

/**
 * Functions whose name, title or description contains every word of `search` come first. If `search` has several words, functions that predict
 * finds for them follow. Both are in the order of predict. No rate limit counts a search, and nothing is learnt from it.
 */
export const searchFunctions = endpoint({
  method: 'get',
  path: '/admin/functions',
  access: { role: 'member' },
  summary: 'Search the functions of the catalog.',
  query: {
    type: 'object',
    required: ['search'],
    properties: {
      search: { type: 'string', minLength: 1, maxLength: 200 },
      page_size: { type: 'integer', minimum: 1, maximum: 50, default: 8 },
    },
  },
  response: object({
    functions: arrayOf(
      object({ name: { type: 'string' }, app: { type: 'string' }, title: { type: 'string' }, description: { type: 'string' } }),
    ),
  }),
})

const shownFunction = object({
  name: { type: 'string' },
  title: { type: 'string' },
  app: { type: 'string' },
  type: { type: 'string', enum: functionTypes },
  description: { type: 'string' },
  parameters: object({
    type: { type: 'string' },
    properties: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['type', 'description'],
        properties: { type: { type: 'string' }, description: { type: 'string' } },
      },
    },
    required: texts,
  }),
})

/**
 * Returns a function as callers of area A see it. `examples` are prompts that it fits. `output` is the JSON Schema of what it returns; null if it
 * does not say. `tools` has the function as a tool in the format of each vendor.
 */
export const readCatalogFunction = endpoint({
  method: 'get',
  path: '/admin/functions/:function_name',
  access: { role: 'member' },
  summary: 'Read one function of the catalog with its parameters, its output and its tool formats.',
  errors: ['function_not_found'],
  response: object({
    function: shownFunction,
    destructive: { type: 'boolean' },
    version: { type: 'string' },
    examples: texts,
    output: { type: ['object', 'null'] },
    tools: object({ openai: { type: 'object' }, anthropic: { type: 'object' }, gemini: { type: 'object' }, mcp: { type: 'object' } }),
  }),
})
