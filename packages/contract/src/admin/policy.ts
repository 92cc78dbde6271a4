import { endpoint } from '../endpoint.ts'
import { policyRules as rules } from '../functions/policy-rules.ts'
import { unchanged } from '../parts.ts'
import { arrayOf, object, time, timeOrNull, uuid } from '../schemas.ts'

export const getPolicy = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/policy',
  access: { role: 'viewer', in: ['app_key'] },
  summary: "Read an application's rules for calls.",
  errors: ['application_not_found'],
  response: object({ rules }),
})

/** The rules hold for the next call: of the API, MCP clients, the console and the SDKs. */
export const putPolicy = endpoint({
  method: 'put',
  path: '/admin/applications/:app_key/policy',
  access: { role: 'owner', in: ['app_key'] },
  action: 'policy.replace',
  summary: "Replace an application's rules for calls.",
  body: object({ rules }, { if_unchanged: unchanged({ rules }) }),
  errors: ['application_not_found', 'changed_since_read'],
  response: object({ rules }),
})

const count = { type: 'integer', minimum: 0 } as const
const counts = { allowed: count, asked: count, denied: count, without_arguments: count, without_function: count } as const

/**
 * Applies rules to the last 1,000 calls in the calls log, and stores nothing. `calls` is the number of calls, and `since` the time of the oldest
 * one. A call counts in one field: `without_arguments` if a rule needs its arguments, and they are not stored; `without_function` if its function
 * is no longer in the catalog. `_reached` is the time up to which the log was searched, if that ended after 100,000 calls of all applications;
 * otherwise it is null. `examples` are the newest calls that would ask or be denied; `rule` is the index of the rule that decides, or null if
 * none matches. Arguments that the rules lock have their locked values. Calls that were denied are not in the log. Secrets in the stored
 * arguments are replaced, so a condition on them can fail.
 */
export const testPolicy = endpoint({
  method: 'post',
  path: '/admin/applications/:app_key/policy/test',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: 'Return what rules would have said about the last 1,000 calls of an application.',
  body: object({ rules }),
  errors: ['application_not_found'],
  response: object({
    calls: count,
    since: timeOrNull,
    _reached: timeOrNull,
    ...counts,
    functions: arrayOf(object({ function_name: { type: 'string' }, ...counts })),
    examples: {
      type: 'array',
      maxItems: 20,
      items: object({
        call_id: uuid,
        user_id: { type: 'string' },
        function_name: { type: 'string' },
        started_at: time,
        result: { type: 'string', enum: ['ask', 'deny'] },
        rule: { type: ['integer', 'null'], minimum: 0 },
      }),
    },
  }),
})
