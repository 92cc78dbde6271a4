import { ExactNumber } from '@onward/json'
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
    count: { type: 'integer' },
    price: { type: 'number' },
    done: { type: 'boolean' },
    deep: { type: 'object', properties: { counts: { type: 'array', items: { type: 'integer' } }, done: { type: 'boolean' } } },
    prices: { type: 'object', additionalProperties: { type: 'number' } },
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
    ['numbers as text', { count: '5', price: '-12.5' }, { count: 5, price: -12.5 }],
    ['a number as text that is not whole', { count: '5.5' }, { count: 5.5 }],
    ['booleans as text', { done: 'true', deep: { done: 'false' } }, { done: true, deep: { done: false } }],
    [
      'numbers as text further inside',
      { deep: '{"counts": ["1", 2, "9007199254740991"]}', prices: { a: '0.1', b: '100' } },
      { deep: { counts: [1, 2, 9007199254740991] }, prices: { a: 0.1, b: 100 } },
    ],
    ...['', ' 5', '5 ', '05', '+5', '--5', '.5', '5.', '0x10', '1,000', 'Infinity', 'NaN', 'null', 'five'].map(
      (digits): [string, object, object] => [`the text "${digits}"`, { price: digits, count: digits }, { price: digits, count: digits }],
    ),
    [
      'digits that a JavaScript number would change',
      { count: '9007199254740993', price: '12.50', prices: { a: '1e400', b: '-0' } },
      {
        count: new ExactNumber('9007199254740993'),
        price: new ExactNumber('12.50'),
        prices: { a: new ExactNumber('1e400'), b: new ExactNumber('-0') },
      },
    ],
    ...['', 'True', 'yes', '1', 'null'].map((word): [string, object, object] => [
      `"${word}" for a boolean`,
      { done: word },
      { done: word },
    ]),
    [
      'text that looks like a number or a boolean where text is wanted',
      { needed: '5', optional: 'true' },
      { needed: '5', optional: 'true' },
    ],
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
