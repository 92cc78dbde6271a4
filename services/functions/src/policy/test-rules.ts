import type { AppFunction } from '@onward/catalog'
import type { PolicyRule, ResponseOf, testPolicy } from '@onward/contract'
import { parseJson } from '@onward/json'
import { timeOfUuid } from '@onward/runtime'
import type { Functions } from '../catalog/functions.ts'
import { type LoggedCall, searchCalls, selectArguments } from '../db/calls.ts'
import type { Db } from '../db/tables.ts'
import { callOriginOf, matches, openPolicy, openRules, withoutRule } from './policy.ts'

/** How many of the newest calls are judged. */
const CALLS_MAX = 1_000
const EXAMPLES_MAX = 20
/** How many arguments are read at once. Each has up to 64 kB, and checking them blocks the event loop. */
const ARGUMENTS_AT_ONCE = 50

type Arguments = Readonly<Record<string, unknown>>
type Tested = ResponseOf<typeof testPolicy>
type Count = 'allowed' | 'asked' | 'denied' | 'without_arguments' | 'without_function'
/** What rules say about a call. `rule` is the index of the deciding rule; null if none matches. */
type Judgement = { readonly count: Count; readonly rule: number | null }

const COUNTS = { allow: 'allowed', ask: 'asked', deny: 'denied' } as const

/** Returns what rules would have said about the newest calls of an application. */
export async function testRules(db: Db, functions: Functions, appKey: string, rules: readonly PolicyRule[]): Promise<Tested> {
  const { calls, reached } = await searchCalls(db, { appKey, failed: false, internal: false }, null, CALLS_MAX)
  const judge = openJudge(functions, rules)
  const judged = calls.map((call) => ({ call, judgement: judge(call, null) }))
  const open = judged.filter(({ judgement }) => judgement.count === 'without_arguments')
  for (let at = 0; at < open.length; at += ARGUMENTS_AT_ONCE) {
    const some = open.slice(at, at + ARGUMENTS_AT_ONCE)
    const stored = await selectArguments(
      db,
      some.map(({ call }) => call.id),
    )
    for (const each of some) each.judgement = judge(each.call, readArguments(stored.get(each.call.id)))
  }
  const oldest = calls.at(-1)
  return {
    calls: calls.length,
    since: oldest === undefined ? null : oldest.startedAt.toISOString(),
    _reached: reached === null ? null : timeOfUuid(reached).toISOString(),
    ...countsOf(judged),
    functions: [...groupByFunction(judged)].map(([name, some]) => ({ function_name: name, ...countsOf(some) })),
    examples: judged.flatMap(exampleOf).slice(0, EXAMPLES_MAX),
  }
}

/** Returns a function that judges a call. Without its arguments, null, it judges only if the rules need none of them. */
function openJudge(functions: Functions, rules: readonly PolicyRule[]): (call: LoggedCall, args: Arguments | null) => Judgement {
  const rulesOn = openRules(rules)
  const { locked } = openPolicy(rules)

  function judge(fn: AppFunction, sent: Arguments | null, via: string | null): Judgement {
    const origin = callOriginOf(via)
    const args = sent && { ...sent, ...locked(fn, origin) }
    for (const each of rulesOn(fn, origin)) {
      const matching = matches(each, fn, args, origin)
      if (matching === undefined) return { count: 'without_arguments', rule: null }
      if (matching) return { count: COUNTS[each.verdict.result], rule: each.place }
    }
    return { count: COUNTS[withoutRule(fn, origin).result], rule: null }
  }

  return ({ functionName, via }, args) => {
    const fn = functions.get(functionName)?.fn
    return fn === undefined ? { count: 'without_function', rule: null } : judge(fn, args, via)
  }
}

/** Returns stored arguments; null if a text says why they are not stored. */
function readArguments(json: string | undefined): Arguments | null {
  const value: unknown = json === undefined ? null : parseJson(json)
  return typeof value === 'object' ? (value as Arguments | null) : null
}

type Judged = { readonly call: LoggedCall; readonly judgement: Judgement }

function countsOf(judged: readonly Judged[]): Record<Count, number> {
  const counts = { allowed: 0, asked: 0, denied: 0, without_arguments: 0, without_function: 0 }
  for (const { judgement } of judged) counts[judgement.count] += 1
  return counts
}

function groupByFunction(judged: readonly Judged[]): Map<string, Judged[]> {
  const groups = new Map<string, Judged[]>()
  for (const each of judged) {
    const { functionName } = each.call
    const group = groups.get(functionName)
    if (group === undefined) groups.set(functionName, [each])
    else group.push(each)
  }
  return groups
}

function exampleOf({ call, judgement: { count, rule } }: Judged): Tested['examples'] {
  if (count !== 'asked' && count !== 'denied') return []
  const { id, userId, functionName, startedAt } = call
  const result = count === 'asked' ? 'ask' : 'deny'
  return [{ call_id: id, user_id: userId, function_name: functionName, started_at: startedAt.toISOString(), result, rule }]
}
