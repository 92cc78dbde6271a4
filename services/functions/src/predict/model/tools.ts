import type { AppFunction, ValueSchema } from '@onward/catalog'
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions'
import { clip } from '../../catalog/function-text.ts'

const MAX_DESCRIPTION = 500
const DEPTHS = [4, 2, 1, 0]

/** Returns the tool of a function. If it is longer than `most` characters as JSON, it contains fewer levels, then fewer parameters. */
export function toolFor(fn: AppFunction, most: number): ChatCompletionFunctionTool {
  const all = Object.entries(fn.parameters.properties)
  for (const depth of DEPTHS) {
    const tool = toolOf(fn, all, depth)
    if (JSON.stringify(tool).length <= most) return tool
  }
  let count = all.length
  while (count > 1 && JSON.stringify(toolOf(fn, all.slice(0, count), 0)).length > most) count = Math.floor(count * 0.8)
  return toolOf(fn, all.slice(0, count), 0)
}

/** No parameter is required, so that the model leaves out what the prompt does not contain. */
function toolOf(fn: AppFunction, all: readonly [string, ValueSchema][], depth: number): ChatCompletionFunctionTool {
  const clipped = all.map(([key, schema]) => [key, clipSchema(schema, depth)])
  const description = clip(`${fn.app.title}: ${fn.title}. ${fn.description}`, MAX_DESCRIPTION)
  const parameters = { type: 'object', properties: Object.fromEntries(clipped), required: [], additionalProperties: false }
  return { type: 'function', function: { name: fn.name, description, parameters } }
}

const MAX_PARAMETER_DESCRIPTION = 200
/** Longer enums are left out; the arguments are validated anyway. */
const MAX_CHOICES = 100

/**
 * Shortens a schema for a model: cuts descriptions, and leaves out what is deeper than `depth` levels. Null is not offered, because models
 * write it for what the prompt does not contain.
 */
function clipSchema(schema: ValueSchema, depth: number): Record<string, unknown> {
  const { title: _, nullable: __, description, enum: choices, items, properties, required, additionalProperties, ...rules } = schema
  const inner = Object.entries(properties ?? {}).map(([name, each]) => [name, clipSchema(each, depth - 1)])
  return {
    ...rules,
    ...(description !== undefined && { description: clip(description, MAX_PARAMETER_DESCRIPTION) }),
    ...(choices !== undefined && choices.length <= MAX_CHOICES && { enum: choices }),
    ...(items !== undefined && { items: depth > 0 ? clipSchema(items, depth - 1) : { type: items.type } }),
    ...(depth > 0 && properties !== undefined && { properties: Object.fromEntries(inner), required: required ?? [] }),
    ...(depth > 0 && typeof additionalProperties === 'boolean' && { additionalProperties }),
  }
}
