import type { AppFunction } from '../types.ts'
import { type GeminiSchema, geminiParameters } from './gemini-schema.ts'
import { isAdditive } from './is-additive.ts'
import { type PlainSchema, plainSchema } from './plain-schema.ts'
import { type StrictSchema, strictParameters } from './strict-schema.ts'

export type ToolFormat = keyof typeof makers

/** A tool of the OpenAI Responses API, in strict mode. */
type OpenAiTool = { type: 'function'; name: string; description: string; strict: true; parameters: StrictSchema }

/** A tool of the Anthropic Messages API. */
type AnthropicTool = { name: string; description: string; input_schema: PlainSchema }

/** One of `functionDeclarations` of the Gemini API. A function without parameters has no `parameters`. */
type GeminiTool = { name: string; description: string; parameters?: GeminiSchema }

/** A tool as an MCP server lists it; `inputSchema` is of JSON Schema 2020-12. */
type McpTool = { name: string; title: string; description: string; inputSchema: PlainSchema; annotations: McpAnnotations }

type McpAnnotations = { title: string; readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }

const makers = { openai: openAiTool, anthropic: anthropicTool, gemini: geminiTool, mcp: mcpTool }

export const toolFormats = Object.keys(makers) as ToolFormat[]

/**
 * A function in the form in which a vendor's API takes tools: it goes into `tools` as it is (of Gemini, into `functionDeclarations`).
 * OpenAI's is that of the Responses API, which OpenAI advises; Chat Completions takes `{type, function: {name, description, strict, parameters}}`.
 * What a model sends for any of them can be called with, after `readArguments`.
 */
export function toolOf<F extends ToolFormat>(fn: AppFunction, format: F): ReturnType<(typeof makers)[F]> {
  return makers[format](fn) as ReturnType<(typeof makers)[F]>
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

/** The defaults of MCP are the cautious ones: what is not known to be harmless is said to be destructive, and not to be idempotent. */
function mcpTool(fn: AppFunction): McpTool {
  const { name, title, description, parameters, type } = fn
  const reads = type === 'QUERY'
  const annotations = {
    title,
    readOnlyHint: reads,
    destructiveHint: !reads && !isAdditive(fn),
    idempotentHint: reads,
    openWorldHint: true,
  }
  return { name, title, description, inputSchema: plainSchema(parameters), annotations }
}
