import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize } from '../parts.ts'
import { arrayOf, object, time, uuid } from '../schemas.ts'

/**
 * The outcome of an executed call. `app_error`: the app answered with a 2xx status, but its body says that the call failed. `unreachable`:
 * nothing was sent. `unknown`: the process that executed it died.
 */
export const outcomes = ['answered', 'app_error', 'no_answer', 'unreachable', 'unknown'] as const
export type CallOutcome = (typeof outcomes)[number]

const callRequired = {
  id: uuid,
  function_name: { type: 'string' },
  function_version: { type: 'string' },
  app: { type: 'string' },
  connected_account_id: { type: ['integer', 'null'] },
  outcome: { type: 'string', enum: outcomes },
  network_code: { type: ['integer', 'null'] },
  started_at: time,
  duration_ms: { type: ['integer', 'null'] },
} as const

const callOptional = { internal: { type: 'boolean', const: true }, via: { type: 'string' } } as const

/**
 * A row of the calls log. `internal` is present when the service itself called a source function to find an id; this is not a task. `via` is
 * present for a call of an MCP client: `mcp`, or `mcp:` and the client's name. It is `console` for a call of a member in the console.
 */
export const callItem = object(callRequired, callOptional)

export type CallItem = FromSchema<typeof callItem>

const exampleCall = {
  id: '019ac2f4-7b3d-7e21-8c54-2f9d0a6b1e77',
  function_name: 'addressbook-get-contact',
  function_version: '5f1c2b7a90de',
  app: 'addressbook',
  connected_account_id: 17,
  outcome: 'answered',
  network_code: 200,
  started_at: '2026-11-23T08:15:30.123Z',
  duration_ms: 38,
} as const

export const callFilters = {
  function_name: { type: 'string' },
  app: { type: 'string' },
  outcome: { type: 'string', enum: outcomes },
  since: time,
  until: time,
  internal: { type: 'boolean', default: false },
  page_size: pageSize,
} as const

export const listCalls = endpoint({
  method: 'post',
  path: '/calls/list',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: "List the caller's own executed calls, newest first.",
  query: { type: 'object', properties: { _cursor: { type: 'string' } } },
  body: object({}, { ...callFilters, _cursor: listCursor }),
  errors: [],
  response: object({ calls: arrayOf(callItem), _cursor: listCursor }),
  examples: [
    {
      summary: 'The calls of one function since a time',
      body: { function_name: 'addressbook-get-contact', since: '2026-11-23T00:00:00Z', page_size: 20 },
      response: { calls: [exampleCall], _cursor: null },
    },
  ],
})

/**
 * Whether the arguments and the output of a call were stored. `not_kept`: the deployment does not store them (`CALL_BODIES`). `over_quota`: the
 * application had stored 1 GiB on that day.
 */
export const keptBodies = { type: 'string', enum: ['kept', 'not_kept', 'over_quota'] } as const

/** The lengths in characters of JSON of the bodies that are longer than 65,536: only their first 32,768 characters are stored. */
export const cutBodies = object({}, { arguments: { type: 'integer' }, output: { type: 'integer' } })

/**
 * `arguments` and `output` are present if `bodies` is `kept`. A call without a response has no output. `cut` has the lengths of the bodies
 * that are longer than 65,536 characters; such a body is a string with the first 32,768 characters of its JSON.
 */
export const getCall = endpoint({
  method: 'post',
  path: '/calls/:call_id/get',
  reads: 'call.read',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: "Get one of the caller's own executed calls.",
  body: { type: 'object' },
  errors: ['call_not_found'],
  response: object({ ...callRequired, bodies: keptBodies }, { ...callOptional, arguments: {}, output: {}, cut: cutBodies }),
  examples: [{ summary: 'One call', params: { call_id: exampleCall.id }, body: {}, response: { ...exampleCall, bodies: 'not_kept' } }],
})
