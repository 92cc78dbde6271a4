import { addNewer, NO_NEWER, needsNextPage, neighbour, newestOf, rowsOf, showWaiting } from '../src/list/cursor-list.ts'

const rowKey = (row: string) => row
const page = (rows: readonly string[], next: string | null = null, reached?: string) => ({ rows, next, reached })

describe('the rows of a list', () => {
  it('are each shown once, newer ones first', () => {
    expect(rowsOf([page(['c', 'b']), page(['b', 'a'])], ['d', 'c'], rowKey)).toEqual(['d', 'c', 'b', 'a'])
  })

  it('hold 100,000 without a stall', () => {
    const pages = Array.from({ length: 2000 }, (_, at) => page(Array.from({ length: 50 }, (_, row) => `${at}-${row}`)))
    expect(rowsOf(pages, [], rowKey)).toHaveLength(100_000)
  })
})

describe('newer rows', () => {
  it('are shown at once at the top of the list', () => {
    expect(addNewer(NO_NEWER, ['b', 'a'], true, rowKey)).toEqual({ shown: ['b', 'a'], waiting: [] })
  })

  it('wait while the reader is further down, until the reader asks or returns', () => {
    const waiting = addNewer({ shown: ['a'], waiting: [] }, ['b', 'a'], false, rowKey)
    expect(waiting).toEqual({ shown: ['a'], waiting: ['b'] })
    expect(showWaiting(waiting)).toEqual({ shown: ['b', 'a'], waiting: [] })
    expect(addNewer(waiting, [], true, rowKey)).toEqual({ shown: ['b', 'a'], waiting: [] })
  })

  it('change nothing when none arrived', () => {
    const held = { shown: ['a'], waiting: ['b'] }
    expect(addNewer(held, ['b'], false, rowKey)).toBe(held)
    expect(addNewer(NO_NEWER, [], true, rowKey)).toBe(NO_NEWER)
  })

  it('are asked for from the newest row that is known', () => {
    expect(newestOf([page([]), page(['a'])], NO_NEWER)).toBe('a')
    expect(newestOf([page(['a'])], { shown: ['b'], waiting: [] })).toBe('b')
    expect(newestOf([page(['a'])], { shown: ['b'], waiting: ['c'] })).toBe('c')
    expect(newestOf([], NO_NEWER)).toBeUndefined()
  })
})

describe('a bounded search', () => {
  it.each([
    ['goes on while there are few rows', [page([], 'x', '12:00')], 0, true],
    ['stops at the end', [page([], null, '12:00')], 0, false],
    ['leaves the next page to the reader when a screen is full', [page(Array(30).fill('a'), 'x', '12:00')], 0, false],
    ['stops after 20 pages', [page([], 'x', '12:00')], 20, false],
    ['is not what an ordinary list does', [page([], 'x')], 0, false],
  ])('%s', (_, pages, asked, expected) => expect(needsNextPage(pages, asked)).toBe(expected))
})

describe('the neighbour of a row', () => {
  it.each([
    [undefined, 1, 'a'],
    [undefined, -1, undefined],
    ['a', 1, 'b'],
    ['b', -1, 'a'],
    ['b', 1, undefined],
    ['gone', 1, 'a'],
  ] as const)('of %s by %i is %s', (key, by, expected) => expect(neighbour(['a', 'b'], key, by)).toBe(expected))
})
