import { parseArgs } from 'node:util'
import type { Arguments } from './command.ts'

const NUMBERS = ['seed', 'tasks', 'faults', 'users', 'callers', 'minutes', 'rows', 'rate'] as const
const PLACES = ['redis', 'postgres', 'cluster', 'pgbouncer'] as const

/** Throws for what can't be used. */
export function readArguments(args: readonly string[]): { name: string; list: boolean; arguments: Arguments } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      control: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      only: { type: 'string' },
      on: { type: 'string' },
      ...Object.fromEntries(NUMBERS.map((name) => [name, { type: 'string' as const }])),
    },
  })
  const given = values as Readonly<Record<string, string | boolean | undefined>>
  const on = PLACES.find((place) => place === (given.on ?? 'redis'))
  if (on === undefined) throw new Error(`--on takes one of ${PLACES.join(', ')}`)
  const only = typeof given.only === 'string' ? given.only.split(',') : undefined

  const numbers = new Map(NUMBERS.map((name) => [name, given[name] === undefined ? undefined : Number(given[name])]))
  for (const [name, value] of numbers) {
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 1)) throw new Error(`--${name} takes a whole number from 1`)
  }
  return {
    name: positionals[0] ?? 'plan',
    list: given.list === true,
    arguments: {
      short: given.short === true,
      control: given.control === true,
      only,
      on,
      number: (name, fallback) => numbers.get(name) ?? fallback,
    },
  }
}
