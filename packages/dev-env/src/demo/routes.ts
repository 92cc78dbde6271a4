import { setTimeout as wait } from 'node:timers/promises'
import { changedFields, newContactFields } from './contact-input.ts'
import type { Contact } from './contacts.ts'
import { contactPage, exportPage, groupPage } from './pages.ts'
import { Problem } from './problem.ts'

export type Book = {
  readonly contacts: Map<number, Contact>
  nextId: number
  /** Stores the book after a change. */
  save(): void
}

type BookRequest = {
  readonly book: Book
  /** The id in the path. */
  readonly id: string
  readonly query: URLSearchParams
  readonly body: unknown
  /** Aborted when the caller disconnects or the address book is closed. */
  readonly signal: AbortSignal
}

export type BookResponse = { readonly status: number; readonly body: unknown }

type Route = { readonly method: string; readonly path: RegExp; respond(request: BookRequest): BookResponse | Promise<BookResponse> }

const MAX_WAIT_SECONDS = 120
const OWNER = { id: 1, name: 'Joe Miller', email: 'joe@example.com' }

const all = ({ book }: BookRequest) => [...book.contacts.values()]

/** The first match wins, so `/contacts/export` comes before the routes with an id. */
const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^\/contacts$/, respond: (request) => ok(contactPage(all(request), request.query)) },
  { method: 'GET', path: /^\/contacts\/export$/, respond: (request) => ok(exportPage(all(request), request.query)) },
  { method: 'GET', path: /^\/contacts\/([^/]+)$/, respond: (request) => ok(findContact(request)) },
  { method: 'POST', path: /^\/contacts$/, respond: addContact },
  { method: 'PATCH', path: /^\/contacts\/([^/]+)$/, respond: changeContact },
  { method: 'DELETE', path: /^\/contacts\/([^/]+)$/, respond: deleteContact },
  { method: 'GET', path: /^\/owner$/, respond: () => ok(OWNER) },
  { method: 'GET', path: /^\/groups$/, respond: ({ query }) => ok(groupPage(query)) },
  { method: 'POST', path: /^\/fail$/, respond: fail },
  { method: 'GET', path: /^\/wait$/, respond: respondLater },
]

/** Returns the route of a request and the id in its path. Throws a 404 or 405 Problem. */
export function findRoute(method: string, path: string): { route: Route; id: string } {
  const candidates = ROUTES.filter((route) => route.path.test(path))
  const route = candidates.find((candidate) => candidate.method === method)
  if (candidates.length === 0) throw new Problem(404, 'There is no such path.')
  if (route === undefined) throw new Problem(405, `Allowed methods: ${candidates.map((candidate) => candidate.method).join(', ')}.`)
  return { route, id: route.path.exec(path)?.[1] ?? '' }
}

function ok(body: unknown): BookResponse {
  return { status: 200, body }
}

function findContact({ book, id }: BookRequest): Contact {
  const contact = /^[1-9]\d{0,14}$/.test(id) ? book.contacts.get(Number(id)) : undefined
  if (contact === undefined) throw new Problem(404, 'There is no such contact.')
  return contact
}

function addContact({ book, body }: BookRequest): BookResponse {
  const contact = { id: book.nextId, ...newContactFields(body), created_at: new Date().toISOString() }
  book.contacts.set(contact.id, contact)
  book.nextId += 1
  book.save()
  return { status: 201, body: contact }
}

function changeContact(request: BookRequest): BookResponse {
  const contact = { ...findContact(request), ...changedFields(request.body) }
  request.book.contacts.set(contact.id, contact)
  request.book.save()
  return ok(contact)
}

function deleteContact(request: BookRequest): BookResponse {
  const { id } = findContact(request)
  request.book.contacts.delete(id)
  request.book.save()
  return ok({ deleted: id })
}

function fail({ body }: BookRequest): BookResponse {
  const { status } = (body ?? {}) as { status?: unknown }
  if (!Number.isInteger(status) || Number(status) < 400 || Number(status) > 599) {
    throw new Problem(422, 'The request is not valid.', { status: 'must be a whole number from 400 to 599' })
  }
  return { status: Number(status), body: { error: `You requested status ${status}.` } }
}

async function respondLater({ query, signal }: BookRequest): Promise<BookResponse> {
  const text = query.get('seconds') ?? ''
  const seconds = Number(text)
  if (!/^\d{1,3}(\.\d{1,9})?$/.test(text) || seconds > MAX_WAIT_SECONDS) {
    throw new Problem(400, `seconds must be a number from 0 to ${MAX_WAIT_SECONDS}.`)
  }
  await wait(seconds * 1_000, undefined, { signal })
  return ok({ waited_seconds: seconds })
}
