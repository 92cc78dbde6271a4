import { readArguments, type ValueSchema } from '../src/index.ts'

const text = { type: 'string' } as const
const schema: ValueSchema = {
  type: 'object',
  required: ['needed'],
  properties: {
    needed: text,
    optional: text,
    open: { type: 'object' },
    closed: { type: 'object', properties: { a: text, open: { type: 'object' } }, required: ['open'] },
    list: { type: 'array', items: { type: 'object', properties: { a: text } } },
    opens: { type: 'array', items: { type: 'object' } },
    map: { type: 'object', additionalProperties: { type: 'object', properties: { a: text } } },
  },
}

describe('readArguments', () => {
  it.each<[string, object, object]>([
    ['null for an optional one', { optional: null }, {}],
    ['null for a required one', { needed: null }, { needed: null }],
    ['null for an object', { open: null, closed: null, list: null }, {}],
    ['null further inside', { closed: { a: null, open: null }, list: [{ a: null }, null] }, { closed: { open: null }, list: [{}, null] }],
    ['null in an open object', { open: { a: null } }, { open: { a: null } }],
    ['null in a map', { map: { x: { a: null }, y: null } }, { map: { x: {}, y: null } }],
    ['null for what is no parameter', { other: null }, { other: null }],
    ['an object as text', { open: ' {"a": [1, null]} ' }, { open: { a: [1, null] } }],
    [
      'an object as text further inside',
      { closed: { open: '{}' }, opens: ['{"a":1}', { b: 2 }] },
      { closed: { open: {} }, opens: [{ a: 1 }, { b: 2 }] },
    ],
    ['a declared object as text', { closed: '{"a":null,"open":"{}"}' }, { closed: { open: {} } }],
    ['text that is no object', { open: '[1]', closed: 'x', map: '{"a"' }, { open: '[1]', closed: 'x', map: '{"a"' }],
    ['text that looks like an object where text is wanted', { needed: '{"a":1}' }, { needed: '{"a":1}' }],
    ['an array as text', { list: ' [{"a":null}]', opens: '[{}, "{}"]' }, { list: [{}], opens: [{}, {}] }],
    ['text that is no array', { list: '{}', opens: '[1' }, { list: '{}', opens: '[1' }],
  ])('converts %s', (_what, given, read) => {
    const before = JSON.stringify(given)
    expect(readArguments(schema, given)).toEqual(read)
    expect(JSON.stringify(given)).toBe(before)
  })

  it('does not confuse fields with inherited properties', () => {
    const read = readArguments(schema, JSON.parse('{"__proto__": {"a": 1}, "open": "{\\"__proto__\\": {\\"b\\": 1}}"}')) as { open: object }
    expect(Object.keys(read)).toEqual(['__proto__', 'open'])
    expect([Object.getPrototypeOf(read), Object.getPrototypeOf(read.open)]).toEqual([Object.prototype, Object.prototype])
  })
})
