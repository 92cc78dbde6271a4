import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { functionTypes } from '../functions/functions.ts'
import { policyResults } from '../functions/parts.ts'

const names = {
  type: 'array',
  minItems: 1,
  maxItems: 200,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 200 },
} as const

/** Where a call comes from, as rules distinguish it. */
export const callOrigins = ['api', 'console', 'mcp'] as const
export type CallOrigin = (typeof callOrigins)[number]

/**
 * A rule matches a call if all its conditions do: `apps`, `functions` and `types` name the function, `destructive` says whether it can destroy
 * something, `via` where the call comes from, and the arguments are valid for the JSON Schema `arguments`. `ask` lets the call run once somebody
 * has approved it. `message` is the text of the error of a denied call, and is shown to who approves one.
 */
const rule = {
  type: 'object',
  required: ['result'],
  additionalProperties: false,
  properties: {
    apps: names,
    functions: names,
    types: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: functionTypes } },
    destructive: { type: 'boolean' },
    via: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: callOrigins } },
    arguments: { type: 'object', additionalProperties: true },
    result: { type: 'string', enum: policyResults },
    message: { type: 'string', minLength: 1, maxLength: 300 },
  },
} as const

export type PolicyRule = FromSchema<typeof rule>

/**
 * The first rule that matches a call decides. If none does, a destructive function called by an MCP client needs an approval, and every other call
 * is allowed.
 */
const rules = { type: 'array', maxItems: 100, items: rule } as const

export const getPolicy = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/policy',
  access: { role: 'viewer', in: ['app_key'] },
  summary: "Read an application's rules for calls.",
  errors: ['application_not_found'],
  answer: { type: 'object', required: ['rules'], additionalProperties: false, properties: { rules } },
})

/** The rules hold for the next call: of the API, MCP clients, the console and the SDKs. */
export const putPolicy = endpoint({
  method: 'put',
  path: '/admin/applications/:app_key/policy',
  access: { role: 'owner', in: ['app_key'] },
  action: 'policy.replace',
  summary: "Replace an application's rules for calls.",
  body: { type: 'object', required: ['rules'], additionalProperties: false, properties: { rules } },
  errors: ['application_not_found'],
  answer: { type: 'object', required: ['rules'], additionalProperties: false, properties: { rules } },
})

const count = { type: 'integer', minimum: 0 } as const
const counts = { allowed: count, asked: count, denied: count, without_arguments: count, without_function: count } as const
const countNames = ['allowed', 'asked', 'denied', 'without_arguments', 'without_function'] as const

/**
 * Applies rules to the last 1,000 calls in the calls log, and stores nothing. `calls` is the number of calls, and `since` the time of the oldest
 * one. A call counts in one field: `without_arguments` if a rule needs its arguments, and they are not stored; `without_function` if its function
 * is no longer in the catalog. `_reached` is the time up to which the log was searched, if that ended after 100,000 calls of all applications;
 * otherwise it is null. `examples` are the newest calls that would ask or be denied; `rule` is the index of the rule that decides, or null if
 * none matches. Calls that were denied are not in the log. Secrets in the stored arguments are replaced, so a condition on them can fail.
 */
export const testPolicy = endpoint({
  method: 'post',
  path: '/admin/applications/:app_key/policy/test',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: 'Return what rules would have said about the last 1,000 calls of an application.',
  body: { type: 'object', required: ['rules'], additionalProperties: false, properties: { rules } },
  errors: ['application_not_found'],
  answer: {
    type: 'object',
    required: ['calls', 'since', '_reached', ...countNames, 'functions', 'examples'],
    additionalProperties: false,
    properties: {
      calls: count,
      since: { type: ['string', 'null'], format: 'date-time' },
      _reached: { type: ['string', 'null'], format: 'date-time' },
      ...counts,
      functions: {
        type: 'array',
        items: {
          type: 'object',
          required: ['function_name', ...countNames],
          additionalProperties: false,
          properties: { function_name: { type: 'string' }, ...counts },
        },
      },
      examples: {
        type: 'array',
        maxItems: 20,
        items: {
          type: 'object',
          required: ['call_id', 'user_id', 'function_name', 'started_at', 'result', 'rule'],
          additionalProperties: false,
          properties: {
            call_id: { type: 'string', format: 'uuid' },
            user_id: { type: 'string' },
            function_name: { type: 'string' },
            started_at: { type: 'string', format: 'date-time' },
            result: { type: 'string', enum: ['ask', 'deny'] },
            rule: { type: ['integer', 'null'], minimum: 0 },
          },
        },
      },
    },
  },
})
