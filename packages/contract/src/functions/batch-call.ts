import { endpoint } from '../endpoint.ts'
import { errorBody } from '../error.ts'
import { arrayOf, object } from '../schemas.ts'
import { called } from './call.ts'
import { callCursor, fields, variables } from './parts.ts'

const item = object(
  { function_name: { type: 'string', minLength: 1, maxLength: 100 } },
  {
    arguments: { type: 'object', additionalProperties: true },
    connected_account_id: { type: 'integer' },
    _variables: variables,
    _cursor: callCursor,
    _fields: fields,
    idempotency_key: { type: 'string', minLength: 1, maxLength: 255 },
  },
)

/** The result of one call. `status` is the status that a single call would have; `retry_after` is in seconds. */
const result = object(
  {
    status: { type: 'integer' },
    call_id: { type: ['string', 'null'], format: 'uuid' },
    replayed: { type: 'boolean' },
  },
  {
    retry_after: { type: 'integer' },
    result: called,
    error: errorBody,
  },
)

/**
 * Makes several calls for one user. `results` has one item for each call, in the same order: with `result`, or with `error`. All calls are made,
 * also if one fails. Each is checked, logged, counted and limited like a single call, so a blocked user gets an error for each.
 * `in_order` makes a call when the one before has ended, and `parallel` makes all at the same time. A call that could not begin within the
 * time limit of a call, 30 s by default, because of the calls before it is not made: its `error` has the code `unavailable`.
 */
export const batchCall = endpoint({
  method: 'post',
  path: '/functions/batch-call',
  access: { role: 'developer', in: ['app_key'] },
  action: 'function.batch-call',
  summary: 'Call up to 20 functions in one request.',
  body: object(
    { calls: { type: 'array', minItems: 1, maxItems: 20, items: item } },
    { mode: { type: 'string', enum: ['parallel', 'in_order'], default: 'parallel' } },
  ),
  numbers: 'exact',
  errors: [],
  response: object({ results: arrayOf(result) }),
  headers: {
    'Idempotency-Key': {
      description:
        'Each call is executed at most once per key and place: the same request within 24 hours gets the stored results, and makes only the calls that have none. An idempotency_key of a call replaces it for this call, as if the call were sent alone.',
      schema: { type: 'string', minLength: 1, maxLength: 250, examples: ['order-1017'] },
    },
  },
  examples: [
    {
      summary: 'A call with a result and a call with an error',
      body: {
        calls: [
          { function_name: 'addressbook-get-contact', arguments: { contact_id: 1 }, _fields: ['name'] },
          { function_name: 'addressbook-get-contact', arguments: { contact_id: 'one' } },
        ],
        mode: 'parallel',
      },
      response: {
        results: [
          {
            status: 200,
            call_id: '019ac2f6-1d7e-7b02-8e45-6a3c9f0d2b18',
            replayed: false,
            result: { network_code: 200, output: { name: 'Ada Ashgrove' } },
          },
          {
            status: 400,
            call_id: null,
            replayed: false,
            error: {
              error: 'the parameters are not valid',
              error_details: ['contact_id: must be a whole number'],
              code: 'invalid_parameters',
              request_id: '5b1f6c2e-8f1d-4a39-9a55-0d5e5f0c7a11',
            },
          },
        ],
      },
    },
  ],
})
