import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writePrivateJson } from '../private-file.ts'
import { type Contact, firstContacts } from './contacts.ts'
import { Problem } from './problem.ts'
import { type Book, type BookResponse, findRoute } from './routes.ts'

export type AddressBook = {
  readonly url: string
  /** Also ends requests in progress. */
  close(): Promise<void>
}

type Options = {
  readonly port: number
  readonly apiKey: string
  readonly file?: string
  /** Answers the requests whose path begins with a host, such as `/slack.com/api/auth.test`. */
  readonly sandbox?: RequestListener
}

const MAX_BODY_BYTES = 65_536
const REQUEST_TIMEOUT_MS = 30_000

/**
 * Starts the demo app of `npm start`: an HTTP API on 127.0.0.1 with contacts in memory, and in `file` if one is given. Requests must send `apiKey`
 * as `X-API-Key`. Errors are `{"error": string, "fields"?: {<field>: string}}`. Port 0 chooses a free port.
 */
export async function openAddressBook({ port, apiKey, file, sandbox }: Options): Promise<AddressBook> {
  const book = openBook(file)
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    if (sandbox !== undefined && /^\/[^/?]*\./.test(request.url ?? '')) sandbox(request, response)
    else void serve(book, apiKey, request, response)
  })
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

type Stored = { readonly contacts: readonly Contact[]; readonly nextId: number }

function openBook(file: string | undefined): Book {
  const first = firstContacts()
  const stored: Stored =
    file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { contacts: first, nextId: first.length + 1 }
  const book: Book = {
    contacts: new Map(stored.contacts.map((contact) => [contact.id, contact])),
    nextId: stored.nextId,
    save() {
      if (file !== undefined) writePrivateJson(file, { contacts: [...book.contacts.values()], nextId: book.nextId } satisfies Stored)
    },
  }
  return book
}

/** Never throws. An error becomes the response, unless the caller has disconnected. */
async function serve(book: Book, apiKey: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  const { status, body } = await respond(book, apiKey, request, closed.signal).catch(errorResponse)
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

async function respond(book: Book, apiKey: string, request: IncomingMessage, signal: AbortSignal): Promise<BookResponse> {
  // The body is always read, even for an error, so that the connection can take the next request.
  const text = await readBody(request)
  if (request.headers['x-api-key'] !== apiKey) throw new Problem(401, 'Send the API key of the address book as X-API-Key.')
  const [path = '', query = ''] = (request.url ?? '').split('?', 2)
  const { route, id } = findRoute(request.method ?? '', path)
  return await route.respond({ book, id, query: new URLSearchParams(query), body: readJson(text), signal })
}

function errorResponse(err: unknown): BookResponse {
  if (err instanceof Problem) return { status: err.status, body: { error: err.message, fields: err.fields } }
  return { status: 500, body: { error: 'The address book failed.' } }
}

/** Reads a body to its end even if it is too large, because the caller reads the response only after sending. Stores only the start. */
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
