import type { FromSchema } from 'json-schema-to-ts'
import { MEMBER_ROLES } from '../access.ts'
import { object } from '../schemas.ts'

/** The queue that tells functions whose rights at the console have ended, so that it refuses changes with older access tokens. */
export const ENDED_RIGHTS_QUEUE = 'ended-rights'

/**
 * `id` is a session of the console or of an embedded page that ended or, with `rights`, a person. The rights of the person with a lower version have ended: in one workspace, where
 * the person still has `role` or none, or in all of them if `workspace_id` is null.
 */
export const endedRightsJob = object(
  { id: { type: 'string', minLength: 1, maxLength: 100 } },
  {
    rights: object({
      version: { type: 'integer', minimum: 1 },
      workspace_id: { type: ['string', 'null'] },
      role: { enum: [...MEMBER_ROLES, null] },
    }),
  },
)

export type EndedRightsJob = FromSchema<typeof endedRightsJob>
