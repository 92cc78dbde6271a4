import type { PolicyRule } from '@onward/contract'

type Decided = { readonly fn: string; readonly result: 'ask' | 'deny'; readonly message: string | null }

/**
 * Returns the index of the rule that decided on a call, which the API does not name; undefined if several rules can have done so, or none.
 * A pass-through function is also denied by rules for the other functions of its app, and by rules that lock an argument of them.
 */
export function decidingRule(rules: readonly PolicyRule[], { fn, result, message }: Decided): number | undefined {
  const passesThrough = fn.endsWith('-passthrough-request')
  const possible = rules.flatMap((rule, at) => {
    const decides = rule.result === result || (passesThrough && result === 'deny' && rule.lock !== undefined)
    const names =
      (rule.functions === undefined || passesThrough || rule.functions.includes(fn)) &&
      (rule.apps === undefined || rule.apps.some((app) => fn.startsWith(`${app}-`))) &&
      (rule.via === undefined || rule.via.includes('console'))
    return decides && names && (rule.message ?? null) === message ? [at] : []
  })
  return possible.length === 1 ? possible[0] : undefined
}
