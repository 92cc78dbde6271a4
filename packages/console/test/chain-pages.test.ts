import { chainPages } from '../src/list/chain-pages.ts'

/** Three applications with 3, 0 and 2 rows, each in pages of two. */
const ROWS: Record<string, readonly string[]> = { a: ['a1', 'a2', 'a3'], b: [], c: ['c1', 'c2'] }
const asked: string[] = []

async function load(key: string, cursor: string | null) {
  asked.push(`${key}${cursor ?? ''}`)
  const from = Number(cursor ?? 0)
  const all = ROWS[key] ?? []
  return { rows: all.slice(from, from + 2), next: from + 2 < all.length ? String(from + 2) : null }
}

async function readAll(size: number, keys = ['a', 'b', 'c']): Promise<(readonly string[])[]> {
  const pages: (readonly string[])[] = []
  let cursor: string | null = null
  do {
    const page: { rows: readonly string[]; next: string | null } = await chainPages(keys, cursor, size, load)
    pages.push(page.rows)
    cursor = page.next
  } while (cursor !== null)
  return pages
}

describe('a list of several applications', () => {
  beforeEach(() => {
    asked.length = 0
  })

  it('continues with the next application at the end of one', async () => {
    expect(await readAll(1)).toEqual([['a1', 'a2'], ['a3'], ['c1', 'c2']])
    expect(asked).toEqual(['a', 'a2', 'b', 'c'])
  })

  it('fills a page from several applications', async () => {
    expect(await readAll(5)).toEqual([['a1', 'a2', 'a3', 'c1', 'c2']])
  })

  it('is empty without applications, and ends if the application of its cursor is gone', async () => {
    expect(await readAll(5, [])).toEqual([[]])
    expect(await chainPages(['a'], JSON.stringify(['gone', null]), 5, load)).toEqual({ rows: [], next: null })
    expect(asked).toEqual([])
  })
})
