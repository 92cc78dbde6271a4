import type { ValueSchema } from '../types.ts'

/** Whether a schema is an object of no known fields. */
export function isOpenObject({ type, properties = {} }: ValueSchema): boolean {
  return type === 'object' && Object.keys(properties).length === 0
}

/** Added to the description of an object that a form can only take as text. */
export function asText({ properties = {} }: ValueSchema): string {
  const names = Object.keys(properties)
  return names.length === 0 ? 'A JSON object, as text.' : `A JSON object with the fields ${names.join(', ')}, as text.`
}
