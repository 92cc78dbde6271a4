import type { FromSchema } from 'json-schema-to-ts'
import { approvalDeciders } from '../functions/approvals.ts'
import { object } from '../schemas.ts'
import { taskLimit, taskStatusWithPercents } from './tasks.ts'

const EXAMPLE = {
  event_id: '019ac2f5-02aa-7c19-b3d6-91f7e5a40c28',
  user_id: 'joe@example.com',
  occurred_at: '2026-11-23T08:15:30.988Z',
} as const
const EXAMPLE_ACCOUNT = { ...EXAMPLE, app: 'slack', connected_account_id: 42 } as const
const EXAMPLE_APPROVAL = {
  ...EXAMPLE,
  approval_id: '019ac2f4-7d10-7b52-a1c4-5f0e92d7b631',
  function_name: 'slack-post-message',
  app: 'slack',
} as const

/** The fields that the bodies of all events have. */
const EVENT = {
  event_id: { type: 'string', format: 'uuid', description: 'The same for every subscription that receives the event.' },
  user_id: { type: 'string', description: 'The user whom the event is about.' },
  occurred_at: { type: 'string', format: 'date-time', description: 'The time of the change.' },
} as const
const APPROVAL = {
  approval_id: { type: 'string', description: 'The id of the approval.' },
  function_name: { type: 'string', description: 'The function that the call asks for.' },
  app: { type: 'string', description: 'The name of the app.' },
} as const

const account = {
  ...object({
    ...EVENT,
    app: { type: 'string', description: 'The name of the app.' },
    connected_account_id: { type: 'integer', description: 'The id of the connected account.' },
  }),
  examples: [EXAMPLE_ACCOUNT],
} as const

/** The bodies of webhooks about what happens in area A. They hold neither credentials nor arguments of calls. */
export const functionsWebhooks = {
  account_connected: {
    ...account,
    description: 'A user has connected an account, or an account that had to be connected again works again.',
  },
  account_disconnected: {
    ...account,
    description: 'An account was disconnected: by the user, the application or a member, or because the application was deleted.',
  },
  account_reconnect_required: {
    ...account,
    description: 'The app permanently rejects the credentials of an account. Calls fail until the user connects it again.',
  },
  approval_requested: {
    ...object({ ...EVENT, ...APPROVAL, expires_at: { type: 'string', format: 'date-time', description: 'The end of the approval.' } }),
    description: 'A call waits for approval.',
    examples: [{ ...EXAMPLE_APPROVAL, expires_at: '2026-11-23T09:15:30.000Z' }],
  },
  approval_decided: {
    ...object({
      ...EVENT,
      ...APPROVAL,
      result: { enum: ['approved', 'refused'], description: 'The decision.' },
      decided_by: { enum: approvalDeciders, description: 'Who decided.' },
    }),
    description: 'A call was approved or refused.',
    examples: [{ ...EXAMPLE_APPROVAL, result: 'approved', decided_by: 'user' }],
  },
} as const

/** A webhook kind of area A. */
export type FunctionsKind = keyof typeof functionsWebhooks
type Bodies = { [K in FunctionsKind]: FromSchema<(typeof functionsWebhooks)[K]> }
/** An event of area A: its kind, and what the body of its webhook has beside the fields of all events. */
export type FunctionsEvent = { [K in FunctionsKind]: { kind: K } & Omit<Bodies[K], keyof typeof EVENT> }[FunctionsKind]

const limitChanged = {
  ...object({
    ...EVENT,
    user_id: { type: ['string', 'null'], description: 'The user, or null for all existing users of all applications of the workspace.' },
    current_limit: { ...taskLimit, description: 'The tasks allowed in a period from now on.' },
    previous_limit: {
      type: ['integer', 'null'],
      description: 'The limit before. Null for a user who did not exist, and for all existing users.',
    },
  }),
  description: 'The limit of a user has changed, or one limit was set for all existing users. The default for new users causes no event.',
  examples: [{ ...EXAMPLE, current_limit: 10_000, previous_limit: 5_000 }],
} as const
export type LimitChanged = FromSchema<typeof limitChanged>

/** The bodies of webhooks of all kinds except `user_tasks_limit_<level>`, by kind. */
export const eventWebhooks = { ...functionsWebhooks, limit_changed: limitChanged } as const
/** A webhook kind other than `user_tasks_limit_<level>`. */
export type EventKind = keyof typeof eventWebhooks

/** The body of a webhook. For `user_tasks_limit_<level>` it is the status of the user at the moment at which the level was reached. */
export const webhookPayload = {
  anyOf: [taskStatusWithPercents, account, functionsWebhooks.approval_requested, functionsWebhooks.approval_decided, limitChanged],
} as const

/**
 * Matches a webhook kind, as in the `events` of a subscription: `user_tasks_limit_<level>`, with a whole percentage from 1 to 100, or the kind
 * of an event.
 */
export const webhookKind = {
  type: 'string',
  pattern: `^(user_tasks_limit_([1-9]|[1-9][0-9]|100)|${Object.keys(eventWebhooks).join('|')})$`,
  examples: ['user_tasks_limit_80', 'account_reconnect_required'],
} as const
