import type { FromSchema } from 'json-schema-to-ts'

/** The queue that carries task-consumed messages from functions to insights, and its key prefix (hash-tagged for Redis Cluster). */
export const TASK_QUEUE = 'task-consumed'
export const QUEUE_PREFIX = '{onward}'

/** One executed function call: a task. `id` is the call's UUIDv7, `occurred_at` its start by functions' Postgres clock. */
export const taskConsumed = {
  type: 'object',
  required: ['id', 'app_key', 'user_id', 'function_name', 'occurred_at'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', format: 'uuid' },
    app_key: { type: 'string', minLength: 1, maxLength: 200 },
    user_id: { type: 'string', minLength: 1, maxLength: 1024 },
    function_name: { type: 'string', minLength: 1, maxLength: 200 },
    occurred_at: { type: 'string', format: 'date-time' },
  },
} as const

/** The envelope of one job: the events of one flush of the outbox. Events are checked one by one against `taskConsumed`. */
export const taskConsumedJob = {
  type: 'object',
  required: ['events'],
  properties: { events: { type: 'array', minItems: 1, maxItems: 500 } },
} as const

export type TaskConsumed = FromSchema<typeof taskConsumed>
export type TaskConsumedJob = { events: TaskConsumed[] }
