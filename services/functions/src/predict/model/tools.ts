import type { AppFunction, ValueSchema } from '@onward/catalog'
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions'
import type { Callable } from '../../catalog/functions.ts'

/** The tools that a model may call. They have the names of the functions, which the catalog checks to be valid tool names. */
export type Offer = {
  readonly tools: ChatCompletionFunctionTool[]
  /** Returns the function of a tool, or undefined for an unknown name. */
  find(name: string): Callable | undefined
}

const MAX_DESCRIPTION = 500
/** The limit for one tool as JSON. A larger tool contains only the first level of its parameters. */
const MAX_TOOL_CHARACTERS = 12_000
/** The limit for all tools together. Tools beyond it are not offered. */
const MAX_TOTAL_CHARACTERS = 60_000

/** Returns the tools for these functions, best first, up to the size limit. */
export function offerTools(callables: readonly Callable[]): Offer {
  const byName = new Map<string, Callable>()
  const tools: ChatCompletionFunctionTool[] = []
  let size = 0
  for (const callable of callables) {
    const tool = toolFor(callable.fn)
    size += JSON.stringify(tool).length
    if (tools.length > 0 && size > MAX_TOTAL_CHARACTERS) break
    byName.set(callable.fn.name, callable)
    tools.push(tool)
  }
  return { tools, find: (name) => byName.get(name) }
}

function toolFor(fn: AppFunction): ChatCompletionFunctionTool {
  const whole = toolOfDepth(fn, 4)
  return JSON.stringify(whole).length <= MAX_TOOL_CHARACTERS ? whole : toolOfDepth(fn, 1)
}

/** No parameter is required, so that the model leaves out what the prompt does not contain. */
function toolOfDepth(fn: AppFunction, depth: number): ChatCompletionFunctionTool {
  const clipped = Object.entries(fn.parameters.properties).map(([key, schema]) => [key, clipSchema(schema, depth)])
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

/** Cuts a text to at most `most` characters, without splitting a surrogate pair. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
