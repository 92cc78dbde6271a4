import type { Query } from './sets.ts'

/** `right` of the `given` arguments are right; `wanted` arguments should be given. */
export type ArgumentScore = { readonly exact: boolean; readonly right: number; readonly given: number; readonly wanted: number }

type Arguments = Readonly<Record<string, unknown>>

/** Scores the arguments of a call. An empty value counts as left out, on both sides. */
export function scoreArguments(all: Arguments, query: Query): ArgumentScore {
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value)))
  const wanted = query.accept === undefined ? exactly(query.arguments ?? {}) : query.accept
  const found = Object.entries(wanted).map(([name, list]) => {
    const there = Object.hasOwn(given, name)
    const optional = query.accept !== undefined && list.includes('')
    const right = there && (query.accept === undefined ? same(given[name], list[0]) : accepts(given[name], list))
    return { right, fine: right || (!there && optional), counts: right || !optional }
  })
  const invented = Object.keys(given).some((name) => !Object.hasOwn(wanted, name))
  return {
    exact: !invented && found.every(({ fine }) => fine),
    right: found.filter(({ right }) => right).length,
    given: Object.keys(given).length,
    wanted: found.filter(({ counts }) => counts).length,
  }
}

function exactly(args: Arguments): Readonly<Record<string, readonly unknown[]>> {
  const present = Object.entries(args).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(present.map(([name, value]) => [name, [value]]))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Returns whether a value is one of the right ones. In a right object, each member lists its right values; '' means that it can be left out. */
function accepts(value: unknown, right: readonly unknown[]): boolean {
  return right.some((one) => {
    if (one === '') return value === ''
    if (isRecord(one)) return isRecord(value) && acceptsMembers(value, one)
    if (!Array.isArray(one)) return same(value, one)
    return (
      Array.isArray(value) &&
      value.length === one.length &&
      one.every((item, at) => (isRecord(item) ? accepts(value[at], [item]) : same(value[at], item)))
    )
  })
}

function acceptsMembers(value: Arguments, right: Arguments): boolean {
  if (Object.keys(value).some((key) => !Object.hasOwn(right, key))) return false
  return Object.entries(right).every(([key, given]) => {
    const list = Array.isArray(given) ? given : [given]
    return Object.hasOwn(value, key) ? accepts(value[key], list) : list.includes('')
  })
}

/**
 * Returns whether a value equals the right one. Numbers and booleans can be text; texts may differ in case, spaces and punctuation. The
 * members of lists and objects are compared in the same way.
 */
function same(value: unknown, right: unknown): boolean {
  if (value === right) return true
  if (value === undefined || value === null || right === undefined || right === null) return false
  const kinds = new Set([typeof value, typeof right])
  if (kinds.has('boolean')) return String(value).toLowerCase() === String(right).toLowerCase()
  if (kinds.has('number')) return sameNumber(value, right)
  if (Array.isArray(right)) return Array.isArray(value) && value.length === right.length && right.every((item, at) => same(value[at], item))
  if (isRecord(right)) {
    return isRecord(value) && [...new Set([...Object.keys(value), ...Object.keys(right)])].every((key) => same(value[key], right[key]))
  }
  return plain(value) === plain(right)
}

function isRecord(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sameNumber(value: unknown, right: unknown): boolean {
  if (String(value).trim() === '' || String(right).trim() === '') return false
  const [x, y] = [Number(value), Number(right)]
  return Number.isFinite(x) && Number.isFinite(y) && Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(y))
}

function plain(value: unknown): string {
  return String(value)
    .toLowerCase()
    .replace(/[\s,./\-_*^'"`:;!?()]/g, '')
}
