import { endpoint } from './endpoint.ts'
import { connectedAccount } from './functions/parts.ts'
import { EMBED_VIEWS } from './insights/embed-sessions.ts'
import { taskStatusWithPercents } from './insights/tasks.ts'

/** The endpoints of the embedded page. Except for the first, they need a token: `Authorization: Bearer`. They are no part of the two areas. */

const time = { type: 'string', format: 'date-time' } as const

/** Exchanges the code of a link, which works once. `token` is for this page only: it must stay in memory. */
export const redeemEmbedCode = endpoint({
  method: 'post',
  path: '/embed/api/insights/redeem',
  summary: 'Begin the session of an embedded page.',
  body: {
    type: 'object',
    required: ['session_id', 'code'],
    additionalProperties: false,
    properties: { session_id: { type: 'string', format: 'uuid' }, code: { type: 'string', minLength: 1, maxLength: 100, writeOnly: true } },
  },
  errors: ['embed_link_invalid'],
  answer: {
    type: 'object',
    required: ['token', 'views', 'expires_at'],
    additionalProperties: false,
    properties: { token: { type: 'string' }, views: { type: 'array', items: { type: 'string', enum: EMBED_VIEWS } }, expires_at: time },
  },
})

/**
 * `period` is null before the user's first task. `days` are the UTC days of the period until today; their tasks add up to `tasks_consumed`.
 * `blocked_until` is null if calls of the user are answered.
 */
export const readEmbeddedUsage = endpoint({
  method: 'get',
  path: '/embed/api/insights/usage',
  summary: "Get the user's usage in the current period.",
  errors: ['not_found', 'application_not_found'],
  answer: {
    type: 'object',
    required: [...taskStatusWithPercents.required, 'as_of', 'period', 'days', 'on_limit', 'blocked_until'],
    additionalProperties: false,
    properties: {
      ...taskStatusWithPercents.properties,
      as_of: time,
      period: {
        type: ['object', 'null'],
        required: ['starts_at', 'ends_at'],
        additionalProperties: false,
        properties: { starts_at: time, ends_at: time },
      },
      days: {
        type: 'array',
        items: {
          type: 'object',
          required: ['date', 'tasks_consumed'],
          additionalProperties: false,
          properties: { date: { type: 'string', format: 'date' }, tasks_consumed: { type: 'integer' } },
        },
      },
      on_limit: { type: 'string', enum: ['allow', 'block'] },
      blocked_until: { type: ['string', 'null'], format: 'date-time' },
    },
  },
})

/** The access token is for the endpoints below. It is valid for 45 seconds. */
export const createEmbedAccess = endpoint({
  method: 'post',
  path: '/embed/api/insights/access',
  summary: 'Get an access token for the connected accounts of the user.',
  errors: ['not_found'],
  answer: {
    type: 'object',
    required: ['access_token', 'expires_at'],
    additionalProperties: false,
    properties: { access_token: { type: 'string' }, expires_at: time },
  },
})

const { required, properties } = connectedAccount

/** `app_icon` is a `data:` URL; null if the app has no logo. `can_reconnect` is false if the app no longer exists. */
export const listEmbeddedAccounts = endpoint({
  method: 'get',
  path: '/embed/api/functions/accounts',
  summary: "List the user's connected accounts, newest first.",
  errors: ['application_not_found'],
  answer: {
    type: 'object',
    required: ['application', 'accounts'],
    additionalProperties: false,
    properties: {
      application: { type: 'string' },
      accounts: {
        type: 'array',
        items: {
          type: 'object',
          required: [...required, 'app_title', 'app_icon', 'can_reconnect'],
          additionalProperties: false,
          properties: {
            ...properties,
            app_title: { type: 'string' },
            app_icon: { type: ['string', 'null'] },
            can_reconnect: { type: 'boolean' },
          },
        },
      },
    },
  },
})

/** With `account_id`, the link leads to the page that connects this account's app again. Otherwise it leads to the page of all accounts. */
export const openEmbeddedConnect = endpoint({
  method: 'post',
  path: '/embed/api/functions/connect',
  summary: 'Make a link with which the user connects an account again, or manages accounts, in one browser.',
  body: { type: 'object', additionalProperties: false, properties: { account_id: { type: 'integer', minimum: 1 } } },
  errors: ['connected_account_not_found', 'app_not_found'],
  answer: {
    type: 'object',
    required: ['url', 'expires_at'],
    additionalProperties: false,
    properties: { url: { type: 'string' }, expires_at: time },
  },
})
