import { connectPages } from './admin/applications.ts'
import { endpoint } from './endpoint.ts'
import { connectedAccount } from './functions/parts.ts'
import { EMBED_VIEWS } from './insights/embed-sessions.ts'
import { taskStatusWithPercents } from './insights/tasks.ts'
import { locale } from './parts.ts'
import { arrayOf, object, orNull, time, timeOrNull, uuid } from './schemas.ts'

/** The endpoints of the embedded page. Except for the first, they need a token: `Authorization: Bearer`. They are no part of the two areas. */

/** Exchanges the code of a link, which works once. `token` is for this page only: it must stay in memory. */
export const redeemEmbedCode = endpoint({
  method: 'post',
  path: '/embed/api/insights/redeem',
  summary: 'Begin the session of an embedded page.',
  body: object({ session_id: uuid, code: { type: 'string', minLength: 1, maxLength: 100, writeOnly: true } }),
  errors: ['embed_link_invalid'],
  response: object({ token: { type: 'string' }, views: arrayOf({ type: 'string', enum: EMBED_VIEWS }), expires_at: time }),
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
  response: object({
    ...taskStatusWithPercents.properties,
    as_of: time,
    period: orNull(object({ starts_at: time, ends_at: time })),
    days: arrayOf(object({ date: { type: 'string', format: 'date' }, tasks_consumed: { type: 'integer' } })),
    on_limit: { type: 'string', enum: ['allow', 'block'] },
    blocked_until: timeOrNull,
  }),
})

/** The access token is valid for 45 seconds, for the endpoints below. A page that shows no accounts may only read the look with it. */
export const createEmbedAccess = endpoint({
  method: 'post',
  path: '/embed/api/insights/access',
  summary: 'Get an access token for the connected accounts of the user.',
  errors: [],
  response: object({ access_token: { type: 'string' }, expires_at: time }),
})

/** How the application wants the page to look, and where users raise their limit. Without an accent, the page has its own. */
export const readEmbeddedLook = endpoint({
  method: 'get',
  path: '/embed/api/functions/look',
  summary: 'Get the accent and the theme of the page, and where users raise their limit.',
  errors: ['application_not_found'],
  response: object(
    { theme: connectPages.properties.theme },
    { accent: connectPages.properties.accent, limit_url: connectPages.properties.limit_url },
  ),
})

/**
 * `more`: the user has further accounts, all older than these. `app_icon` is a `data:` URL; null if the app has no logo. `can_reconnect` is
 * false if the app no longer exists.
 */
export const listEmbeddedAccounts = endpoint({
  method: 'get',
  path: '/embed/api/functions/accounts',
  summary: "List the user's connected accounts, newest first.",
  errors: ['application_not_found'],
  response: object({
    application: { type: 'string' },
    accounts: arrayOf(
      object({
        ...connectedAccount.properties,
        app_title: { type: 'string' },
        app_icon: { type: ['string', 'null'] },
        can_reconnect: { type: 'boolean' },
      }),
    ),
    more: { type: 'boolean' },
  }),
})

/**
 * With `account_id`, the link leads to the page that connects this account's app again. With `pick`, it leads to the page of all
 * apps, otherwise to the page of all accounts.
 */
export const openEmbeddedConnect = endpoint({
  method: 'post',
  path: '/embed/api/functions/connect',
  summary: 'Make a link with which the user connects an account again, or manages accounts, in one browser.',
  body: object({}, { account_id: { type: 'integer', minimum: 1 }, pick: { type: 'boolean' }, locale }),
  errors: ['connected_account_not_found', 'app_not_found'],
  response: object({ url: { type: 'string' }, expires_at: time }),
})
