import { endpoint } from '../endpoint.ts'
import { callFilters, callItem, cutBodies, keptBodies, outcomes } from '../functions/calls.ts'
import { listCursor, userIdFilter } from '../parts.ts'
import { arrayOf, object, timeOrNull, uuid } from '../schemas.ts'

const { internal, via, ...always } = callItem.properties
/** What the app says in the response of a call that failed, in one line of at most 300 characters. Absent if it says nothing readable. */
const message = { type: 'string' } as const
const outcome = { type: 'string', enum: [...outcomes, 'refused'] } as const
const orNull = { type: ['string', 'null'] } as const
const callRequired = {
  ...always,
  function_version: orNull,
  app: orNull,
  outcome,
  app_key: { type: 'string' },
  user_id: { type: 'string' },
} as const

/**
 * Why Onward refused a call: the status and the code of the error response. `approval_id` is the approval that the call waits for.
 * `unstored_before` is the number of refused calls of the application, since the one before, that were not stored.
 */
const refusal = object({
  status: { type: 'integer' },
  code: { type: 'string' },
  error_details: arrayOf({ type: 'string' }),
  approval_id: orNull,
  unstored_before: { type: 'integer' },
})

/**
 * A request compares at most 100,000 rows of the log. When a page ends because of that, it can have fewer calls than `page_size` although
 * more follow. `_reached` is then the time up to which the log was searched, and `_cursor` continues there; otherwise it is null.
 *
 * `failed` selects calls that failed, as the statistics count them: without a response, with an error of the app, or with a status from 400.
 * `min_duration_ms` selects calls that took so long or longer.
 *
 * `token_id` selects calls that were made with an MCP token.
 *
 * `search` is part of the user id, of the name of the function or, if the call failed, of the stored response. It can also be the request id.
 * Case is ignored. A request with it compares at most 20,000 rows.
 *
 * `refused` adds calls that Onward refused before it sent anything; `outcome=refused` selects only these. They are no tasks, are not in the
 * statistics, and have `refusal`; `message` is the error. Stored are refused calls with valid credentials or an MCP token, at most 30 of a user
 * and 120 of an application a minute. Calls from the console are left out. `failed`, `internal`, `network_code` and `min_duration_ms` select no
 * refused call.
 *
 * `after` selects calls that began after the call with this id. A call appears in the log when it ends. So to follow the log, send the id
 * of a call of a few minutes ago, and ignore the calls that you already have.
 */
export const readCalls = endpoint({
  method: 'get',
  path: '/admin/calls',
  access: { role: 'viewer', in: ['workspace_id', 'app_key'] },
  summary: 'Read the function calls log across users, newest first.',
  query: {
    type: 'object',
    properties: {
      ...callFilters,
      outcome,
      refused: { type: 'boolean', default: false },
      workspace_id: { type: 'string' },
      app_key: { type: 'string' },
      user_id: userIdFilter,
      network_code: { type: 'integer', minimum: 100, maximum: 999 },
      failed: { type: 'boolean', default: false },
      min_duration_ms: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
      request_id: { type: 'string' },
      token_id: uuid,
      search: { type: 'string', maxLength: 200 },
      after: uuid,
      _cursor: { type: 'string' },
    },
  },
  response: object({
    calls: arrayOf(object(callRequired, { internal, via, message, refusal })),
    _cursor: listCursor,
    _reached: timeOrNull,
  }),
})

/**
 * `request_id` is null for a call that the service itself made, and for calls of versions that did not store it. `bodies` says whether the
 * arguments and the output were stored. A call without a response has no output. `cut` has the lengths of the bodies that
 * are longer than 65,536 characters; such a body is a string with the first 32,768 characters of its JSON. `remedy` says what to do about a
 * refused call.
 */
export const readCall = endpoint({
  method: 'get',
  path: '/admin/calls/:call_id',
  reads: 'call.read',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Read one call of the calls log.',
  query: { type: 'object', properties: { workspace_id: { type: 'string' } } },
  errors: ['call_not_found'],
  response: object(
    { ...callRequired, request_id: { type: ['string', 'null'] }, bodies: keptBodies },
    { internal, via, message, refusal, remedy: { type: 'string' }, arguments: {}, output: {}, cut: cutBodies },
  ),
})
