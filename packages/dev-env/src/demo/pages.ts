import { type Contact, GROUPS, type Group } from './contacts.ts'
import { Problem } from './problem.ts'

const GROUP_PAGE = 3
const EXPORT_PAGE = 50

/** Returns a page of contacts after the cursor, in the order of their ids. */
export function contactPage(contacts: readonly Contact[], query: URLSearchParams): { contacts: Contact[]; next_cursor: string | null } {
  const size = wholeNumber(query, 'page_size', 25, 1, 100)
  const after = readCursor(query.get('cursor'))
  const search = (query.get('search') ?? '').trim().toLowerCase()
  const found = contacts.filter(({ id, name, email }) => id > after && `${name}\n${email}`.toLowerCase().includes(search))
  const page = found.slice(0, size)
  const last = page.at(-1)
  return { contacts: page, next_cursor: last !== undefined && found.length > size ? writeCursor(last.id) : null }
}

export function groupPage(query: URLSearchParams): { groups: readonly Group[]; page: number; total_pages: number } {
  const page = wholeNumber(query, 'page', 1, 1, 1_000_000)
  const groups = GROUPS.slice((page - 1) * GROUP_PAGE, page * GROUP_PAGE)
  return { groups, page, total_pages: Math.ceil(GROUPS.length / GROUP_PAGE) }
}

type Position = { readonly after_name: string; readonly after_id: number }

/** Returns a page of contacts after `after_name` and `after_id`, in the order of their names and ids. */
export function exportPage(contacts: readonly Contact[], query: URLSearchParams): { contacts: Contact[]; next: Position | null } {
  const name = query.get('after_name')
  if ((name === null) !== (query.get('after_id') === null)) throw new Problem(400, 'Send after_name and after_id together.')
  const id = wholeNumber(query, 'after_id', 0, 0, Number.MAX_SAFE_INTEGER)
  const sorted = [...contacts].sort((a, b) => byName(a, b.name, b.id))
  const rest = name === null ? sorted : sorted.filter((contact) => byName(contact, name, id) > 0)
  const page = rest.slice(0, EXPORT_PAGE)
  const last = page.at(-1)
  return { contacts: page, next: last !== undefined && rest.length > page.length ? { after_name: last.name, after_id: last.id } : null }
}

/** Compares code units, so that the order does not depend on the machine's locale. */
function byName(contact: Contact, name: string, id: number): number {
  if (contact.name === name) return contact.id - id
  return contact.name < name ? -1 : 1
}

/** Returns a whole number of the query, or `fallback` if it is missing. Throws a 400 Problem if it is out of range. */
function wholeNumber(query: URLSearchParams, name: string, fallback: number, least: number, most: number): number {
  const text = query.get(name)
  if (text === null || text === '') return fallback
  const value = Number(text)
  if (!/^\d{1,16}$/.test(text) || value < least || value > most)
    throw new Problem(400, `${name} must be a whole number from ${least} to ${most}.`)
  return value
}

function writeCursor(id: number): string {
  return Buffer.from(`after:${id}`).toString('base64url')
}

function readCursor(cursor: string | null): number {
  if (cursor === null || cursor === '') return 0
  const [, id] = /^after:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id === undefined) throw new Problem(400, 'cursor must be the next_cursor of an earlier response.')
  return Number(id)
}
