import { taskStatusWithPercents } from './tasks.ts'

/** Matches a webhook kind, as in the `events` of a subscription: `user_tasks_limit_<level>`, with a whole percentage from 1 to 100. */
export const webhookKind = {
  type: 'string',
  pattern: '^user_tasks_limit_([1-9]|[1-9][0-9]|100)$',
  examples: ['user_tasks_limit_80'],
} as const

/** The body of a webhook. For `user_tasks_limit_<level>` it is the status of the user at the moment at which the level was reached. */
export const webhookPayload = taskStatusWithPercents
