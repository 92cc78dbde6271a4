import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FIRST_COUNT, firstContacts } from './first-contacts.ts'
import { Problem } from './problem.ts'
import { type Answered, type Book, findRoute } from './routes.ts'

export type AddressBook = {
  readonly url: string
  /** Ends waiting requests too. */
  close(): Promise<void>
}

const MAX_BODY_BYTES = 65_536
const REQUEST_TIMEOUT_MS = 30_000

/**
 * The third-party API of the quick start: contacts in memory, on loopback, for whoever sends `apiKey` as `X-API-Key`. Errors are
 * `{"error": string, "fields"?: {<field>: string}}`. Port 0 takes any.
 */
export async function openAddressBook({ port, apiKey }: { port: number; apiKey: string }): Promise<AddressBook> {
  const book: Book = { contacts: new Map(firstContacts().map((contact) => [contact.id, contact])), nextId: FIRST_COUNT + 1 }
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => void serve(book, apiKey, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Never throws: what fails is answered, unless nobody is there any more. */
async function serve(book: Book, apiKey: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const answered = await answer(book, apiKey, request, gone.signal).catch(answerOf)
  if (response.destroyed) return
  response.writeHead(answered.status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(answered.body))
}

async function answer(book: Book, apiKey: string, request: IncomingMessage, signal: AbortSignal): Promise<Answered> {
  // The body is read whatever is answered, so that the connection can take the next request.
  const text = await readBody(request)
  if (request.headers['x-api-key'] !== apiKey) throw new Problem(401, 'Send the API key of the address book as X-API-Key.')
  const [path = '', query = ''] = (request.url ?? '').split('?', 2)
  const { route, id } = findRoute(request.method ?? '', path)
  return await route.answer({ book, id, query: new URLSearchParams(query), body: readJson(text), signal })
}

function answerOf(err: unknown): Answered {
  if (err instanceof Problem) return { status: err.status, body: { error: err.message, fields: err.fields } }
  return { status: 500, body: { error: 'The address book failed.' } }
}

/** Reads past the limit without keeping anything: an early answer would be lost on a caller that still sends. */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  if (size > MAX_BODY_BYTES) throw new Problem(413, `The body must have at most ${MAX_BODY_BYTES} bytes.`)
  return Buffer.concat(chunks).toString()
}

function readJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem(400, 'The body is not valid JSON.')
  }
}
