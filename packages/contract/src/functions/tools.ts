/** The APIs of model vendors that accept functions as tools. `openai` is the Responses API, and `openai-chat` is Chat Completions. */
export const format = { type: 'string', enum: ['openai', 'openai-chat', 'anthropic', 'gemini', 'mcp'] } as const

const schema = { type: 'object', additionalProperties: true } as const
const text = { type: 'string' } as const
const hint = { type: 'boolean' } as const

const openAiTool = {
  type: 'object',
  required: ['type', 'name', 'description', 'strict', 'parameters'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', const: 'function' },
    name: text,
    description: text,
    strict: { type: 'boolean' },
    parameters: schema,
  },
} as const

const openAiChatTool = {
  type: 'object',
  required: ['type', 'function'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', const: 'function' },
    function: {
      type: 'object',
      required: ['name', 'description', 'strict', 'parameters'],
      additionalProperties: false,
      properties: { name: text, description: text, strict: { type: 'boolean' }, parameters: schema },
    },
  },
} as const

const anthropicTool = {
  type: 'object',
  required: ['name', 'description', 'input_schema'],
  additionalProperties: false,
  properties: { name: text, description: text, input_schema: schema },
} as const

const geminiTool = {
  type: 'object',
  required: ['name', 'description'],
  additionalProperties: false,
  properties: { name: text, description: text, parametersJsonSchema: schema },
} as const

const mcpTool = {
  type: 'object',
  required: ['name', 'title', 'description', 'inputSchema', 'annotations'],
  additionalProperties: false,
  properties: {
    name: text,
    title: text,
    description: text,
    inputSchema: schema,
    annotations: {
      type: 'object',
      required: ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
      additionalProperties: false,
      properties: { title: text, readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint },
    },
  },
} as const

/** A function in the form of a vendor's API; `format` selects it instead of Onward's own form. */
export const tools = [openAiTool, openAiChatTool, anthropicTool, geminiTool, mcpTool] as const
