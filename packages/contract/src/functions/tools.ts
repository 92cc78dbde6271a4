import { object } from '../schemas.ts'

/** The APIs of model vendors that accept functions as tools. `openai` is the Responses API, and `openai-chat` is Chat Completions. */
export const format = { type: 'string', enum: ['openai', 'openai-chat', 'anthropic', 'gemini', 'mcp'] } as const

const schema = { type: 'object', additionalProperties: true } as const
const text = { type: 'string' } as const
const hint = { type: 'boolean' } as const

const openAiTool = object({
  type: { type: 'string', const: 'function' },
  name: text,
  description: text,
  strict: { type: 'boolean' },
  parameters: schema,
})

const openAiChatTool = object({
  type: { type: 'string', const: 'function' },
  function: object({ name: text, description: text, strict: { type: 'boolean' }, parameters: schema }),
})

const anthropicTool = object({ name: text, description: text, input_schema: schema })

const geminiTool = object({ name: text, description: text }, { parametersJsonSchema: schema })

const mcpTool = object({
  name: text,
  title: text,
  description: text,
  inputSchema: schema,
  annotations: object({ title: text, readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint }),
})

/** A function in the form of a vendor's API; `format` selects it instead of Onward's own form. */
export const tools = [openAiTool, openAiChatTool, anthropicTool, geminiTool, mcpTool] as const
