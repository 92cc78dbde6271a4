import type { FromSchema } from 'json-schema-to-ts'
import { taskStatusWithPercents } from './tasks.ts'

/** The body of a webhook of the kind `user_tasks_limit_<level>`: the status of the user at the moment at which the level was reached. */
export const webhookPayload = taskStatusWithPercents

/** The fields that all bodies below have. */
const EVENT = {
  event_id: { type: 'string', format: 'uuid', description: 'The same for every subscription that receives the event.' },
  user_id: { type: 'string', description: 'The user whom the event is about.' },
  occurred_at: { type: 'string', format: 'date-time', description: 'The time of the change.' },
} as const
const ACCOUNT = {
  app: { type: 'string', description: 'The name of the app.' },
  connected_account_id: { type: 'integer', description: 'The id of the connected account.' },
} as const
const APPROVAL = {
  approval_id: { type: 'string', description: 'The id of the approval.' },
  function_name: { type: 'string', description: 'The function that the call asks for.' },
  app: { type: 'string', description: 'The name of the app.' },
} as const

const accountBody = {
  type: 'object',
  required: ['event_id', 'user_id', 'occurred_at', 'app', 'connected_account_id'],
  additionalProperties: false,
  properties: { ...EVENT, ...ACCOUNT },
} as const

/** The bodies of webhooks about what happens in area A. They hold neither credentials nor arguments of calls. */
export const functionsWebhooks = {
  account_connected: {
    ...accountBody,
    description: 'A user has connected an account, or an account that had to be connected again works again.',
  },
  account_disconnected: {
    ...accountBody,
    description: 'An account was disconnected: by the user, the application or a member, or because the application was deleted.',
  },
  account_reconnect_required: {
    ...accountBody,
    description: 'The app permanently rejects the credentials of an account. Calls fail until the user connects it again.',
  },
  approval_requested: {
    type: 'object',
    description: 'A call waits for approval.',
    required: ['event_id', 'user_id', 'occurred_at', 'approval_id', 'function_name', 'app', 'expires_at'],
    additionalProperties: false,
    properties: { ...EVENT, ...APPROVAL, expires_at: { type: 'string', format: 'date-time', description: 'The end of the approval.' } },
  },
  approval_decided: {
    type: 'object',
    description: 'A call was approved or refused.',
    required: ['event_id', 'user_id', 'occurred_at', 'approval_id', 'function_name', 'app', 'result', 'decided_by'],
    additionalProperties: false,
    properties: {
      ...EVENT,
      ...APPROVAL,
      result: { enum: ['approved', 'refused'], description: 'The decision.' },
      decided_by: { enum: ['user', 'member', 'application'], description: 'Who decided.' },
    },
  },
} as const

/** A webhook kind of area A. */
export type FunctionsKind = keyof typeof functionsWebhooks
type Bodies = { [K in FunctionsKind]: FromSchema<(typeof functionsWebhooks)[K]> }
/** An event of area A: its kind, and what the body of its webhook has beside the fields of all events. */
export type FunctionsEvent = { [K in FunctionsKind]: { kind: K } & Omit<Bodies[K], keyof typeof EVENT> }[FunctionsKind]

/** Matches a webhook kind, as in the `events` of a subscription: `user_tasks_limit_<level>`, with a whole percentage from 1 to 100. */
export const webhookKind = {
  type: 'string',
  pattern: '^user_tasks_limit_([1-9]|[1-9][0-9]|100)$',
  examples: ['user_tasks_limit_80'],
} as const
