import type { AppFunction, Parameters } from '../types.ts'
import { type GeminiSchema, geminiParameters } from './gemini-schema.ts'
import { type StrictSchema, strictParameters } from './strict-schema.ts'

export type ToolFormat = keyof typeof MAKERS

/** A tool of the OpenAI Responses API, in strict mode. */
type OpenAiTool = { type: 'function'; name: string; description: string; strict: true; parameters: StrictSchema }

/** A tool of the Anthropic Messages API. */
type AnthropicTool = { name: string; description: string; input_schema: PlainSchema }

/** One of `functionDeclarations` of the Gemini API. A function without parameters has no `parameters`. */
type GeminiTool = { name: string; description: string; parameters?: GeminiSchema }

/** A tool as an MCP server lists it; `inputSchema` is of JSON Schema 2020-12. */
type McpTool = { name: string; title: string; description: string; inputSchema: PlainSchema; annotations: McpAnnotations }

type McpAnnotations = { title: string; readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }

const MAKERS = { openai: openAiTool, anthropic: anthropicTool, gemini: geminiTool, mcp: mcpTool }

export const TOOL_FORMATS = Object.keys(MAKERS) as ToolFormat[]

/**
 * Converts a function to a tool of a vendor's API, ready for `tools` (for Gemini, `functionDeclarations`). OpenAI's form is that of the Responses
 * API; Chat Completions takes `{type, function: {name, description, strict, parameters}}`. `readArguments` converts the arguments that a model
 * sends back.
 */
export function toolOf<F extends ToolFormat>(fn: AppFunction, format: F): ReturnType<(typeof MAKERS)[F]> {
  return MAKERS[format](fn) as ReturnType<(typeof MAKERS)[F]>
}

function openAiTool({ name, description, parameters }: AppFunction): OpenAiTool {
  return { type: 'function', name, description, strict: true, parameters: strictParameters(parameters) }
}

function anthropicTool({ name, description, parameters }: AppFunction): AnthropicTool {
  return { name, description, input_schema: plainSchema(parameters) }
}

function geminiTool({ name, description, parameters }: AppFunction): GeminiTool {
  const empty = Object.keys(parameters.properties).length === 0
  return { name, description, ...(empty ? {} : { parameters: geminiParameters(parameters) }) }
}

/**
 * As in MCP's own defaults, an action is destructive and not idempotent. It is not destructive if its verb shows that it only adds data, unless
 * it is marked as destructive.
 */
function mcpTool(fn: AppFunction): McpTool {
  const { name, title, description, parameters, type } = fn
  const reads = type === 'QUERY'
  const annotations = {
    title,
    readOnlyHint: reads,
    destructiveHint: fn.destructive || (!reads && !isAdditive(fn)),
    idempotentHint: reads,
    openWorldHint: true,
  }
  return { name, title, description, inputSchema: plainSchema(parameters), annotations }
}

const ADDITIVE: ReadonlySet<string> = new Set([
  ...['add', 'append', 'comment', 'copy', 'create', 'draft', 'duplicate', 'forward', 'invite', 'log', 'make', 'open', 'post', 'publish'],
  ...['react', 'record', 'reply', 'request', 'schedule', 'send', 'share', 'start', 'submit', 'upload'],
])

/** Whether an action only adds data, by the verb of its name. The HTTP method does not show it: many APIs delete with POST. */
function isAdditive({ name, app, type }: AppFunction): boolean {
  const verb = name.slice(app.name.length + 1).split('-')[0] ?? ''
  return type === 'ACTION' && ADDITIVE.has(verb)
}

type PlainSchema = Parameters & { additionalProperties: boolean }

/** Returns the parameters as JSON Schema; they mean the same in draft 7 and 2020-12. */
function plainSchema(parameters: Parameters): PlainSchema {
  return { additionalProperties: false, ...parameters }
}
