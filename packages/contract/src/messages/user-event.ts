import type { FromSchema } from 'json-schema-to-ts'
import { type FunctionsKind, functionsWebhooks } from '../insights/webhook-kinds.ts'
import { object } from '../schemas.ts'
import { taskConsumed } from './task-consumed.ts'

/** The queue that carries events about users from functions to insights, which sends webhooks about them. */
export const USER_EVENT_QUEUE = 'user-events'

const { id, app_key, user_id, occurred_at } = taskConsumed.properties

/** An event about a user. `data` are the fields that the body of its webhook has beside the fields of all events. */
export const userEvent = object({
  id,
  kind: { enum: Object.keys(functionsWebhooks) as FunctionsKind[] },
  app_key,
  user_id,
  occurred_at,
  data: { type: 'object' },
})

/** The data of one job. */
export const userEventJob = object({ events: { type: 'array', minItems: 1, maxItems: 500, items: userEvent } })

export type UserEvent = FromSchema<typeof userEvent>
