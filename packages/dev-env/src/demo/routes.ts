import { setTimeout as wait } from 'node:timers/promises'
import type { Contact } from './contact.ts'
import { changedFields, newContactFields } from './contact-input.ts'
import { contactPage, exportPage, groupPage } from './pages.ts'
import { Problem } from './problem.ts'

export type Book = { readonly contacts: Map<number, Contact>; nextId: number }

type Asked = {
  readonly book: Book
  /** What the path has in the place of its id. */
  readonly id: string
  readonly query: URLSearchParams
  readonly body: unknown
  /** Aborted when the caller goes away or the address book is closed. */
  readonly signal: AbortSignal
}

export type Answered = { readonly status: number; readonly body: unknown }

type Route = { readonly method: string; readonly path: RegExp; answer(asked: Asked): Answered | Promise<Answered> }

const MAX_WAIT_SECONDS = 120
/** Whose address book it is. */
const OWNER = { id: 1, name: 'Joe Miller', email: 'joe@example.com' }

const all = ({ book }: Asked) => [...book.contacts.values()]

/** `/contacts/export` stands before the routes that take an id. */
const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^\/contacts$/, answer: (asked) => ok(contactPage(all(asked), asked.query)) },
  { method: 'GET', path: /^\/contacts\/export$/, answer: (asked) => ok(exportPage(all(asked), asked.query)) },
  { method: 'GET', path: /^\/contacts\/([^/]+)$/, answer: (asked) => ok(findContact(asked)) },
  { method: 'POST', path: /^\/contacts$/, answer: addContact },
  { method: 'PATCH', path: /^\/contacts\/([^/]+)$/, answer: changeContact },
  { method: 'DELETE', path: /^\/contacts\/([^/]+)$/, answer: deleteContact },
  { method: 'GET', path: /^\/owner$/, answer: () => ok(OWNER) },
  { method: 'GET', path: /^\/groups$/, answer: ({ query }) => ok(groupPage(query)) },
  { method: 'POST', path: /^\/fail$/, answer: fail },
  { method: 'GET', path: /^\/wait$/, answer: answerLater },
]

/** The route of a request and the id in its path. Throws a 404 or 405 Problem. */
export function findRoute(method: string, path: string): { route: Route; id: string } {
  const fitting = ROUTES.filter((route) => route.path.test(path))
  const route = fitting.find((candidate) => candidate.method === method)
  if (fitting.length === 0) throw new Problem(404, 'There is nothing here.')
  if (route === undefined) throw new Problem(405, `This takes ${fitting.map((candidate) => candidate.method).join(', ')}.`)
  return { route, id: route.path.exec(path)?.[1] ?? '' }
}

function ok(body: unknown): Answered {
  return { status: 200, body }
}

function findContact({ book, id }: Asked): Contact {
  const contact = /^[1-9]\d{0,14}$/.test(id) ? book.contacts.get(Number(id)) : undefined
  if (contact === undefined) throw new Problem(404, 'There is no such contact.')
  return contact
}

function addContact({ book, body }: Asked): Answered {
  const contact = { id: book.nextId, ...newContactFields(body), created_at: new Date().toISOString() }
  book.contacts.set(contact.id, contact)
  book.nextId += 1
  return { status: 201, body: contact }
}

function changeContact(asked: Asked): Answered {
  const contact = { ...findContact(asked), ...changedFields(asked.body) }
  asked.book.contacts.set(contact.id, contact)
  return ok(contact)
}

function deleteContact(asked: Asked): Answered {
  const { id } = findContact(asked)
  asked.book.contacts.delete(id)
  return ok({ deleted: id })
}

function fail({ body }: Asked): Answered {
  const { status } = (body ?? {}) as { status?: unknown }
  if (!Number.isInteger(status) || Number(status) < 400 || Number(status) > 599) {
    throw new Problem(422, 'The request is not valid.', { status: 'must be a whole number from 400 to 599' })
  }
  return { status: Number(status), body: { error: `This is the ${status} that was asked for.` } }
}

async function answerLater({ query, signal }: Asked): Promise<Answered> {
  const text = query.get('seconds') ?? ''
  const seconds = Number(text)
  if (!/^\d{1,3}(\.\d{1,9})?$/.test(text) || seconds > MAX_WAIT_SECONDS) {
    throw new Problem(400, `seconds must be a number from 0 to ${MAX_WAIT_SECONDS}.`)
  }
  await wait(seconds * 1_000, undefined, { signal })
  return ok({ waited_seconds: seconds })
}
