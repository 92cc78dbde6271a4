import type { FromSchema } from 'json-schema-to-ts'
import { endpoint, type ResponseOf } from '../endpoint.ts'
import { object, uuid } from '../schemas.ts'
import { callCursor, fields, neededScopes, sentRequest, variables, verdict } from './parts.ts'

/**
 * What the response of the app says besides its status and body. Present if it has a field:
 * - `app_error`: the status is 2xx, but the body says that the call failed, as with `ok: false` of Slack
 * - `next_page_problem`: why there is no `_cursor`, although the app announces or may have a next page
 * - `retry_after`: the seconds after which the app wants the next request; also in the header `Retry-After`
 * - `location`: the header `Location` of the response
 * - `refused_account`: the app refused the credentials of the account, and Onward cannot renew them; `status` is that of the account now, and
 *   the user connects it again at `login_url`
 * - `needed_scopes`: the app responded 403, which it does for several reasons, also for missing scopes. These are the scopes that the function
 *   needs: each item is enough, with all of its scopes
 * - `fields_missing`: the paths of `_fields` that lead to nothing
 */
const callMeta = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    app_error: { type: 'boolean', const: true },
    next_page_problem: { type: 'string' },
    retry_after: { type: 'integer', minimum: 0 },
    location: { type: 'string' },
    refused_account: object({ status: { type: 'string', enum: ['expired', 'reconnect_required'] } }, { login_url: { type: 'string' } }),
    needed_scopes: neededScopes,
    fields_missing: { type: 'array', minItems: 1, items: { type: 'string' } },
  },
} as const

export type CallMeta = FromSchema<typeof callMeta>

const exampleContact = {
  id: 1,
  name: 'Ada Ashgrove',
  email: 'ada.ashgrove@example.com',
  phone: '+1-202-555-0100',
  tags: ['customer', 'supplier'],
  group: 'family',
  address: { city: 'Lisbon', country: 'Portugal' },
  favourite: true,
  created_at: '2024-01-08T09:00:00.000Z',
} as const

/** What a call returned. */
export const called = object({ network_code: { type: 'integer' }, output: {} }, { _cursor: callCursor, meta: callMeta })

/**
 * What a call would send, and what the rules of the application say about it. Secrets of the account appear as `[redacted]`, and a file as
 * `<file from its URL>` or `<file of 1024 bytes>`.
 */
const dryRun = object({
  dry_run: { type: 'boolean', const: true },
  request: sentRequest,
  account_id: { type: ['integer', 'null'] },
  policy: verdict,
})

/**
 * The other keys of the body are the function's own parameters; they are checked against the function's schema. With `dry_run`, everything is
 * checked, and the response has the request that the call would send; nothing is sent, logged or counted.
 */
export const callFunction = endpoint({
  method: 'post',
  path: '/functions/:function_name/call',
  access: { role: 'developer', in: ['app_key'] },
  action: 'function.call',
  summary: "Call a function with the user's stored credentials.",
  query: {
    type: 'object',
    properties: { connected_account_id: { type: 'string' }, _cursor: { type: 'string' }, dry_run: { type: 'boolean' } },
  },
  body: { type: 'object', properties: { _variables: variables, _cursor: callCursor, _fields: fields }, additionalProperties: true },
  numbers: 'exact',
  errors: [
    'account_not_connected',
    'account_not_found',
    'account_reconnect_required',
    'denied_by_policy',
    'approval_required',
    'approval_refused',
    'too_many_approvals',
    'function_not_found',
    'idempotency_conflict',
    'idempotency_in_progress',
    'answer_not_stored',
    'task_limit_reached',
    'upstream_unreachable',
    'upstream_invalid',
    'token_renewal_failed',
    'outcome_not_recorded',
    'upstream_timeout',
    'outcome_unknown',
  ],
  response: { type: 'object', anyOf: [called, dryRun] },
  headers: {
    'Idempotency-Key': {
      description:
        'The call is executed at most once per key: the same request within 24 hours gets the stored response, or 410 if it was too large to store.',
      schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['order-1017'] },
    },
  },
  responseHeaders: {
    'X-Call-ID': {
      description: 'The id of the call in the calls log. Present when the call was executed.',
      schema: uuid,
    },
    'Retry-After': {
      description: 'The seconds after which the app wants the next request. Present when the app says so.',
      schema: { type: 'string', pattern: '^[0-9]+$' },
    },
    'Idempotency-Replayed': {
      description: 'Present when the response is the stored one of an earlier request with the same Idempotency-Key.',
      schema: { type: 'string', const: 'true' },
    },
  },
  examples: [
    {
      summary: 'One contact',
      params: { function_name: 'addressbook-get-contact' },
      body: { contact_id: 1 },
      response: { network_code: 200, output: exampleContact },
    },
    {
      summary: 'A page of a list; _cursor gets the next page',
      params: { function_name: 'addressbook-list-contacts' },
      body: { page_size: 1 },
      response: { network_code: 200, output: [exampleContact], _cursor: 'YWZ0ZXI6MQ' },
    },
    {
      summary: 'With variables',
      params: { function_name: 'addressbook-get-contact' },
      body: { contact_id: '{contact.id}', _variables: { contact: { id: 1 } } },
      response: { network_code: 200, output: exampleContact },
    },
    {
      summary: 'Only some fields of the output',
      params: { function_name: 'addressbook-list-contacts' },
      body: { page_size: 1, _fields: ['name', 'address.city', 'phone_number'] },
      response: {
        network_code: 200,
        output: [{ name: exampleContact.name, address: { city: 'Lisbon' } }],
        _cursor: 'YWZ0ZXI6MQ',
        meta: { fields_missing: ['phone_number'] },
      },
    },
    {
      summary: 'An error of the app is a result too',
      params: { function_name: 'addressbook-get-contact' },
      body: { contact_id: 999 },
      response: { network_code: 404, output: { error: 'There is no such contact.' } },
    },
  ],
})

/** The response to a call that is not a dry run. */
export type CallBody = Extract<ResponseOf<typeof callFunction>, { readonly network_code: number }>
