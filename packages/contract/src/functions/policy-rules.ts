import type { FromSchema } from 'json-schema-to-ts'
import { functionTypes } from './functions.ts'
import { policyResults } from './parts.ts'

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
 * has approved it. `message` is the text of the error of a denied call, and is shown to who approves one. `lock` has values for arguments of
 * `functions`: every call of them has these values, whichever rule decides, and callers neither see nor send these arguments. A rule with `lock` has
 * no condition on arguments. A rule that matches a function counts for the pass-through function of its app too, whatever the arguments: `deny` and
 * `lock` deny it, and `ask` asks, unless a rule before it matches the pass-through function alone.
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
    lock: { type: 'object', minProperties: 1, maxProperties: 20, additionalProperties: true },
    message: { type: 'string', minLength: 1, maxLength: 300 },
  },
} as const

export type PolicyRule = FromSchema<typeof rule>

/**
 * The first rule that matches a call decides. If none does, a destructive function called by an MCP client needs an approval, and every other call
 * is allowed.
 */
export const policyRules = { type: 'array', maxItems: 100, items: rule } as const
