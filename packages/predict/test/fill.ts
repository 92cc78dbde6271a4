import type { ParameterSchema } from '@onward/catalog'
import { predictArguments } from '../src/index.ts'
import { fillableOf } from './fillable.ts'

export type Properties = Record<string, Omit<ParameterSchema, 'description'> & { description?: string }>

const monday = new Date('2026-11-23T09:00:00Z')

/** What is predicted for a function with these parameters. All are required unless their names are among `optional`. */
export function fill(
  properties: Properties,
  prompt: string,
  { optional = [] as string[], timeZone = 'UTC', title = 'Do it', now = monday } = {},
) {
  const described = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, { description: '', ...schema }]))
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  const fillable = fillableOf({ title, description: '', parameters: { type: 'object', properties: described, required } })
  return predictArguments(fillable, { prompt, variables: null, now, timeZone })
}

export function valuesOf(...input: Parameters<typeof fill>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fill(...input)).map(([name, { value }]) => [name, value]))
}
