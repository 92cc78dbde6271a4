import { taskStatusWithPercents } from './tasks.ts'

/** The webhook kinds, named in the `events` of a subscription: `user_tasks_limit_<level>`, where level is a whole percentage from 1 to 100. */
export const EVENT_PATTERN = '^user_tasks_limit_([1-9]|[1-9][0-9]|100)$'

/** The body of a webhook. For `user_tasks_limit_<level>` it is the status of the user at the moment at which the level was reached. */
export const webhookPayload = taskStatusWithPercents
