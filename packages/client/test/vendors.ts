/** Programs that pass tools to the packages of vendors, and their results back. Those in the README are compiled too. */
export const VENDOR_PROGRAMS: Readonly<Record<string, string>> = {
  anthropic: `import Anthropic from '@anthropic-ai/sdk'
import type { OnwardUser } from '@onward/client'
import { loadTools } from '@onward/client/tools'

export async function run(user: OnwardUser, model: Anthropic): Promise<Anthropic.MessageParam> {
  const tools = await loadTools(user, 'anthropic')
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'hi' }]
  const { content } = await model.messages.create({ model: 'm', max_tokens: 9, tools: [...tools.definitions], messages })
  const results: Anthropic.ToolResultBlockParam[] = []
  for (const block of content) if (block.type === 'tool_use') results.push(await tools.execute(block))
  return { role: 'user', content: results }
}`,
  openai: `import OpenAI from 'openai'
import type { OnwardUser } from '@onward/client'
import { loadTools } from '@onward/client/tools'

export async function respond(user: OnwardUser, model: OpenAI): Promise<OpenAI.Responses.ResponseInputItem[]> {
  const tools = await loadTools(user, 'openai')
  const { output } = await model.responses.create({ model: 'm', tools: [...tools.definitions], input: 'hi' })
  const results: OpenAI.Responses.ResponseInputItem[] = []
  for (const item of output) if (item.type === 'function_call') results.push(await tools.execute(item))
  return results
}

export async function chat(user: OnwardUser, model: OpenAI): Promise<OpenAI.ChatCompletionMessageParam[]> {
  const tools = await loadTools(user, 'openai-chat')
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hi' }]
  const { choices } = await model.chat.completions.create({ model: 'm', tools: [...tools.definitions], messages })
  for (const call of choices[0]?.message.tool_calls ?? []) if (call.type === 'function') messages.push(await tools.execute(call))
  return messages
}`,
  gemini: `import { GoogleGenAI, type Part } from '@google/genai'
import type { OnwardUser } from '@onward/client'
import { loadTools } from '@onward/client/tools'

export async function run(user: OnwardUser, model: GoogleGenAI): Promise<Part[]> {
  const tools = await loadTools(user, 'gemini')
  const config = { tools: [{ functionDeclarations: [...tools.definitions] }] }
  const { functionCalls } = await model.models.generateContent({ model: 'm', contents: 'hi', config })
  const results: Part[] = []
  for (const functionCall of functionCalls ?? []) results.push(await tools.execute({ functionCall }))
  return results
}`,
}
