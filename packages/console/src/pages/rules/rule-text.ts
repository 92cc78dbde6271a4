import type { CallOrigin, PolicyRule } from '@onward/contract'
import { formatNumber } from '../../text/format.ts'
import { RULES } from './words.ts'

const { parts } = RULES
/** How many names a line shows. */
const SHOWN = 3

/** Returns what a rule matches, in one line. */
export function summaryOf({ apps, functions, types, destructive, via, arguments: condition, lock }: PolicyRule): string {
  const told = [
    functions && listed(functions),
    apps && parts.apps(listed(apps)),
    types && listed(types.map((type) => RULES.types[type])),
    destructive === undefined ? undefined : destructive ? parts.destructive : parts.harmless,
    via && parts.via(listed(via.map((origin: CallOrigin) => RULES.origins[origin]))),
    condition && conditionOf(condition),
    lock && parts.locks(listed(Object.entries(lock).map(([name, value]) => parts.locked(name, shownValue(value))))),
  ].filter((part) => part !== undefined)
  return told.length === 0 ? parts.every : told.join(' · ')
}

/** Says the conditions that the form offers in words. Of others, it only names the arguments. */
function conditionOf({ properties }: NonNullable<PolicyRule['arguments']>): string {
  const told = Object.entries(Object(properties) as Readonly<Record<string, unknown>>).map(([name, schema]) => ({
    name,
    text: wordsOf(name, schema),
  }))
  if (told.length === 0 || told.some(({ text }) => text === undefined)) return parts.condition(listed(told.map(({ name }) => name)))
  return listed(told.flatMap(({ text }) => text ?? []))
}

const WORDS_OF = new Set(['type', 'const', 'maximum', 'minimum', 'enum', 'pattern'])
const ENDS = /^(?:[^\\$.*+?()[\]{}|/^]|\\[\\$.*+?()[\]{}|/^])+\$$/

function wordsOf(name: string, schema: unknown): string | undefined {
  const { const: only, maximum, minimum, enum: values, pattern, ...rest }: Readonly<Record<string, unknown>> = Object(schema)
  if (Object.keys(rest).some((key) => !WORDS_OF.has(key))) return undefined
  const { is, most, least, ends, one } = parts.conditions
  const told = [
    only === undefined ? undefined : is(shownValue(only)),
    typeof minimum === 'number' ? least(formatNumber(minimum)) : undefined,
    typeof maximum === 'number' ? most(formatNumber(maximum)) : undefined,
    Array.isArray(values) ? one(listed(values.map(shownValue))) : undefined,
    typeof pattern === 'string' && ENDS.test(pattern) ? ends(pattern.slice(0, -1).replace(/\\(.)/g, '$1')) : undefined,
  ].filter((text) => text !== undefined)
  const known = [only, maximum, minimum, values, pattern].filter((each) => each !== undefined).length
  return told.length === 0 || told.length < known ? undefined : `${name} ${told.join(parts.and)}`
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function listed(names: readonly string[]): string {
  const rest = names.length - SHOWN
  return [...names.slice(0, SHOWN), ...(rest > 0 ? [parts.others(rest)] : [])].join(', ')
}

/** The file of the command line. */
export function printRules(rules: readonly PolicyRule[]): string {
  return JSON.stringify({ rules }, null, 2)
}

/** Reads the file of the command line. Only the service knows whether the rules are right; what the builder cannot show is a problem. */
export function parseRules(text: string): { readonly rules: readonly PolicyRule[] } | { readonly problem: string } {
  try {
    const { rules }: { rules?: unknown } = Object(JSON.parse(text))
    return Array.isArray(rules) && rules.every(isShown) ? { rules } : { problem: RULES.notRules }
  } catch (err) {
    return { problem: RULES.notJson(err instanceof Error ? err.message : String(err)) }
  }
}

function isShown(rule: unknown): boolean {
  const { apps, functions, types, via, arguments: condition, lock, result } = Object(rule)
  const lists = [apps, functions, types, via]
  return (
    Object.hasOwn(RULES.results, String(result)) &&
    lists.every((list) => list === undefined || (Array.isArray(list) && list.every((one) => typeof one === 'string'))) &&
    [condition, lock].every((one) => one === undefined || (typeof one === 'object' && one !== null && !Array.isArray(one)))
  )
}
