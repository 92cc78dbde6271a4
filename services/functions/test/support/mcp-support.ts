import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { User } from './support.ts'

/** The revisions of the protocol that the official client is tested with: the current revision, and the revision of clients of 2025. */
export const ERAS = ['2026-07-28', '2025-11-25'] as const
export type Era = (typeof ERAS)[number]

const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.close()
})

/** Creates an MCP token of a user. */
export async function createToken(user: User, settings: object = {}): Promise<{ id: string; token: string; tools: number }> {
  return (await user.post('/mcp/tokens', { mode: 'direct', ...settings }).expect(200)).body
}

/** Connects the official client. The service is closed after the tests, and so are its clients. */
export async function connectClient(
  url: string,
  token: string,
  era: Era,
  { name = 'Test client', ...options }: ClientOptions & { readonly name?: string } = {},
): Promise<Client> {
  const mode = era === '2026-07-28' ? ({ pin: era } as const) : 'legacy'
  const client = new Client({ name, version: '1.0.0' }, { ...options, versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  )
  clients.push(client)
  return client
}

/** Calls a tool. Returns whether the result is an error, its value, and the whole result. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: args })
  const [block, ...others] = result.content as { type: string; text: string }[]
  expect(others).toEqual([])
  // Clients discard an error that has structured content. Otherwise it is the same JSON, except for numbers that JavaScript would change.
  if (result.isError) expect(result.structuredContent).toBeUndefined()
  if (result.structuredContent !== undefined)
    expect(Object.keys(Object(result.structuredContent))).toEqual(Object.keys(JSON.parse(block?.text ?? '')))
  return { isError: result.isError === true, value: JSON.parse(block?.text ?? 'null'), result }
}

/** Sends one message as a client of the current revision does, and returns the response. */
export async function sendMessage(
  url: string,
  headers: Readonly<Record<string, string>>,
  message: unknown,
  method = 'POST',
): Promise<Response> {
  const all = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers }
  return await fetch(`${url}/mcp`, { method, headers: all, body: method === 'POST' ? JSON.stringify(message) : undefined })
}
