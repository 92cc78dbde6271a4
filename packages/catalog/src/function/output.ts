import type { Path, Report } from '../problems.ts'
import type { OutputSchema } from '../types.ts'
import { unescapeStep } from '../values/json-pointer.ts'

/** Reports the parts of an output's shape that do not fit their type. */
export function checkOutput({ type, items, properties }: OutputSchema, at: Path, report: Report): void {
  if (items !== undefined && type !== 'array') report([...at, 'items'], 'is only for an array')
  if (properties !== undefined && type !== 'object') report([...at, 'properties'], 'is only for an object')
  if (items !== undefined) checkOutput(items, [...at, 'items'], report)
  for (const [name, inner] of Object.entries(properties ?? {})) checkOutput(inner, [...at, 'properties', name], report)
}

/** Returns whether an output of this shape can have a value at a JSON Pointer. */
export function hasPart(output: OutputSchema | undefined, pointer: string): boolean {
  let shape = output
  for (const name of pointer.split('/').slice(1).map(unescapeStep)) {
    if (shape === undefined) return false
    const { properties, items } = shape
    // Without properties, an object can have any.
    if (properties === undefined && items === undefined) return shape.type === 'object' || shape.type === 'array'
    shape = shape.type === 'array' ? items : properties && Object.hasOwn(properties, name) ? properties[name] : undefined
  }
  return shape !== undefined
}
