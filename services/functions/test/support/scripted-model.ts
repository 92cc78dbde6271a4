import { createHash } from 'node:crypto'
import { openScriptedServer, type Script, sendJson } from '@onward/testbed'

type ChatBody = {
  model: string
  messages: { role: string; content?: string; tool_calls?: object[] }[]
  temperature?: number
  reasoning_effort?: string
  response_format?: {
    type: string
    json_schema: { name: string; strict: boolean; schema: { properties: { function: { enum: string[] } } } }
  }
  tools: { type: string; function: { name: string; description: string; parameters: { properties: Record<string, unknown> } } }[]
  tool_choice: unknown
}

type EmbedBody = { model: string; input: string[]; encoding_format: string }

export const MODEL_KEY = 'sk-model-key-0123456789'

const opened: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const each of opened) await each.close()
})

export type ScriptedModel = Awaited<ReturnType<typeof openScriptedModel>>

/** Opens a server with the OpenAI protocol and scripted answers. It is closed after the tests of the file. */
export async function openScriptedModel() {
  const server = await openScriptedServer()
  opened.push(server)
  let chat: Script = (_received, response) => sendJson(response, 200, messageOf({ content: 'None of these.' }))
  let meaning = vectorOf('nothing')
  let embed: Script = ({ body }, response) => sendJson(response, 200, embeddingsOf(JSON.parse(body), meaning))
  server.respond((received, response, request) => (received.url === '/v1/embeddings' ? embed : chat)(received, response, request))
  const bodies = (path: string) => server.received.filter(({ url }) => url === path).map(({ body }) => JSON.parse(body))

  const chats = () => bodies('/v1/chat/completions') as ChatBody[]
  const isPhrasing = ({ response_format: format }: ChatBody) => format?.json_schema.name === 'phrasings'

  return {
    server,
    env: { MODEL_BASE_URL: `${server.url}/v1`, MODEL_API_KEY: MODEL_KEY },
    /** The requests of predictions. */
    chats: () => chats().filter((body) => !isPhrasing(body)),
    /** The requests for phrasings. */
    phrasings: () => chats().filter(isPhrasing),
    embeds: () => bodies('/v1/embeddings') as EmbedBody[],
    /** Chooses this function and calls it as a tool from now on; the last of several calls is repeated. */
    calls(...answers: readonly [name: string, args: object | string][]) {
      const left = [...answers]
      chat = ({ body }, response) => {
        const [name, args] = left[0] as [string, object | string]
        if (isChoice(body)) return sendJson(response, 200, choiceOf(name))
        if (left.length > 1) left.shift()
        sendJson(response, 200, callOf(name, args))
      }
    },
    /** Chooses no function for this reason. */
    refuses(reason: string) {
      chat = (_received, response) => sendJson(response, 200, choiceOf('none', reason))
    },
    /** Answers with text only. */
    says(content: string) {
      chat = (_received, response) => sendJson(response, 200, messageOf({ content }))
    },
    answersChats(script: Script) {
      chat = script
    },
    /** Gives prompts the meaning of one function, and the opposite of another; both as `<app title>: <title>`. */
    means(wanted: string, unwanted: string) {
      const opposite = vectorOf(unwanted)
      meaning = vectorOf(wanted).map((each, place) => each - (opposite[place] ?? 0))
    },
    answersEmbeds(script: Script) {
      embed = script
    },
    forget() {
      server.received.length = 0
    },
  }
}

/** Whether a request asks for a choice, and not for arguments. */
export function isChoice(body: string): boolean {
  return !('tools' in JSON.parse(body))
}

/** Returns a response that chooses a function. */
export function choiceOf(name: string, reason = 'fits'): object {
  return messageOf({ content: JSON.stringify({ function: name, reason }) })
}

/** Returns a response that calls a tool. */
export function callOf(name: string, args: object | string): object {
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  return messageOf({ content: null, tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: text } }] })
}

export function messageOf(message: object): object {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
  return { id: 'chat-1', object: 'chat.completion', created: 1, model: 'scripted', choices, usage }
}

/** Returns the response to a request for embeddings, in reverse order of the texts. `meaning` is the vector of a prompt. */
function embeddingsOf({ input, model }: EmbedBody, meaning: readonly number[]): object {
  const embed = (text: string) => (isFunction(text) ? vectorOf(firstLine(text)) : meaning)
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: embed(text) })).reverse()
  return { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }
}

/** Whether a text describes a function and is not a prompt. */
export function isFunction(text: string): boolean {
  return text.includes('\n')
}

const firstLine = (text: string) => text.slice(0, text.indexOf('\n'))

/** Returns a different direction for each text. */
function vectorOf(text: string): number[] {
  return [...createHash('sha256').update(text).digest()].map((byte) => byte - 127.5)
}
