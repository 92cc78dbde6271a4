import { type AppFunction, linearRegExp } from '@onward/catalog'
import type { CallOrigin, PolicyRule } from '@onward/contract'
import { nearestNumbers } from '@onward/json'
import { type Check, onFirstUse, openCompiler } from '@onward/runtime'

type Arguments = Readonly<Record<string, unknown>>

/** What the rules say about a call. `message` is null if the rule has none. */
export type Verdict = { readonly result: PolicyRule['result']; readonly message: string | null }

/**
 * The rules of an application for calls. The first rule that matches a call decides. If none does, a destructive function called by an MCP client
 * needs an approval, and every other call is allowed.
 */
export type Policy = {
  /** Decides on a call. Takes the arguments after they were checked and completed. */
  decide(fn: AppFunction, args: Arguments, origin: CallOrigin): Verdict
  /** Whether every call of a function from this origin is denied, whatever its arguments. */
  denies(fn: AppFunction, origin: CallOrigin): boolean
}

const ALLOWED: Verdict = { result: 'allow', message: null }
const ASKED: Verdict = { result: 'ask', message: null }

/** Returns the origin of a call for which the calls log has this `via`. */
export function originOf(via: string | null): CallOrigin {
  return via === null ? 'api' : via === 'console' ? 'console' : 'mcp'
}

/** Returns what is said about a call that no rule matches. */
export function withoutRule({ destructive }: AppFunction, origin: CallOrigin): Verdict {
  return origin === 'mcp' && destructive ? ASKED : ALLOWED
}

export const NO_RULES: Policy = { decide: (fn, _args, origin) => withoutRule(fn, origin), denies: () => false }

/** People write the patterns of rules, and JavaScript's engine could run some for minutes. */
const compileCheck = openCompiler(linearRegExp, { strictTypes: false })

/** Compiles the condition of a rule on the arguments. Throws if it is not a valid schema. */
export function compileCondition(schema: object): Check {
  return compileCheck({ ...schema, type: 'object' } as never, 'strict')
}

/** A rule with its condition on the arguments compiled. */
type CompiledRule = {
  readonly rule: PolicyRule
  readonly verdict: Verdict
  /** Undefined if the rule has no condition on the arguments. */
  readonly holds: ((args: Arguments) => boolean) | undefined
}

export function compileRules(rules: readonly PolicyRule[]): CompiledRule[] {
  return rules.map((rule) => {
    const schema = rule.arguments
    const check = schema === undefined ? undefined : onFirstUse(() => compileCondition(schema))
    // A check adds defaults to what it checks.
    const holds = check && ((args: Arguments) => check(structuredClone(nearestNumbers(args))).length === 0)
    return { rule, verdict: { result: rule.result, message: rule.message ?? null }, holds }
  })
}

/** Returns whether a rule matches a call; undefined if that depends on the arguments and they are not known, which null says. */
export function matches({ rule, holds }: CompiledRule, fn: AppFunction, args: Arguments | null, origin: CallOrigin): boolean | undefined {
  if (!names(rule, fn, origin)) return false
  if (holds === undefined) return true
  return args === null ? undefined : holds(args)
}

export function openPolicy(rules: readonly PolicyRule[]): Policy {
  if (rules.length === 0) return NO_RULES
  const compiled = compileRules(rules)
  return {
    decide(fn, args, origin) {
      return compiled.find((rule) => matches(rule, fn, args, origin))?.verdict ?? withoutRule(fn, origin)
    },
    denies(fn, origin) {
      for (const { rule, holds } of compiled) {
        if (!names(rule, fn, origin) || (holds !== undefined && rule.result === 'deny')) continue
        return rule.result === 'deny'
      }
      return false
    },
  }
}

function names(
  { apps, functions, types, destructive, via }: PolicyRule,
  { name, app, type, destructive: destroys }: AppFunction,
  origin: CallOrigin,
): boolean {
  return (
    (apps === undefined || apps.includes(app.name)) &&
    (functions === undefined || functions.includes(name)) &&
    (types === undefined || types.includes(type)) &&
    (destructive === undefined || destructive === destroys) &&
    (via === undefined || via.includes(origin))
  )
}
