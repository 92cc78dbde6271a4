import { endpoint } from '../endpoint.ts'
import { success } from '../parts.ts'

/** With `force` the account is deleted even if the app does not revoke its access. The user must then revoke it at the app. */
export const disconnectOwnAccount = endpoint({
  method: 'delete',
  path: '/connected-accounts/:id',
  summary: "Disconnect one of the caller's own accounts: its access is revoked at the app, and its credentials are deleted.",
  query: { type: 'object', properties: { force: { type: 'boolean' } } },
  answer: success,
})
