import { endpoint } from '../endpoint.ts'
import { callCursor, variables } from './parts.ts'

/** The function's own parameters are further keys of the body; they are checked against the function's schema. */
export const callFunction = endpoint({
  method: 'post',
  path: '/functions/:function_name/call',
  summary: "Call a function with the user's stored credentials.",
  query: { type: 'object', properties: { connected_account_id: { type: 'string' }, _cursor: { type: 'string' } } },
  body: { type: 'object', properties: { _variables: variables, _cursor: callCursor }, additionalProperties: true },
  answer: {
    type: 'object',
    required: ['network_code', 'output'],
    additionalProperties: false,
    properties: { network_code: { type: 'integer' }, output: {}, _cursor: callCursor },
  },
})
