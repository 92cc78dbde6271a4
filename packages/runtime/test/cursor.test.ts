import { Refusal, readCursor, writeCursor } from '../src/index.ts'

const encode = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

describe('readCursor', () => {
  it.each([[['slack']], [['naïve 🗝', 3]], [['', -15]]])('returns the key that writeCursor wrote: %j', (key) => {
    const types = key.map((part) => typeof part as 'string' | 'number')
    expect(readCursor(writeCursor(key), types)).toEqual(key)
  })

  it('reads a cursor that contains only characters that are safe in a URL', () => {
    expect(writeCursor(['???>>>~~~ÿÿÿ'])).toMatch(/^[\w-]+$/)
  })

  it.each([undefined, null, ''])('returns null without a cursor: %j', (cursor) => {
    expect(readCursor(cursor, ['string'])).toBeNull()
  })

  it.each([
    ['text that is no base64', '%%%'],
    ['something that is no JSON', encode('{{')],
    ['an object', encode({ 0: 'slack', length: 1 })],
    ['null', encode(null)],
    ['a string', encode('"s"')],
    ['too few parts', encode([])],
    ['too many parts', encode(['slack', 1, 2])],
    ['parts of other types', encode(['slack', '1'])],
    ['a number that is none', encode('["slack",1e999]')],
    ['a fraction', encode(['slack', 1.5])],
    ['null for a part', encode(['slack', null])],
  ])('refuses %s', (_name, cursor) => {
    expect(() => readCursor(cursor, ['string', 'number'])).toThrow(
      new Refusal('invalid_parameters', 'the cursor is not valid', ['_cursor: must be the _cursor of an earlier response of this list']),
    )
  })
})
