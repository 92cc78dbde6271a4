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
