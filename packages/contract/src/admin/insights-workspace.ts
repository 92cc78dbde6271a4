import { endpoint } from '../endpoint.ts'
import { apiKey, embedOrigins, onLimit } from './insights.ts'
import { rateLimit, slug } from './parts.ts'

const time = { type: 'string', format: 'date-time' } as const

/**
 * `default_limit` is the limit of new users, `bulk_limit` the one that was last set for all users. `keys` are the API keys, newest
 * first, with those that expired in the last 30 days. The keys themselves are not stored.
 */
export const getWorkspace = endpoint({
  method: 'get',
  path: '/admin/workspaces/:workspace_id',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Get a workspace with its limits and its API keys.',
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
      keys: { type: 'array', items: apiKey },
    },
  },
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
