import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { functionTypes } from '../functions/functions.ts'

const names = {
  type: 'array',
  minItems: 1,
  maxItems: 200,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 200 },
} as const

/**
 * A rule matches a call if all its conditions do: `apps`, `functions` and `types` name the function, `destructive` says whether it can destroy
 * something, and the arguments are valid for the JSON Schema `arguments`. `message` is the text of the error of a denied call.
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
    arguments: { type: 'object', additionalProperties: true },
    result: { type: 'string', enum: ['allow', 'deny'] },
    message: { type: 'string', minLength: 1, maxLength: 300 },
  },
} as const

export type PolicyRule = FromSchema<typeof rule>

/** The first rule that matches a call decides. A call that no rule matches is allowed. */
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
