import { endpoint } from '../endpoint.ts'
import { name, rateLimit, rotation, slug } from './parts.ts'

/** What happens to calls of a user who has reached the limit. `allow`: they are executed. `block`: they get 429 `task_limit_reached`. */
export const onLimit = { type: 'string', enum: ['allow', 'block'] } as const

/**
 * `rate_limit` is the number of requests to area B in a minute; the default is 6,000, and it does not change if it is omitted.
 * `partner_api_key` is present only in the answer that created the workspace.
 */
export const putWorkspace = endpoint({
  method: 'put',
  path: '/admin/workspaces/:workspace_id',
  access: { role: 'owner', in: ['workspace_id'] },
  action: 'workspace.change',
  summary: 'Create a workspace, or rename it.',
  body: { type: 'object', required: ['name'], additionalProperties: false, properties: { name, rate_limit: rateLimit } },
  answer: {
    type: 'object',
    required: ['workspace_id', 'name', 'created'],
    additionalProperties: false,
    properties: {
      workspace_id: { type: 'string' },
      name: { type: 'string' },
      created: { type: 'boolean' },
      partner_api_key: { type: 'string' },
    },
  },
})

export const listWorkspaces = endpoint({
  method: 'get',
  path: '/admin/workspaces',
  access: { role: 'operator' },
  summary: 'List workspaces.',
  answer: {
    type: 'object',
    required: ['workspaces'],
    additionalProperties: false,
    properties: {
      workspaces: {
        type: 'array',
        items: {
          type: 'object',
          required: ['workspace_id', 'name', 'default_limit', 'rate_limit', 'created_at'],
          additionalProperties: false,
          properties: {
            workspace_id: { type: 'string' },
            name: { type: 'string' },
            default_limit: { type: 'integer' },
            rate_limit: rateLimit,
            created_at: { type: 'string', format: 'date-time' },
          },
        },
      },
    },
  },
})

export const rotatePartnerKey = endpoint({
  method: 'post',
  path: '/admin/workspaces/:workspace_id/rotate-key',
  access: { role: 'owner', in: ['workspace_id'] },
  action: 'workspace.rotate-key',
  summary: 'Create a new API key of a workspace. The previous keys stay valid for some hours.',
  body: rotation,
  answer: {
    type: 'object',
    required: ['workspace_id', 'partner_api_key', 'previous_valid_until'],
    additionalProperties: false,
    properties: {
      workspace_id: { type: 'string' },
      partner_api_key: { type: 'string' },
      previous_valid_until: { type: 'string', format: 'date-time' },
    },
  },
})

/** Origins of the pages that may show an embedded page of the application in a frame. */
export const embedOrigins = {
  type: 'array',
  maxItems: 20,
  uniqueItems: true,
  items: { type: 'string', maxLength: 300, pattern: '^https?://[a-z0-9.-]+(:[0-9]{1,5})?$', examples: ['https://app.example.com'] },
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
  body: {
    type: 'object',
    required: ['workspace_id'],
    additionalProperties: false,
    properties: {
      workspace_id: slug,
      limit_period: { type: 'integer', minimum: 1, maximum: 366 },
      on_limit: onLimit,
      embed_origins: embedOrigins,
      assignment: { type: 'string', maxLength: 2000, writeOnly: true },
    },
  },
  errors: [
    'assignment_required',
    'application_not_found',
    'workspace_not_found',
    'belongs_to_other_workspace',
    'already_deleted',
    'too_many_changes',
  ],
  answer: {
    type: 'object',
    required: ['app_key', 'workspace_id', 'limit_period', 'on_limit'],
    additionalProperties: false,
    properties: { app_key: { type: 'string' }, workspace_id: { type: 'string' }, limit_period: { type: 'integer' }, on_limit: onLimit },
  },
})

/** Deletes an application from area B. Its task events are still counted, and stay until their retention ends. Can be repeated. */
export const deleteInsightsApplication = endpoint({
  method: 'delete',
  path: '/admin/applications/:app_key',
  access: { role: 'owner', in: ['app_key'] },
  action: 'application.delete',
  summary: 'Delete an application: area B no longer knows it, and its App-Key cannot be assigned again.',
  answer: {
    type: 'object',
    required: ['app_key'],
    additionalProperties: false,
    properties: { app_key: { type: 'string' } },
  },
})

/** Answers 409 `workspace_has_applications` while the workspace has an application. `subscriptions` were deleted. Can be repeated. */
export const deleteWorkspace = endpoint({
  method: 'delete',
  path: '/admin/workspaces/:workspace_id',
  access: { role: 'operator' },
  action: 'workspace.delete',
  summary: 'Delete a workspace without applications: its API keys and subscriptions.',
  answer: {
    type: 'object',
    required: ['workspace_id', 'subscriptions'],
    additionalProperties: false,
    properties: { workspace_id: { type: 'string' }, subscriptions: { type: 'integer' } },
  },
})
