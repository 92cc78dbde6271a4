import { type AppFunction, linearRegExp } from '@onward/catalog'
import { type CallOrigin, type PolicyRule, policyResults } from '@onward/contract'
import { nearestNumbers } from '@onward/json'
import { type Check, onFirstUse, openCompiler } from '@onward/runtime'
import { LRUCache } from 'lru-cache'

type Arguments = Readonly<Record<string, unknown>>

/** What the rules say about a call. `message` is null if the rule has none. */
export type Verdict = { readonly result: PolicyRule['result']; readonly message: string | null }

/** What rules say about calls. `origin` is where a call comes from. */
export type Policy = {
  /** Decides on a call. Takes the arguments after they were checked and completed. */
  decide(fn: AppFunction, args: Arguments, origin: CallOrigin): Verdict
  /** Whether every call of a function is denied, whatever its arguments. */
  denies(fn: AppFunction, origin: CallOrigin): boolean
  /** The arguments that every call of a function has, with their values. Callers cannot send them. */
  locked(fn: AppFunction, origin: CallOrigin): Arguments
  /** Returns a function as callers see it: without the locked parameters. */
  shown(fn: AppFunction, origin: CallOrigin): AppFunction
}

const ALLOWED: Verdict = { result: 'allow', message: null }
const ASKED: Verdict = { result: 'ask', message: null }
const NONE: Arguments = {}

/** Returns the origin of a call for which the calls log has this `via`. */
export function callOriginOf(via: string | null): CallOrigin {
  return via === null ? 'api' : via === 'console' ? 'console' : 'mcp'
}

/** Returns what is said about a call that no rule matches. */
export function withoutRule({ destructive }: AppFunction, origin: CallOrigin): Verdict {
  return origin === 'mcp' && destructive ? ASKED : ALLOWED
}

/** People write the patterns of rules, and JavaScript's engine could run some for minutes. */
const compileCheck = openCompiler(linearRegExp, { strictTypes: false, useDefaults: false })

/** A check with `$async` returns a promise, which would count as true; references can make a check take minutes. */
const REFUSED_KEYWORDS = ['$async', '$ref', '$dynamicRef', '$recursiveRef']

/** Compiles the condition of a rule on the arguments. Throws if it is not a valid schema. */
export function compileCondition(schema: object): Check {
  return conditions.memo(JSON.stringify(schema))
}

/** Tokens are read for each request, and with them their rules. */
const conditions = new LRUCache<string, Check>({
  max: 500,
  maxSize: 5_000_000,
  sizeCalculation: (_check, text) => text.length,
  memoMethod(text) {
    const schema = JSON.parse(text, (key, value) => {
      if (REFUSED_KEYWORDS.includes(key)) throw new Error(`${key} is not supported`)
      return value
    })
    return compileCheck({ ...schema, type: 'object' } as never, 'strict')
  },
})

/**
 * Opens the rules of an application. The first rule that matches a call decides. If none does, a destructive function called by an MCP client needs
 * an approval, and every other call is allowed.
 */
export function openPolicy(rules: readonly PolicyRule[]): Policy {
  const rulesOn = openRules(rules)
  return {
    decide(fn, args, origin) {
      return rulesOn(fn, origin).find((rule) => matches(rule, fn, args, origin))?.verdict ?? withoutRule(fn, origin)
    },
    denies(fn, origin) {
      // A rule that denies only some arguments decides nothing here. Any other rule that can match decides.
      return rulesOn(fn, origin).find((each) => matches(each, fn, null, origin) ?? each.rule.result !== 'deny')?.rule.result === 'deny'
    },
    ...openLocks(rules),
  }
}

/** Returns rules that allow no more than `above`. Of all rules that match a call, the strictest decides. */
export function narrowPolicy(above: Policy, rules: readonly PolicyRule[]): Policy {
  if (rules.length === 0) return above
  const rulesOn = openRules(rules)
  return {
    decide(fn, args, origin) {
      const verdicts = rulesOn(fn, origin)
        .filter((rule) => matches(rule, fn, args, origin))
        .map(({ verdict }) => verdict)
      return [above.decide(fn, args, origin), ...verdicts].reduce((a, b) => (strictness(b) > strictness(a) ? b : a))
    },
    denies(fn, origin) {
      return rulesOn(fn, origin).some((each) => each.rule.result === 'deny' && matches(each, fn, null, origin)) || above.denies(fn, origin)
    },
    ...openLocks(rules, above),
  }
}

function strictness({ result }: Verdict): number {
  return policyResults.indexOf(result)
}

/** A rule with its condition on the arguments compiled. */
type CompiledRule = {
  readonly rule: PolicyRule
  /** The index of the rule. */
  readonly place: number
  readonly verdict: Verdict
  /** Undefined if the rule has no condition on the arguments. */
  readonly holds: ((args: Arguments) => boolean) | undefined
}

/** Returns a function that returns the rules for a function in their order, with their conditions compiled. */
export function openRules(rules: readonly PolicyRule[]): (fn: AppFunction, origin: CallOrigin) => readonly CompiledRule[] {
  const compiled = rules.map(compileRule)
  const passthrough = perFunction((fn, origin) => rulesOnPassthrough(compiled, fn, origin))
  return (fn, origin) => (fn.type === 'PASSTHROUGH' ? passthrough(fn, origin) : compiled)
}

function compileRule(rule: PolicyRule, place: number): CompiledRule {
  const schema = rule.arguments
  const check = schema === undefined ? undefined : onFirstUse(() => compileCondition(schema))
  const holds = check && ((args: Arguments) => check(nearestNumbers(args)).length === 0)
  return { rule, place, verdict: { result: rule.result, message: rule.message ?? null }, holds }
}

/**
 * Returns the rules for the pass-through function of an app. It can send what the app's other functions send. So a rule that matches one of these
 * counts for it too: `deny` and `lock` deny it, and `ask` asks. What the rule says of the arguments counts as met, because it cannot be judged
 * there. Only a rule that matches the pass-through function alone is judged as for any function.
 */
function rulesOnPassthrough(compiled: readonly CompiledRule[], fn: AppFunction, origin: CallOrigin): CompiledRule[] {
  const others = fn.app.functions.filter(({ type }) => type !== 'PASSTHROUGH')
  const covering = compiled.filter(({ rule }) => others.some((other) => names(rule, other, origin)))
  const isLocked = covering.some(({ rule }) => rule.lock !== undefined)
  return compiled.flatMap((each) => {
    const { rule, holds, verdict } = each
    const isNamed = names(rule, fn, origin)
    if (!covering.includes(each)) return isNamed ? [each] : []
    const result = rule.lock === undefined ? rule.result : 'deny'
    if (result === 'deny') return [{ ...each, rule: { result }, holds: undefined, verdict: { ...verdict, result } }]
    // A lock holds whichever rule decides.
    if (isLocked) return []
    if (result === 'ask') return [{ ...each, rule: { result }, holds: undefined }]
    return isNamed && holds === undefined ? [each] : []
  })
}

/** Returns a function that makes a value once for each function and origin. */
function perFunction<T>(make: (fn: AppFunction, origin: CallOrigin) => T): (fn: AppFunction, origin: CallOrigin) => T {
  const made = new WeakMap<AppFunction, Partial<Record<CallOrigin, T>>>()
  return (fn, origin) => {
    const known = made.get(fn) ?? {}
    const value = known[origin] ?? make(fn, origin)
    known[origin] = value
    made.set(fn, known)
    return value
  }
}

/** Returns whether a rule matches a call; undefined if that depends on the arguments and they are not known, which null says. */
export function matches({ rule, holds }: CompiledRule, fn: AppFunction, args: Arguments | null, origin: CallOrigin): boolean | undefined {
  if (!names(rule, fn, origin)) return false
  if (holds === undefined) return true
  return args === null ? undefined : holds(args)
}

/** Of several rules that lock one argument, the first one counts. The rules of `above` come first. */
function openLocks(rules: readonly PolicyRule[], above?: Policy): Pick<Policy, 'locked' | 'shown'> {
  const locking = rules.filter(({ lock }) => lock !== undefined).reverse()
  if (locking.length === 0) return { locked: above?.locked ?? (() => NONE), shown: above?.shown ?? ((fn) => fn) }

  function locked(fn: AppFunction, origin: CallOrigin): Arguments {
    const matching = locking.filter((rule) => names(rule, fn, origin)).map(({ lock }) => lock)
    return Object.assign({}, ...matching, above?.locked(fn, origin))
  }
  return { locked, shown: perFunction((fn, origin) => withoutParameters(fn, Object.keys(locked(fn, origin)))) }
}

function withoutParameters(fn: AppFunction, hidden: readonly string[]): AppFunction {
  if (hidden.length === 0) return fn
  const { properties, required, ...rest } = fn.parameters
  const kept = Object.entries(properties).filter(([name]) => !hidden.includes(name))
  const parameters = { ...rest, properties: Object.fromEntries(kept), required: required.filter((name) => !hidden.includes(name)) }
  return { ...fn, parameters }
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
