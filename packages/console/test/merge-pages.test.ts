import type { Page } from '../src/list/cursor-list.ts'
import { mergePages } from '../src/list/merge-pages.ts'

/** Lists of numbers in pages of two, in descending order. The cursor is the place of the next page. */
const LISTS: Readonly<Record<string, readonly number[]>> = { a: [9, 8, 7, 2, 1], b: [10, 3], c: [] }

async function read(keys: readonly string[]): Promise<number[][]> {
  const pages: number[][] = []
  let cursor: string | null = null
  do {
    const page: Page<number> = await mergePages(
      keys,
      cursor,
      async (key, from) => {
        const at = Number(from ?? 0)
        const all = LISTS[key] ?? []
        return { rows: all.slice(at, at + 2), next: at + 2 < all.length ? String(at + 2) : null }
      },
      (a, b) => a > b,
    )
    pages.push([...page.rows])
    cursor = page.next
  } while (cursor !== null)
  return pages
}

describe('several lists as one', () => {
  it('are merged only as far as the next row of each is known', async () => {
    expect(await read(['a', 'b', 'c'])).toEqual([[10, 9, 8], [7, 3, 2], [1]])
  })

  it('can be one list, empty lists, or none', async () => {
    expect(await read(['a'])).toEqual([[9, 8], [7, 2], [1]])
    expect(await read(['c'])).toEqual([[]])
    expect(await read([])).toEqual([[]])
  })
})
