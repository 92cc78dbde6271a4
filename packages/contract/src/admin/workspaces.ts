import { endpoint } from '../endpoint.ts'
import { API_KEY_SCOPES } from '../insights/scopes.ts'
import { success, unchanged } from '../parts.ts'
import { arrayOf, object, time, timeOrNull, uuid } from '../schemas.ts'
import { name, rateLimit, rotation, slug } from './parts.ts'

/** What happens to calls of a user who has reached the limit. `allow`: they are executed. `block`: they get 429 `task_limit_reached`. */
export const onLimit = { type: 'string', enum: ['allow', 'block'] } as const

const scopes = { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: API_KEY_SCOPES } } as const

/**
 * The names, scopes and times of an API key. `masked` is its prefix and its last four characters, null for a key of an older version.
 * `last_used_at` is up to a minute old. A `replaced` key was rotated, and is valid until it expires.
 */
export const apiKey = object({
  id: uuid,
  name: { type: 'string' },
  masked: { type: ['string', 'null'] },
  scopes: arrayOf({ type: 'string', enum: API_KEY_SCOPES }),
  created_at: time,
  last_used_at: timeOrNull,
  expires_at: timeOrNull,
  replaced: { type: 'boolean' },
})

/**
 * `rate_limit` is the number of requests to area B in a minute; the default is 6,000, and it does not change if it is omitted.
 * `partner_api_key` is present only in the response that created the workspace. `key_scopes` are the scopes of this key; by default all but
 * `accounts`.
 */
export const putWorkspace = endpoint({
  method: 'put',
  path: '/admin/workspaces/:workspace_id',
  access: { role: 'owner', in: ['workspace_id'] },
  action: 'workspace.change',
  summary: 'Create a workspace, or rename it.',
  body: object({ name }, { rate_limit: rateLimit, key_scopes: scopes, if_unchanged: unchanged({ name, rate_limit: rateLimit }) }),
  errors: ['already_deleted', 'changed_since_read', 'workspace_not_found'],
  response: object(
    {
      workspace_id: { type: 'string' },
      name: { type: 'string' },
      created: { type: 'boolean' },
    },
    { partner_api_key: { type: 'string' } },
  ),
})

export const listWorkspaces = endpoint({
  method: 'get',
  path: '/admin/workspaces',
  access: { role: 'operator' },
  summary: 'List workspaces.',
  response: object({
    workspaces: arrayOf(
      object({
        workspace_id: { type: 'string' },
        name: { type: 'string' },
        default_limit: { type: 'integer' },
        rate_limit: rateLimit,
        created_at: time,
      }),
    ),
  }),
})

/**
 * `default_limit` is the limit of new users, `bulk_limit` the limit last set for all users. `keys` are the API keys, newest first,
 * including keys that expired in the last 30 days. The keys themselves are not stored.
 */
export const getWorkspace = endpoint({
  method: 'get',
  path: '/admin/workspaces/:workspace_id',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Get a workspace with its limits and its API keys.',
  errors: ['workspace_not_found'],
  response: object({
    workspace_id: { type: 'string' },
    name: { type: 'string' },
    default_limit: { type: 'integer' },
    bulk_limit: { type: ['integer', 'null'] },
    rate_limit: rateLimit,
    created_at: time,
    keys: arrayOf(apiKey),
  }),
})

/** Answers 409 `workspace_has_applications` while the workspace has an application. `subscriptions` were deleted. Can be repeated. */
export const deleteWorkspace = endpoint({
  method: 'delete',
  path: '/admin/workspaces/:workspace_id',
  access: { role: 'operator' },
  action: 'workspace.delete',
  summary: 'Delete a workspace without applications: its API keys and subscriptions.',
  response: object({ workspace_id: { type: 'string' }, subscriptions: { type: 'integer' } }),
})

/**
 * `users_over` have reached their limit in the current period; `users_near` have consumed 80 % of it or more. At most 200,000 users are
 * compared; `capped` says that the workspace has more. `subscriptions` are the failing or disabled subscriptions, newest first, at most
 * 100.
 */
export const getWorkspaceAttention = endpoint({
  method: 'get',
  path: '/admin/workspaces/:workspace_id/attention',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Count the users at or near their limit, and list subscriptions that fail or are disabled.',
  errors: ['workspace_not_found'],
  response: object({
    users_near: { type: 'integer' },
    users_over: { type: 'integer' },
    capped: { type: 'boolean' },
    subscriptions: arrayOf(
      object({
        subscription_id: uuid,
        callback_url: { type: 'string' },
        failing_since: timeOrNull,
        disabled_at: timeOrNull,
      }),
    ),
  }),
})

/** Without `expires_in_days`, the key does not expire. A workspace has at most 100 keys. `partner_api_key` is shown only in this response. */
export const createApiKey = endpoint({
  method: 'post',
  path: '/admin/workspaces/:workspace_id/keys',
  access: { role: 'owner', in: ['workspace_id'] },
  action: 'workspace.create-key',
  summary: 'Create another API key of a workspace, with a name, scopes and an expiry.',
  body: object({ name, scopes }, { expires_in_days: { type: 'integer', minimum: 1, maximum: 3_650 } }),
  errors: ['workspace_not_found', 'too_many_api_keys'],
  response: object({ partner_api_key: { type: 'string' }, key: apiKey }),
})

/** The embedded pages that were made with the key end too. */
export const revokeApiKey = endpoint({
  method: 'delete',
  path: '/admin/workspaces/:workspace_id/keys/:key_id',
  access: { role: 'owner', in: ['workspace_id'] },
  action: 'workspace.revoke-key',
  summary: 'Revoke an API key of a workspace at once.',
  errors: ['workspace_not_found', 'api_key_not_found'],
  response: success,
})

/**
 * The new key has the name, the scopes and the expiry of the replaced key. Keys that the replaced key itself replaced end by then too.
 * `key_id` is needed if the workspace has several keys.
 */
export const rotatePartnerKey = endpoint({
  method: 'post',
  path: '/admin/workspaces/:workspace_id/rotate-key',
  access: { role: 'owner', in: ['workspace_id'] },
  action: 'workspace.rotate-key',
  summary: 'Replace an API key of a workspace. The previous one stays valid for some hours.',
  body: { ...rotation, properties: { ...rotation.properties, key_id: uuid } },
  errors: ['workspace_not_found', 'api_key_not_found', 'too_many_api_keys'],
  response: object({
    workspace_id: { type: 'string' },
    key_id: uuid,
    partner_api_key: { type: 'string' },
    previous_valid_until: time,
  }),
})

/** Origins of the pages that may show an embedded page of the application in a frame. */
export const embedOrigins = {
  type: 'array',
  maxItems: 20,
  uniqueItems: true,
  items: { type: 'string', maxLength: 300, pattern: '^https?://[a-z0-9.-]+(:[0-9]{1,5})?$', examples: ['https://app.example.com'] },
} as const

const insightsSettings = {
  limit_period: { type: 'integer', minimum: 1, maximum: 366 },
  on_limit: onLimit,
  embed_origins: embedOrigins,
} as const

/**
 * Assigns an App-Key to a workspace. `limit_period` is in days; a new length starts when the current period of each user ends. A property that
 * is missing does not change; for a new application it is 30 days, `allow` and no origin. If the App-Key belongs to no workspace yet, a member
 * must send the `assignment` that functions returned for the same App-Key and workspace.
 */
export const putInsightsApplication = endpoint({
  method: 'put',
  path: '/admin/applications/:app_key',
  access: { role: 'developer', in: ['app_key', 'workspace_id'], assigns: true },
  action: 'application.change',
  summary: 'Assign an application to a workspace. Sets the length of its limit period and what happens at the limit.',
  body: object(
    { workspace_id: slug },
    {
      ...insightsSettings,
      assignment: { type: 'string', maxLength: 2000, writeOnly: true },
      if_unchanged: unchanged(insightsSettings),
    },
  ),
  errors: [
    'assignment_required',
    'changed_since_read',
    'application_not_found',
    'workspace_not_found',
    'belongs_to_other_workspace',
    'already_deleted',
    'too_many_changes',
  ],
  response: object({ app_key: { type: 'string' }, workspace_id: { type: 'string' }, limit_period: { type: 'integer' }, on_limit: onLimit }),
})

/**
 * Ordered by App-Key. Without `workspace_id`: the applications of all workspaces, and applications with tasks but no workspace yet.
 * `limit_period` is the newest length, in days.
 */
export const listInsightsApplications = endpoint({
  method: 'get',
  path: '/admin/applications',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'List applications with their limit periods.',
  query: { type: 'object', properties: { workspace_id: slug } },
  errors: [],
  response: object({
    applications: arrayOf(
      object({
        app_key: { type: 'string' },
        workspace_id: { type: ['string', 'null'] },
        limit_period: { type: 'integer' },
        on_limit: onLimit,
        embed_origins: embedOrigins,
        created_at: time,
      }),
    ),
  }),
})

/** Deletes an application from area B. Its task events are still counted, and stay until their retention ends. Can be repeated. */
export const deleteInsightsApplication = endpoint({
  method: 'delete',
  path: '/admin/applications/:app_key',
  access: { role: 'owner', in: ['app_key'] },
  action: 'application.delete',
  summary: 'Delete an application: area B no longer knows it, and its App-Key cannot be assigned again.',
  response: object({ app_key: { type: 'string' } }),
})
