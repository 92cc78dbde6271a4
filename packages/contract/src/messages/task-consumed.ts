import type { FromSchema } from 'json-schema-to-ts'
import { object, time, uuid } from '../schemas.ts'

/** The queue that carries task events from functions to insights. */
export const TASK_QUEUE = 'task-consumed'
/** The prefix of all keys in Redis. The braces keep a queue's keys in one slot of a Redis Cluster. */
export const QUEUE_PREFIX = '{onward}'

/** A task event. `id` is the UUIDv7 of the function call, and `occurred_at` is its start by the Postgres clock of functions. */
export const taskConsumed = object({
  id: uuid,
  app_key: { type: 'string', minLength: 1, maxLength: 200 },
  user_id: { type: 'string', minLength: 1, maxLength: 1024 },
  function_name: { type: 'string', minLength: 1, maxLength: 200 },
  occurred_at: time,
})

/**
 * The data of one job: the task events of an outbox row. Each event is checked by itself against `taskConsumed`. `traces` has the W3C
 * `traceparent` of events that belong to a trace, by their ids. It is not a field of the event, because a consumer of version 0.1.0 counts no
 * event with an unknown field, but accepts one here.
 */
export const taskConsumedJob = {
  type: 'object',
  required: ['events'],
  properties: { events: { type: 'array', minItems: 1, maxItems: 500 }, traces: { type: 'object' } },
} as const

export type TaskConsumed = FromSchema<typeof taskConsumed>
export type TaskConsumedJob = { events: TaskConsumed[]; traces?: Record<string, unknown> }
