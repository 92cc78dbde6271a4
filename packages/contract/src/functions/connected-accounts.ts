import { endpoint } from '../endpoint.ts'
import { locale, success } from '../parts.ts'
import { arrayOf, object, time } from '../schemas.ts'
import { connectedAccount, exampleAccount } from './parts.ts'

const { type, required, additionalProperties, properties } = connectedAccount

/** `is_default` says whether calls of the app use this account when they name none. */
const ownAccount = {
  type,
  required: [...required, 'app', 'is_default'],
  additionalProperties,
  properties: { ...properties, app: { type: 'string' }, is_default: { type: 'boolean' } },
} as const

export const listOwnAccounts = endpoint({
  method: 'post',
  path: '/connected-accounts/list',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: "List the caller's own accounts, newest first, of one app or of all.",
  body: object({}, { app: { type: 'string' } }),
  errors: [],
  response: object({ connected_accounts: arrayOf(ownAccount) }),
  examples: [
    {
      summary: 'The accounts of an app',
      body: { app: 'addressbook' },
      response: { connected_accounts: [{ ...exampleAccount, app: 'addressbook', is_default: true }] },
    },
  ],
})

/** Connecting the account again keeps the name. */
export const renameOwnAccount = endpoint({
  method: 'patch',
  path: '/connected-accounts/:id',
  access: { role: 'developer', in: ['app_key'] },
  action: 'connected-account.rename',
  summary: "Rename one of the caller's own accounts.",
  body: object({ display_name: { type: 'string', minLength: 1, maxLength: 200 } }),
  errors: ['connected_account_not_found'],
  response: connectedAccount,
  examples: [
    {
      summary: 'A new name',
      params: { id: '17' },
      body: { display_name: 'Private contacts' },
      response: { ...exampleAccount, display_name: 'Private contacts' },
    },
  ],
})

/** The account is used while it is active. Otherwise the oldest active one is used. */
export const setDefaultAccount = endpoint({
  method: 'post',
  path: '/connected-accounts/:id/set_as_default',
  access: { role: 'developer', in: ['app_key'] },
  action: 'connected-account.set-default',
  summary: "Make one of the caller's own accounts the default for calls of its app.",
  body: { type: 'object' },
  errors: ['connected_account_not_found'],
  response: connectedAccount,
  examples: [{ summary: 'Use this account by default', params: { id: '17' }, body: {}, response: exampleAccount }],
})

/**
 * The link works in the first browser that opens it, which must do so before `expires_at`. With `manage` it opens a page on which the user
 * sees, renames, reconnects and disconnects accounts, of `app` or of all apps. With `pick` it opens a page with all
 * apps that the user can connect, from which the user gets to the same page. Otherwise it opens the page to connect `app`. `locale` is the
 * language of the pages; by default the browser's. `user_name` is what the pages call the user, such as an email address, instead of the
 * User-ID.
 */
export const openConnectSession = endpoint({
  method: 'post',
  path: '/connect/session',
  access: { role: 'developer', in: ['app_key'] },
  action: 'connect-session.create',
  summary: 'Make a link with which the user connects an account or manages accounts, in one browser.',
  body: object(
    {},
    {
      app: { type: 'string' },
      redirect_uri: { type: 'string' },
      manage: { type: 'boolean' },
      pick: { type: 'boolean' },
      locale,
      user_name: { type: 'string', minLength: 1, maxLength: 200, writeOnly: true },
    },
  ),
  errors: ['app_not_found'],
  response: object({ url: { type: 'string' }, expires_at: time }),
  examples: [
    {
      summary: 'A link to the page of all accounts',
      body: { manage: true, user_name: 'Joe Smith' },
      response: { url: 'https://onward.example.com/connect/accounts/AmRldg6kXo1v', expires_at: '2026-11-23T08:25:30.000Z' },
    },
  ],
})

/** With `force` the account is deleted even if the app does not revoke its access. The user must then revoke it at the app. */
export const disconnectOwnAccount = endpoint({
  method: 'delete',
  path: '/connected-accounts/:id',
  access: { role: 'developer', in: ['app_key'] },
  action: 'connected-account.disconnect',
  summary: "Disconnect one of the caller's own accounts: its access is revoked at the app, and its credentials are deleted.",
  query: { type: 'object', properties: { force: { type: 'boolean' } } },
  errors: ['connected_account_not_found', 'revocation_failed'],
  response: success,
  examples: [{ summary: 'Disconnect an account', params: { id: '17' }, response: { success: true } }],
})

/**
 * For applications with `confirm_accounts`. `confirmation` is what the last page sent along with the id. An unknown id, an account of another
 * user, and a wrong or old `confirmation` are all 404. The response can have another id, if the user had connected the same account before.
 */
export const confirmOwnAccount = endpoint({
  method: 'post',
  path: '/connected-accounts/:id/confirm',
  access: { role: 'developer', in: ['app_key'] },
  action: 'connected-account.confirm',
  summary: 'Confirm that the caller has connected this account; only then can it be used.',
  body: object({ confirmation: { type: 'string', maxLength: 100, writeOnly: true } }),
  errors: ['connected_account_not_found', 'too_many_accounts'],
  response: connectedAccount,
  examples: [
    { summary: 'Confirm an account', params: { id: '17' }, body: { confirmation: 'w3Qm0sYp7TzKcB1xV9nLfA' }, response: exampleAccount },
  ],
})
