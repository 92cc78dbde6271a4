import { endpoint } from '../endpoint.ts'
import { name, rotation, slug } from './parts.ts'

/** What becomes of calls of a user who has reached the limit: they go on, or functions answers them 429 `task_limit_reached`. */
export const onLimit = { type: 'string', enum: ['allow', 'block'] } as const

/** `partner_api_key` is there only in the answer that made it. */
export const putWorkspace = endpoint({
  method: 'put',
  path: '/admin/workspaces/:workspace_id',
  summary: 'Create a workspace (a partner), or rename it.',
  body: { type: 'object', required: ['name'], additionalProperties: false, properties: { name } },
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
          required: ['workspace_id', 'name', 'default_limit', 'created_at'],
          additionalProperties: false,
          properties: {
            workspace_id: { type: 'string' },
            name: { type: 'string' },
            default_limit: { type: 'integer' },
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
  summary: 'Make a new partner API key; the one before stays valid for a while.',
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

/**
 * Tells insights whose application an App-Key is. `limit_period` is in days; a change starts when each user's current window ends.
 * What is left out stays as it is, or is 30 days and `allow`.
 */
export const putInsightsApplication = endpoint({
  method: 'put',
  path: '/admin/applications/:app_key',
  summary: "Assign an application to a workspace, and set the length of its users' limit period and what happens at the limit.",
  body: {
    type: 'object',
    required: ['workspace_id'],
    additionalProperties: false,
    properties: { workspace_id: slug, limit_period: { type: 'integer', minimum: 1, maximum: 366 }, on_limit: onLimit },
  },
  answer: {
    type: 'object',
    required: ['app_key', 'workspace_id', 'limit_period', 'on_limit'],
    additionalProperties: false,
    properties: { app_key: { type: 'string' }, workspace_id: { type: 'string' }, limit_period: { type: 'integer' }, on_limit: onLimit },
  },
})
