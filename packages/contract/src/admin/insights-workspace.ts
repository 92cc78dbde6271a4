import { endpoint } from '../endpoint.ts'
import { success } from '../parts.ts'
import { embedOrigins, onLimit } from './insights.ts'
import { rateLimit, slug } from './parts.ts'

const time = { type: 'string', format: 'date-time' } as const
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const

/**
 * `default_limit` is the limit of new users, `bulk_limit` the one that was last set for all users. `keys` are the valid API keys, newest
 * first: `expires_at` is null for the current one. The keys themselves are not stored.
 */
export const getWorkspace = endpoint({
  method: 'get',
  path: '/admin/workspaces/:workspace_id',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Get a workspace with its limits and the times of its API keys.',
  errors: ['workspace_not_found'],
  answer: {
    type: 'object',
    required: ['workspace_id', 'name', 'default_limit', 'bulk_limit', 'rate_limit', 'created_at', 'keys'],
    additionalProperties: false,
    properties: {
      workspace_id: { type: 'string' },
      name: { type: 'string' },
      default_limit: { type: 'integer' },
      bulk_limit: { type: ['integer', 'null'] },
      rate_limit: rateLimit,
      created_at: time,
      keys: {
        type: 'array',
        items: {
          type: 'object',
          required: ['created_at', 'expires_at'],
          additionalProperties: false,
          properties: { created_at: time, expires_at: timeOrNull },
        },
      },
    },
  },
})

/** Ends the time during which keys from before a rotation are still valid. Can be repeated. */
export const deletePreviousKeys = endpoint({
  method: 'delete',
  path: '/admin/workspaces/:workspace_id/previous-keys',
  access: { role: 'owner', in: ['workspace_id'] },
  action: 'workspace.delete-previous-keys',
  summary: 'Delete all API keys of a workspace except the current one, at once.',
  errors: ['workspace_not_found'],
  answer: success,
})

/**
 * Ordered by App-Key. Without `workspace_id`: the applications of all workspaces, and those that have tasks but no workspace yet.
 * `limit_period` is the newest length, in days.
 */
export const listInsightsApplications = endpoint({
  method: 'get',
  path: '/admin/applications',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'List applications with their limit periods.',
  query: { type: 'object', properties: { workspace_id: slug } },
  errors: [],
  answer: {
    type: 'object',
    required: ['applications'],
    additionalProperties: false,
    properties: {
      applications: {
        type: 'array',
        items: {
          type: 'object',
          required: ['app_key', 'workspace_id', 'limit_period', 'on_limit', 'embed_origins', 'created_at'],
          additionalProperties: false,
          properties: {
            app_key: { type: 'string' },
            workspace_id: { type: ['string', 'null'] },
            limit_period: { type: 'integer' },
            on_limit: onLimit,
            embed_origins: embedOrigins,
            created_at: time,
          },
        },
      },
    },
  },
})
