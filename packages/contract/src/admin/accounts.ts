import { endpoint } from '../endpoint.ts'
import { connectedAccount } from '../functions/parts.ts'
import { listCursor, pageSizeRange, success, userId, userIdFilter } from '../parts.ts'
import { arrayOf, object, time, timeOrNull } from '../schemas.ts'
import { name } from './parts.ts'

/**
 * With `test`, the app is called with the credentials first, and they are stored only if the app accepts them. The account then gets the name
 * that the app returns, unless `display_name` is given.
 */
export const connectAccount = endpoint({
  method: 'post',
  path: '/admin/applications/:app_key/connected-accounts',
  access: { role: 'developer', in: ['app_key'] },
  action: 'connected-account.create',
  summary: "Store a user's credentials for an app.",
  body: {
    type: 'object',
    required: ['user_id', 'app', 'credentials'],
    additionalProperties: false,
    properties: {
      user_id: userId,
      app: { type: 'string' },
      display_name: name,
      credentials: { type: 'object', additionalProperties: { type: 'string' }, writeOnly: true },
      test: { type: 'boolean' },
    },
  },
  response: connectedAccount,
})

/**
 * Newest first. Without `page_size`, all accounts are in one response. `is_default` selects the accounts that calls of their app use when they
 * name none, or all others. `search` is part of the user id or of the name of the account, and ignores case.
 *
 * `last_used_at` is in pages only: when the last of the user's 100 newest calls that used the account began, null if none did.
 */
export const listConnectedAccounts = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/connected-accounts',
  access: { role: 'viewer', in: ['app_key'] },
  summary: 'List connected accounts, of one user or of all.',
  query: {
    type: 'object',
    properties: {
      user_id: userIdFilter,
      search: { type: 'string', maxLength: 1024 },
      app: { type: 'string' },
      status: connectedAccount.properties.status,
      is_default: { type: 'boolean' },
      page_size: pageSizeRange,
      _cursor: { type: 'string' },
    },
  },
  response: object({
    connected_accounts: arrayOf(
      object(
        { ...connectedAccount.properties, user_id: { type: 'string' }, app: { type: 'string' }, created_at: time },
        { last_used_at: timeOrNull },
      ),
    ),
    _cursor: listCursor,
  }),
})

/**
 * `created_at` is when the user first connected the account, `modified_at` when its status or credentials last changed. `renewed_at` is
 * when its access token was requested, null for a token that came with the account. `is_default` says whether calls of the app use this
 * account when they name none.
 */
export const getConnectedAccount = endpoint({
  method: 'get',
  path: '/admin/connected-accounts/:id',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Get a connected account of an application of the workspace.',
  query: { type: 'object', properties: { workspace_id: { type: 'string' } } },
  errors: ['connected_account_not_found'],
  response: object({
    ...connectedAccount.properties,
    app_key: { type: 'string' },
    user_id: { type: 'string' },
    app: { type: 'string' },
    is_default: { type: 'boolean' },
    created_at: time,
    renewed_at: timeOrNull,
  }),
})

export const disconnectAccount = endpoint({
  method: 'delete',
  path: '/admin/applications/:app_key/connected-accounts/:id',
  access: { role: 'developer', in: ['app_key'] },
  action: 'connected-account.delete',
  summary: 'Disconnect an account: its credentials are deleted.',
  response: success,
})

/**
 * Calls the app with the stored credentials, and renews the access token if necessary. `ok` is null if the app has no function that shows
 * whether credentials work. `name` is the name that the app returns; `problem` says why the credentials do not work. An account that works
 * becomes active, unless it must be connected again. This is not a task.
 */
export const testConnectedAccount = endpoint({
  method: 'post',
  path: '/admin/applications/:app_key/connected-accounts/:id/test',
  access: { role: 'developer', in: ['app_key'] },
  action: 'connected-account.test',
  summary: 'Test whether the app accepts the credentials of an account.',
  errors: ['app_not_found', 'connected_account_not_found'],
  response: object({ ok: { type: ['boolean', 'null'] }, name: { type: ['string', 'null'] }, problem: { type: ['string', 'null'] } }),
})
