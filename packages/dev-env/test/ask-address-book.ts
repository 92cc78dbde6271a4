import type { Contact } from '../src/demo/contact.ts'
import type { AddressBook } from '../src/demo/open-address-book.ts'

type Got = { readonly status: number; readonly type: string | null; readonly body: Record<string, unknown> }

/** Sends one request; a body that is text goes as it is. */
export async function ask(book: AddressBook, method: string, path: string, body?: unknown, key = 'key'): Promise<Got> {
  const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(book.url + path, { method, headers: { 'X-API-Key': key }, body: sent })
  return { status: response.status, type: response.headers.get('content-type'), body: (await response.json()) as Record<string, unknown> }
}

export const contactsOf = ({ body }: Got) => body.contacts as Contact[]
