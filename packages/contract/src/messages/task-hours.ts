import type { FromSchema } from 'json-schema-to-ts'
import { taskHours } from '../admin/reconcile.ts'
import { arrayOf, time } from '../schemas.ts'

/** The queue that carries the tasks per hour from functions to insights, which compares them with its own. */
export const TASK_HOURS_QUEUE = 'task-hours'
/** The queue on which insights asks functions to send the tasks of some hours again. */
export const RESEND_QUEUE = 'resend-hours'

/**
 * The tasks that occurred from `since` to before `until`, by hour. `since` is a full hour; `until` can be within the last hour. Insights has
 * confirmed all of these tasks, so it must know each of them. `resent` lists hours whose tasks were sent again before. `run` is there in the
 * answer to a part of a comparison that somebody started; `resent_tasks` is null if its tasks were not sent again.
 */
export const taskHoursJob = {
  type: 'object',
  required: ['since', 'until', 'hours', 'resent'],
  properties: {
    since: time,
    until: time,
    hours: taskHours,
    resent: arrayOf(time),
    run: {
      type: 'object',
      required: ['id', 'resent_tasks', 'open_calls'],
      properties: { id: { type: 'string' }, resent_tasks: { type: ['integer', 'null'] }, open_calls: { type: 'integer' } },
    },
  },
} as const

/**
 * Functions sends the tasks of these hours again, then publishes the tasks per hour. Without hours, it only publishes them. `run` asks for a
 * part of a comparison that somebody started: functions publishes only this span, and first sends its tasks again if `resend` is true.
 */
export const resendJob = {
  type: 'object',
  required: ['hours'],
  properties: {
    hours: { type: 'array', maxItems: 100, items: time },
    run: {
      type: 'object',
      required: ['id', 'since', 'until', 'resend'],
      properties: {
        id: { type: 'string' },
        since: time,
        until: time,
        resend: { type: 'boolean' },
      },
    },
  },
} as const

/** `xor` is the exclusive or of the task ids, as 32 hexadecimal digits. Two sets of tasks with the same `tasks` and `xor` are equal. */
export type TaskHour = FromSchema<typeof taskHours>[number]
export type TaskHoursJob = FromSchema<typeof taskHoursJob>
export type ResendJob = FromSchema<typeof resendJob>
