import type { FromSchema } from 'json-schema-to-ts'

/** The queue that tells functions whose rights at the console have changed, so that it refuses changes with older access tokens. */
export const ENDED_RIGHTS_QUEUE = 'ended-rights'

/** `id` is a session that ended, or a person whose role changed or ended, at `at`. */
export const endedRightsJob = {
  type: 'object',
  required: ['id', 'at'],
  properties: { id: { type: 'string', minLength: 1, maxLength: 100 }, at: { type: 'string', format: 'date-time' } },
} as const

export type EndedRightsJob = FromSchema<typeof endedRightsJob>
