import type { ValueSchema } from '@onward/catalog'
import { clip } from './clip.ts'

const MAX_DESCRIPTION = 200
/** A longer list of choices says more than a model need read: the check knows them all. */
const MAX_CHOICES = 100

/** A schema as a model needs it: texts cut short, nothing below `depth` levels. */
export function clipSchema(schema: ValueSchema, depth: number): Record<string, unknown> {
  const { title: _, description, enum: choices, items, properties, required, additionalProperties, ...rules } = schema
  const inner = Object.entries(properties ?? {}).map(([name, each]) => [name, clipSchema(each, depth - 1)])
  return {
    ...rules,
    ...(description !== undefined && { description: clip(description, MAX_DESCRIPTION) }),
    ...(choices !== undefined && choices.length <= MAX_CHOICES && { enum: choices }),
    ...(items !== undefined && { items: depth > 0 ? clipSchema(items, depth - 1) : { type: items.type } }),
    ...(depth > 0 && properties !== undefined && { properties: Object.fromEntries(inner), required: required ?? [] }),
    ...(depth > 0 && typeof additionalProperties === 'boolean' && { additionalProperties }),
  }
}
