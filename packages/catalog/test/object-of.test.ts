import { objectOf, readArguments } from '../src/index.ts'

describe('objectOf', () => {
  it.each<[string, [string, unknown][]]>([
    ['nothing', []],
    [
      'names',
      [
        ['b', 1],
        ['a', null],
        ['b', 2],
      ],
    ],
    [
      'indexes and names',
      [
        ['x', 1],
        ['1000', 2],
        ['7', 3],
        ['-1', 4],
        ['1000', 5],
      ],
    ],
    [
      'the greatest index',
      [
        ['4294967294', 1],
        ['4294967295', 2],
      ],
    ],
    [
      'names of what every object has',
      [
        ['__proto__', { admin: true }],
        ['constructor', 1],
      ],
    ],
  ])('returns the same as Object.fromEntries for %s', (_what, entries) => {
    expect(JSON.stringify(objectOf(entries))).toBe(JSON.stringify(Object.fromEntries(entries)))
    expect(Object.getPrototypeOf(objectOf(entries))).toBe(Object.prototype)
  })
})

describe('an object with a high index', () => {
  const MANY = 20_000

  /** Returns the megabytes of heap that a function allocates. */
  function taken(make: () => unknown): number {
    const before = process.memoryUsage().heapUsed
    const made = make()
    const after = process.memoryUsage().heapUsed
    expect(made).toHaveLength(MANY)
    return (after - before) / 1_000_000
  }

  it('reserves no memory for the indexes below it', () => {
    const keys = Array.from({ length: MANY }, () => '1000')
    expect(taken(() => keys.map((key) => objectOf([[key, 1]])))).toBeLessThan(60)
  })

  it('reserves no memory when it is an argument', () => {
    const schema = { type: 'array', items: { type: 'object', additionalProperties: true } } as const
    const list = JSON.parse(`[${Array(MANY).fill('{"1000":1}').join(',')}]`)
    expect(taken(() => readArguments(schema as never, list) as unknown[])).toBeLessThan(60)
  })
})
