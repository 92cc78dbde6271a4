import { fitting } from '../src/list/list-of.ts'
import { jsonRows, searchRows } from '../src/ui/json-rows.ts'
import { placeAt } from '../src/ui/place.ts'

type Column = Parameters<typeof fitting<never>>[0][number]

function column(id: string, width: Column['width'], phone: Column['phone']): Column {
  return { id, head: id, width, phone, cell: () => id, text: () => id }
}

describe('the columns of a list', () => {
  const columns = [
    column('name', 'grow', 'title'),
    column('user', 100, 'line'),
    column('id', 200, 'hide'),
    column('time', 100, 'line'),
    column('sum', 50, 'named'),
  ]

  it.each([
    [1000, ['name', 'user', 'id', 'time', 'sum']],
    [450, ['name', 'user', 'time', 'sum']],
    [400, ['name', 'user', 'time']],
    [300, ['name', 'user']],
    [100, ['name']],
    [0, ['name', 'user', 'id', 'time', 'sum']],
  ])('on %i pixels are %j', (width, expected) => {
    expect(fitting(columns, width).map(({ id }) => id)).toEqual(expected)
  })
})

describe('a box at its anchor', () => {
  const window = { left: 0, top: 0, width: 400, height: 600 }
  const size = { left: 0, top: 0, width: 200, height: 300 }

  it.each([
    ['stands below it', { left: 20, top: 20, width: 80, height: 30 }, 'start', { left: 20, top: 56, height: 536 }],
    ['ends where it ends', { left: 250, top: 20, width: 80, height: 30 }, 'end', { left: 130, top: 56, height: 536 }],
    ['stays in the window', { left: 350, top: 20, width: 80, height: 30 }, 'start', { left: 192, top: 56, height: 536 }],
    ['stands above it if there is more room', { left: 20, top: 500, width: 80, height: 30 }, 'start', { left: 20, top: 194, height: 486 }],
  ] as const)('%s', (_, anchor, align, expected) => expect(placeAt(anchor, size, window, align)).toEqual(expected))
})

describe('the lines of JSON', () => {
  const value = { name: 'Ada', tags: ['a', { deep: null }], 'odd key': 1, empty: {} }

  it('name each value by its path, and skip what is closed', () => {
    expect(jsonRows(value, (_, depth) => depth === 0).map(({ path, kind, size, open }) => [path, kind, size, open])).toEqual([
      ['$', 'object', 4, true],
      ['$.name', 'string', 0, false],
      ['$.tags', 'array', 2, false],
      ['$["odd key"]', 'number', 0, false],
      ['$.empty', 'object', 0, false],
    ])
  })

  it('reach any depth', () => {
    expect(
      jsonRows(value, () => true)
        .map(({ path }) => path)
        .slice(2, 6),
    ).toEqual(['$.tags', '$.tags[0]', '$.tags[1]', '$.tags[1].deep'])
  })

  it.each([
    ['deep', ['$', '$.tags', '$.tags[1]', '$.tags[1].deep']],
    ['ada', ['$', '$.name']],
    ['nothing', []],
  ])('with %s are found with those above them', (text, expected) => {
    expect(searchRows(value, text).map(({ path }) => path)).toEqual(expected)
  })

  it('are found among 100,000', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => ({ at }))
    expect(searchRows(many, '99999')).toHaveLength(3)
  })
})
