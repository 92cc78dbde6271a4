import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize } from '../parts.ts'
import { arrayOf, object, time, timeOrNull, uuid } from '../schemas.ts'

/**
 * Failed deliveries that are sent again in the background. `deliveries` is the number that matched at the start. `skipped` is the number
 * that were not sent: they are not failed, or their subscription is disabled. Deliveries that fail at `until` or later do not belong to the
 * replay. `since` is null if the deliveries were given one by one, and `subscription_id` is null for deliveries of all subscriptions.
 */
const replay = object({
  replay_id: uuid,
  status: { type: 'string', enum: ['running', 'done', 'aborted'] },
  deliveries: { type: 'integer' },
  replayed: { type: 'integer' },
  skipped: { type: 'integer' },
  created_at: time,
  created_by: { type: 'string' },
  subscription_id: { type: ['string', 'null'], format: 'uuid' },
  since: timeOrNull,
  until: time,
})

export type Replay = FromSchema<typeof replay>

/**
 * Sends the deliveries with these `ids`, or the deliveries that failed from `since` to before `until`, which is now by default. `ids` are
 * sent before the response. The others are sent in the background, and only one such replay of a workspace can run at a time.
 */
export const createReplay = endpoint({
  method: 'post',
  path: '/admin/workspaces/:workspace_id/replays',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'replay.create',
  summary: 'Send failed deliveries again: some of them, or all that failed since a moment.',
  body: object(
    {},
    {
      ids: { type: 'array', minItems: 1, maxItems: 1_000, uniqueItems: true, items: { ...uuid, maxLength: 36 } },
      subscription_id: uuid,
      since: time,
      until: time,
    },
  ),
  errors: ['workspace_not_found', 'subscription_not_found', 'subscription_disabled', 'replay_running'],
  response: object({ replay_id: uuid, deliveries: { type: 'integer' } }),
})

/** Counts up to a million deliveries. A replay of the same `since` and `until` sends these, unless something else sends them before. */
export const previewReplay = endpoint({
  method: 'get',
  path: '/admin/workspaces/:workspace_id/replay-preview',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Count the deliveries that a replay would send again.',
  query: { type: 'object', required: ['since'], properties: { subscription_id: uuid, since: time, until: time } },
  errors: ['workspace_not_found', 'subscription_not_found', 'subscription_disabled'],
  response: object({ deliveries: { type: 'integer' }, since: time, until: time }),
})

export const listReplays = endpoint({
  method: 'get',
  path: '/admin/workspaces/:workspace_id/replays',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'List the replays of a workspace, newest first.',
  query: { type: 'object', properties: { page_size: pageSize, _cursor: { type: 'string' } } },
  errors: ['workspace_not_found'],
  response: object({ replays: arrayOf(replay), _cursor: listCursor }),
})

export const getReplay = endpoint({
  method: 'get',
  path: '/admin/workspaces/:workspace_id/replays/:replay_id',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Get a replay with its progress.',
  errors: ['replay_not_found'],
  response: replay,
})

/** Deliveries that are already due are still sent. A replay that has ended does not change. */
export const abortReplay = endpoint({
  method: 'delete',
  path: '/admin/workspaces/:workspace_id/replays/:replay_id',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'replay.abort',
  summary: 'Abort a replay that is running.',
  errors: ['replay_not_found'],
  response: replay,
})

/** Deliveries that are due or in flight do not change. The retry schedules of the others go on after the attempt. A request makes at most 20,000 deliveries due. */
export const sendPending = endpoint({
  method: 'post',
  path: '/admin/workspaces/:workspace_id/subscriptions/:subscription_id/send-pending',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'delivery.send-pending',
  summary: 'Send the pending deliveries of a subscription now, without waiting for their next attempts.',
  errors: ['workspace_not_found', 'subscription_not_found', 'subscription_disabled'],
  response: object({ deliveries: { type: 'integer' } }),
})

/**
 * The deliveries of the newest 100 subscriptions, by the hour in which they were created; hours without deliveries are omitted. `since` is at
 * most 24 hours ago, and so by default. Of each subscription, at most the newest 5,000 deliveries are counted; `capped` says that there may
 * be more. `retrying` is the part of `pending` that has failed at least once.
 */
export const readSubscriptionHealth = endpoint({
  method: 'get',
  path: '/admin/workspaces/:workspace_id/subscription-health',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: "Count the deliveries of a workspace's subscriptions per hour.",
  query: { type: 'object', properties: { since: time } },
  errors: ['workspace_not_found'],
  response: object({
    subscriptions: arrayOf(
      object({
        subscription_id: uuid,
        hours: arrayOf(
          object({
            hour: time,
            delivered: { type: 'integer' },
            failed: { type: 'integer' },
            pending: { type: 'integer' },
            retrying: { type: 'integer' },
          }),
        ),
        capped: { type: 'boolean' },
      }),
    ),
  }),
})
