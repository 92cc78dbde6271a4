import { compileCheck } from '../src/index.ts'

const schema = {
  type: 'object',
  required: ['count'],
  properties: {
    count: { type: 'integer' },
    on: { type: 'boolean' },
    text: { type: ['string', 'null'] },
    size: { type: 'integer', default: 5 },
  },
} as const

describe('compileCheck, strict', () => {
  const check = compileCheck(schema, 'strict')

  it('takes values as they are', () => {
    const value = { count: 3, on: true, text: null }
    expect(check(value)).toEqual([])
    expect(value).toMatchObject({ count: 3, on: true, text: null })
  })

  it.each([{ count: '3' }, { count: 3, on: 'true' }, { count: 3, on: 1 }, { count: 3, text: 1 }, { count: null }])(
    'coerces nothing: %j',
    (value) => {
      expect(check(value)).toHaveLength(1)
    },
  )

  it('fills in defaults', () => {
    const value = { count: 3 }
    check(value)
    expect(value).toEqual({ count: 3, size: 5 })
  })
})

describe('compileCheck, coerce', () => {
  const check = compileCheck(schema, 'coerce')

  it('turns text into what the schema wants, in the value itself', () => {
    const value = { count: '3', on: 'true', size: '7' }
    expect(check(value)).toEqual([])
    expect(value).toEqual({ count: 3, on: true, size: 7 })
  })

  it.each([{ count: 'x' }, { count: '1.5' }, { count: '' }, { count: ['3', '4'] }, { count: '3', on: 'maybe' }])(
    'refuses what can not be turned: %j',
    (value) => {
      expect(check(value)).toHaveLength(1)
    },
  )
})

describe('compileCheck', () => {
  it('throws when a schema is not valid', () => {
    expect(() => compileCheck({ type: 'object', properties: { a: { type: 'text' } } }, 'strict')).toThrow()
    expect(() => compileCheck({ type: 'object', propertys: {} } as never, 'strict')).toThrow('unknown keyword')
    expect(() => compileCheck({ type: 'string', format: 'unheard-of' } as never, 'coerce')).toThrow('unknown format')
  })

  it('refuses an array that is too long without a look at its items', () => {
    let looked = 0
    const huge = new Proxy(Array.from({ length: 10_001 }), {
      get(items, key) {
        if (key !== 'length') looked += 1
        return Reflect.get(items, key)
      },
    })
    const check = compileCheck({ type: 'array', maxItems: 10_000, items: { type: 'string' } } as object, 'strict')
    expect(check(huge)).toEqual([': must have at most 10000 items'])
    expect(looked).toBe(0)
  })

  it('tells of very many problems with bounded words', () => {
    const body = Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`k${i.toString(36)}`, 1]))
    const check = compileCheck({ type: 'object', additionalProperties: false, properties: { known: {} } } as object, 'strict')
    const problems = check(body)
    expect(problems).toHaveLength(1_001)
    expect(problems[0]).toBe('k0: is not known here')
    expect(problems.at(-1)).toBe(': has 149000 more problems')
  })
})
