import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { userId } from '../parts.ts'
import { arrayOf, object, time } from '../schemas.ts'
import { slug } from './parts.ts'

/** `read_only`: only functions of type QUERY can be called. `suspended`: every request with the App-Key or with a token is refused. */
export const suspensionState = { type: 'string', enum: ['read_only', 'suspended'] } as const
export type SuspensionState = (typeof suspensionState.enum)[number]

const state = { type: 'string', enum: ['active', ...suspensionState.enum] } as const

const suspension = object({
  workspace_id: { type: 'string' },
  app_key: { type: ['string', 'null'] },
  user_id: { type: ['string', 'null'] },
  state: suspensionState,
  reason: { type: 'string' },
  by_operator: { type: 'boolean' },
  suspended_at: time,
})
export type Suspension = FromSchema<typeof suspension>

/**
 * Without `app_key`, the whole workspace is suspended, and without `user_id`, all users of the application. `active` ends a suspension. Of
 * several that concern a user, the strictest counts. Callers get 403 `suspended` with `reason`, in every process within a second. Calls in
 * progress end as usual. What an operator has suspended, only an operator changes. Users can still disconnect their accounts, and insights
 * still counts and answers. At most 1,000 users of an application can be suspended.
 * Deleting a user ends its suspension. `previous_state` is the state that exactly this workspace, application or user had before.
 */
export const putSuspension = endpoint({
  method: 'put',
  path: '/admin/suspensions',
  access: { role: 'owner', in: ['workspace_id', 'app_key'] },
  action: 'suspension.change',
  summary: 'Suspend a workspace, an application or a user, or end that.',
  body: object({ workspace_id: slug, state }, { app_key: slug, user_id: userId, reason: { type: 'string', minLength: 1, maxLength: 500 } }),
  errors: ['application_not_found', 'role_required', 'too_many_suspensions', 'workspace_not_found'],
  response: object({ previous_state: state, suspensions: arrayOf(suspension) }),
})

/** `app_key` and `user_id` are null where all are meant. */
export const listSuspensions = endpoint({
  method: 'get',
  path: '/admin/suspensions',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'List the suspensions of a workspace.',
  query: { type: 'object', properties: { workspace_id: { type: 'string' } } },
  response: object({ suspensions: arrayOf(suspension) }),
})
