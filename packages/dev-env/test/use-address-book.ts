import { type AddressBook, openAddressBook } from '../src/demo/address-book.ts'
import type { Contact } from '../src/demo/contacts.ts'

export type Got = { readonly status: number; readonly type: string | null; readonly body: Record<string, unknown> }

/** Opens a new address book before each test and closes it afterwards. */
export function useAddressBook() {
  let book: AddressBook

  beforeEach(async () => {
    book = await openAddressBook({ port: 0, apiKey: 'key' })
  })

  afterEach(() => book.close())

  /** Sends one request. A body that is text is sent unchanged, any other as JSON. */
  async function ask(method: string, path: string, body?: unknown, key = 'key'): Promise<Got> {
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(book.url + path, { method, headers: { 'X-API-Key': key }, body: sent })
    return { status: response.status, type: response.headers.get('content-type'), body: (await response.json()) as Record<string, unknown> }
  }

  return { ask, get: (path: string) => ask('GET', path), current: () => book }
}

export const contactsOf = ({ body }: Got) => body.contacts as Contact[]
