import { endpoint } from '../endpoint.ts'

/** With `force` the account goes even if the app does not take its access back: it must then be withdrawn there. */
export const disconnectOwnAccount = endpoint({
  method: 'delete',
  path: '/connected-accounts/:id',
  summary: "Disconnect one of the caller's own accounts: the app is told to take its access back, and the credentials are deleted.",
  query: { type: 'object', properties: { force: { type: 'boolean' } } },
  answer: {
    type: 'object',
    required: ['success'],
    additionalProperties: false,
    properties: { success: { type: 'boolean', const: true } },
  },
})
