import { endpoint } from '../endpoint.ts'
import { appKeyQuery, setUserLimits, taskLimit } from '../insights/tasks.ts'
import { arrayOf, object, time } from '../schemas.ts'

export const limitSources = ['own', 'bulk', 'default'] as const
export type LimitSource = (typeof limitSources)[number]

/**
 * Previews `users`, limits of single users of one application, or `tasks_limit`, a limit for all existing users of the workspace. With
 * `tasks_limit`, an `app_key` counts only the users of that application. Changes nothing.
 *
 * `users` is the number of users that would have the limit: `new_users` would be created, `changed` have another limit now, and `unchanged`
 * have the same one. `over_now` of them would have reached their limit at once. `notices` is the number of webhooks about
 * levels that would be sent; webhooks of the kind `limit_changed` are not counted. With `tasks_limit`, at most 200,000 users are counted; `capped` says that there are more.
 * With `users`, `current` has an item for each of them, in their order: the present limit, or null for a user without a limit, and whether the user is new.
 */
export const previewLimits = endpoint({
  method: 'post',
  path: '/admin/workspaces/:workspace_id/limit-preview',
  access: { role: 'viewer', in: ['workspace_id', 'app_key'] },
  action: null,
  summary: 'Count what a change of limits would do.',
  body: object({}, { ...appKeyQuery.properties, tasks_limit: taskLimit, users: setUserLimits.body }),
  errors: ['application_not_found', 'workspace_not_found'],
  response: object({
    as_of: time,
    users: { type: 'integer' },
    new_users: { type: 'integer' },
    changed: { type: 'integer' },
    unchanged: { type: 'integer' },
    over_now: { type: 'integer' },
    notices: { type: 'integer' },
    capped: { type: 'boolean' },
    current: arrayOf(object({ is_new: { type: 'boolean' }, limit: { type: ['integer', 'null'] } })),
  }),
})
