import { known } from './options.ts'

/** One page of a list. */
export type Page<T> = {
  readonly items: readonly T[]
  /** Where the next page begins; null on the last page. Store it to continue later with the option `cursor`. */
  readonly cursor: string | null
  /** Returns the next page; null after the last one. */
  nextPage(): Promise<Page<T> | null>
}

/** Requests one page. The first page has no cursor. */
export type FetchPage<T> = (cursor: string | undefined) => Promise<{ readonly items: readonly T[]; readonly cursor: string | null }>

/**
 * A list of Onward. `for await` reads all its pages, one request at a time:
 *
 *     for await (const fn of user.functions.list({ app: 'slack' })) console.log(fn.name)
 */
export class List<T> implements AsyncIterable<T> {
  readonly #fetchPage: FetchPage<T>
  readonly #cursor: string | undefined

  constructor(fetchPage: FetchPage<T>, cursor?: string) {
    this.#fetchPage = fetchPage
    this.#cursor = cursor
  }

  firstPage(): Promise<Page<T>> {
    return this.#page(this.#cursor)
  }

  /** Returns all items, or at most `limit`. */
  async toArray(options: { readonly limit?: number } = {}): Promise<T[]> {
    const { limit = Number.POSITIVE_INFINITY } = known(options, { limit: true })
    const items: T[] = []
    if (limit <= 0) return items
    for await (const item of this) {
      items.push(item)
      if (items.length >= limit) break
    }
    return items
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (let page: Page<T> | null = await this.firstPage(); page !== null; page = await page.nextPage()) yield* page.items
  }

  async #page(from: string | undefined): Promise<Page<T>> {
    const { items, cursor } = await this.#fetchPage(from)
    return { items, cursor, nextPage: async () => (cursor === null ? null : await this.#page(cursor)) }
  }
}
