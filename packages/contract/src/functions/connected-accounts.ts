import { endpoint } from '../endpoint.ts'
import { success } from '../parts.ts'
import { connectedAccount } from './parts.ts'

/** With `force` the account is deleted even if the app does not revoke its access. The user must then revoke it at the app. */
export const disconnectOwnAccount = endpoint({
  method: 'delete',
  path: '/connected-accounts/:id',
  summary: "Disconnect one of the caller's own accounts: its access is revoked at the app, and its credentials are deleted.",
  query: { type: 'object', properties: { force: { type: 'boolean' } } },
  answer: success,
})

/**
 * For applications with `confirm_accounts`. `confirmation` is what the last page sent along with the id. An unknown id, an account of another
 * user, and a wrong or old `confirmation` are all 404. The answer can have another id, if the user had connected the same account before.
 */
export const confirmOwnAccount = endpoint({
  method: 'post',
  path: '/connected-accounts/:id/confirm',
  summary: 'Confirm that the caller has connected this account; only then can it be used.',
  body: {
    type: 'object',
    required: ['confirmation'],
    additionalProperties: false,
    properties: { confirmation: { type: 'string', maxLength: 100 } },
  },
  answer: connectedAccount,
})
