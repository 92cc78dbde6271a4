import type { AppFunction, Parameters } from '../types.ts'
import { type JsonSchema, jsonSchemaOf } from '../values/json-schema.ts'
import { geminiSchema } from './gemini-schema.ts'
import { isStrict, strictParameters } from './strict-schema.ts'

export type ToolFormat = keyof typeof MAKERS

/** A tool of the OpenAI Responses API. */
type OpenAiTool = { type: 'function'; name: string; description: string; strict: boolean; parameters: JsonSchema }

/** A tool of the OpenAI Chat Completions API. */
type OpenAiChatTool = { type: 'function'; function: Omit<OpenAiTool, 'type'> }

/** A tool of the Anthropic Messages API. */
type AnthropicTool = { name: string; description: string; input_schema: JsonSchema }

/** One of `functionDeclarations` of the Gemini API. A function without parameters has no `parametersJsonSchema`. */
type GeminiTool = { name: string; description: string; parametersJsonSchema?: JsonSchema }

/** A tool as an MCP server lists it; `inputSchema` is of JSON Schema 2020-12. */
type McpTool = { name: string; title: string; description: string; inputSchema: JsonSchema; annotations: McpAnnotations }

type McpAnnotations = { title: string; readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }

const MAKERS = { openai: openAiTool, 'openai-chat': openAiChatTool, anthropic: anthropicTool, gemini: geminiTool, mcp: mcpTool }

export const TOOL_FORMATS = Object.keys(MAKERS) as ToolFormat[]

/**
 * Converts a function to a tool of a vendor's API, ready for `tools` (for Gemini, `functionDeclarations`). `openai` is the form of the
 * Responses API, `openai-chat` the form of Chat Completions. `readArguments` converts the arguments that a model sends back.
 */
export function toolOf<F extends ToolFormat>(fn: AppFunction, format: F): ReturnType<(typeof MAKERS)[F]> {
  return MAKERS[format](fn) as ReturnType<(typeof MAKERS)[F]>
}

/** The cursor of a paging function, which the response to a call contains. */
export const CURSOR_PARAMETER = {
  type: 'string',
  description: 'Leave it out for the first page. For the next page, send the _cursor of the previous result with the same arguments.',
} as const

/** Returns the parameters, with `_cursor` for a function whose results have pages. */
function parametersOf({ parameters, paged }: AppFunction): Parameters {
  return paged ? { ...parameters, properties: { ...parameters.properties, _cursor: CURSOR_PARAMETER } } : parameters
}

function openAiTool(fn: AppFunction): OpenAiTool {
  const { name, description } = fn
  const parameters = parametersOf(fn)
  const strict = isStrict(parameters)
  return { type: 'function', name, description, strict, parameters: strict ? strictParameters(parameters) : plainSchema(parameters) }
}

function openAiChatTool(fn: AppFunction): OpenAiChatTool {
  const { type, ...rest } = openAiTool(fn)
  return { type, function: rest }
}

function anthropicTool(fn: AppFunction): AnthropicTool {
  return { name: fn.name, description: fn.description, input_schema: plainSchema(parametersOf(fn)) }
}

function geminiTool(fn: AppFunction): GeminiTool {
  const { name, description } = fn
  const parameters = parametersOf(fn)
  const empty = Object.keys(parameters.properties).length === 0
  return { name, description, ...(empty ? {} : { parametersJsonSchema: geminiSchema({ additionalProperties: false, ...parameters }) }) }
}

/**
 * As in MCP's own defaults, an action is destructive and not idempotent. It is not destructive if its verb shows that it only adds data, unless
 * it is marked as destructive.
 */
function mcpTool(fn: AppFunction): McpTool {
  const { name, title, description, type } = fn
  const reads = type === 'QUERY'
  const annotations = {
    title,
    readOnlyHint: reads,
    destructiveHint: fn.destructive || (!reads && !isAdditive(fn)),
    idempotentHint: reads,
    openWorldHint: true,
  }
  return { name, title, description, inputSchema: plainSchema(parametersOf(fn)), annotations }
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

function plainSchema(parameters: Parameters): JsonSchema {
  return jsonSchemaOf({ additionalProperties: false, ...parameters })
}
