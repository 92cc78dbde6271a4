import { endpoint } from '../endpoint.ts'
import { outcomes } from '../functions/calls.ts'
import { arrayOf, object, time, uuid } from '../schemas.ts'

/** What the hours of the statistics are divided by. */
export const statisticsKeys = ['none', 'app', 'function_name', 'app_key'] as const
export type StatisticsKey = (typeof statisticsKeys)[number]

const milliseconds = { type: ['integer', 'null'] } as const

const sums = {
  key: { type: ['string', 'null'] },
  calls: { type: 'integer' },
  tasks: { type: 'integer' },
  failed: { type: 'integer' },
  p50_ms: milliseconds,
  p95_ms: milliseconds,
} as const

/**
 * Counts calls by the hour in which they began (UTC), without calls that the service itself made. Returns the hours that begin before
 * `until`, from the hour that contains `since`; hours without calls are omitted. The default is the last 24 hours, and at most 100 days.
 *
 * `tasks` are the calls that were sent. `failed` are the calls without a response, with an error of the app, or with a status from 400. The
 * durations are estimates: the middle and the 95th percentile, null if no duration is known. `key` is null for `by=none`. A response has at
 * most 10,000 items, of the at most 50 keys with the most calls. `totals` has the sums of all hours for each of these keys, most calls
 * first.
 *
 * `as_of` is the time at which the running hour was counted, at most 15 s ago. A call that takes more than two minutes may be counted only
 * after the end of its hour. `causes` are the 20 most frequent kinds of failure, each with its newest call.
 *
 * With `describe_causes`, each cause has `users`, the number of users with such a call. They are counted in the newest 20,000 calls of the
 * period: `users_complete` is false if the cause has older calls. It also has the `message` of the app in the newest call, if the response
 * was stored and says something readable.
 */
export const readCallStatistics = endpoint({
  method: 'get',
  path: '/admin/calls/statistics',
  access: { role: 'viewer', in: ['workspace_id', 'app_key'] },
  summary: 'Count calls, failures and durations by hour.',
  query: {
    type: 'object',
    properties: {
      workspace_id: { type: 'string' },
      app_key: { type: 'string' },
      app: { type: 'string' },
      function_name: { type: 'string' },
      since: time,
      until: time,
      by: { type: 'string', enum: statisticsKeys, default: 'none' },
      describe_causes: { type: 'boolean', default: false },
    },
  },
  response: object({
    as_of: time,
    hours: {
      type: 'array',
      maxItems: 10_000,
      items: object({ hour: time, ...sums }),
    },
    totals: {
      type: 'array',
      maxItems: 50,
      items: object(sums),
    },
    causes: {
      type: 'array',
      maxItems: 20,
      items: object(
        {
          app: { type: 'string' },
          function_name: { type: 'string' },
          outcome: { type: 'string', enum: outcomes },
          network_code: { type: ['integer', 'null'] },
          calls: { type: 'integer' },
          last_call_id: uuid,
        },
        { users: { type: 'integer' }, users_complete: { type: 'boolean' }, message: { type: 'string' } },
      ),
    },
  }),
})

/**
 * Returns accounts with another status than `active`, by app, and the number of functions that are left out of the catalog. Also returns the
 * number of calls that wait for an approval, up to 1,000.
 */
export const readAttention = endpoint({
  method: 'get',
  path: '/admin/attention',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Count what needs the attention of a person: broken accounts, rejected functions and calls that wait for an approval.',
  query: { type: 'object', properties: { workspace_id: { type: 'string' } } },
  response: object({
    broken_accounts: arrayOf(
      object({
        app: { type: 'string' },
        status: { type: 'string', enum: ['expired', 'reconnect_required'] },
        accounts: { type: 'integer' },
      }),
    ),
    rejected_functions: { type: 'integer' },
    pending_approvals: { type: 'integer', minimum: 0, maximum: 1_000 },
  }),
})
