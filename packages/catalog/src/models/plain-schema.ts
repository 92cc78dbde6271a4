import type { Parameters } from '../types.ts'

export type PlainSchema = Parameters & { additionalProperties: boolean }

/** The parameters as JSON Schema without more: what they say is the same in draft 7 and in 2020-12. */
export function plainSchema(parameters: Parameters): PlainSchema {
  return { additionalProperties: false, ...parameters }
}
