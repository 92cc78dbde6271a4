import type { Query } from '../sets/set.ts'
import { accepts } from './accepts.ts'
import { same } from './same.ts'

/** `right` of the `given` arguments are right, of `wanted` that should be there. */
export type ArgumentScore = { readonly exact: boolean; readonly right: number; readonly given: number; readonly wanted: number }

type Arguments = Readonly<Record<string, unknown>>

/** Scores the arguments of a call. A value that is empty counts as left out, on both sides. */
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
  return Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => [name, [value]]),
  )
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
