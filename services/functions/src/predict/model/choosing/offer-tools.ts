import type { AppFunction } from '@onward/catalog'
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions'
import type { Callable } from '../../../catalog/functions.ts'
import { clip } from './clip.ts'
import { clipSchema } from './clip-schema.ts'

/** What a model may call. The names are the functions' own: the catalog takes in none that a server would refuse as a tool's. */
export type Offer = {
  readonly tools: ChatCompletionFunctionTool[]
  /** By a tool's name; undefined for a name that was not offered. */
  find(name: string): Callable | undefined
}

const MAX_DESCRIPTION = 500
/** Of one tool as JSON. A larger one shows the first level of its parameters only. */
const MAX_TOOL = 12_000
/** Of all tools together. What comes after is not offered. */
const MAX_TOOLS = 60_000

/** The tools for these functions, best first; fewer than these when they are too large together. */
export function offerTools(callables: readonly Callable[]): Offer {
  const byName = new Map<string, Callable>()
  const tools: ChatCompletionFunctionTool[] = []
  let size = 0
  for (const callable of callables) {
    const tool = toolFor(callable.fn)
    size += JSON.stringify(tool).length
    if (tools.length > 0 && size > MAX_TOOLS) break
    byName.set(callable.fn.name, callable)
    tools.push(tool)
  }
  return { tools, find: (name) => byName.get(name) }
}

function toolFor(fn: AppFunction): ChatCompletionFunctionTool {
  const whole = toolOfDepth(fn, 4)
  return JSON.stringify(whole).length <= MAX_TOOL ? whole : toolOfDepth(fn, 1)
}

/** No parameter is required: what the prompt does not say is to be left out, not made up. */
function toolOfDepth(fn: AppFunction, depth: number): ChatCompletionFunctionTool {
  const clipped = Object.entries(fn.parameters.properties).map(([key, schema]) => [key, clipSchema(schema, depth)])
  const description = clip(`${fn.app.title}: ${fn.title}. ${fn.description}`, MAX_DESCRIPTION)
  const parameters = { type: 'object', properties: Object.fromEntries(clipped), required: [], additionalProperties: false }
  return { type: 'function', function: { name: fn.name, description, parameters } }
}
