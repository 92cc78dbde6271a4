import { setUserLimits } from '@onward/contract'
import { compileCheck, correctName, nearest, nearestAll } from '../src/index.ts'

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

describe('compileCheck in mode strict', () => {
  const check = compileCheck(schema, 'strict')

  it('accepts values of the right type unchanged', () => {
    const value = { count: 3, on: true, text: null }
    expect(check(value)).toEqual([])
    expect(value).toMatchObject({ count: 3, on: true, text: null })
  })

  it.each([{ count: '3' }, { count: 3, on: 'true' }, { count: 3, on: 1 }, { count: 3, text: 1 }, { count: null }])(
    'does not coerce: %j',
    (value) => {
      expect(check(value)).toHaveLength(1)
    },
  )

  it('adds defaults', () => {
    const value = { count: 3 }
    check(value)
    expect(value).toEqual({ count: 3, size: 5 })
  })
})

describe('compileCheck in mode coerce', () => {
  const check = compileCheck(schema, 'coerce')

  it('converts text to the type in the schema, in the value itself', () => {
    const value = { count: '3', on: 'true', size: '7' }
    expect(check(value)).toEqual([])
    expect(value).toEqual({ count: 3, on: true, size: 7 })
  })

  it.each([{ count: 'x' }, { count: '1.5' }, { count: '' }, { count: ['3', '4'] }, { count: '3', on: 'maybe' }])(
    'refuses values that cannot be converted: %j',
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

  it('refuses an array that is too long without reading its items', () => {
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

  it('describes at most 50 problems and says that there are more', () => {
    const body = Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`k${i.toString(36)}`, 1]))
    const check = compileCheck({ type: 'object', additionalProperties: false, properties: { known: {} } } as object, 'strict')
    const problems = check(body)
    expect(problems).toHaveLength(51)
    expect(problems[0]).toBe('k0: is not known here')
    expect(problems.at(-1)).toBe(': has more problems')
    expect(check(Object.fromEntries(Object.entries(body).slice(0, 50)))).toHaveLength(50)
  })

  it('shortens long keys, which each problem repeats', () => {
    const check = compileCheck({ type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } } } as object, 'strict')
    const problems = check({ ['k'.repeat(100_000)]: Array.from({ length: 1_000 }, () => 'x'), ['9'.repeat(100_000)]: 1 })
    expect(problems[0]).toBe(`${'k'.repeat(200)}…[0]: must be a whole number`)
    expect(problems.join('').length).toBeLessThan(20_000)
  })
})

const limits = compileCheck(setUserLimits.body, 'strict')
const fits = { user_id: 'u', allowed_tasks: 1 }

/** Returns the problems with one property of the given schema. */
const problemsOf = (schema: object, value: unknown) =>
  compileCheck({ type: 'object', properties: { field: schema } }, 'strict')({ field: value })

describe('the problems with a value', () => {
  it('have the wording of the example in the contract', () => {
    expect(limits([fits, fits, fits, { user_id: 'u', allowed_tasks: -1 }])).toEqual([
      '[3].allowed_tasks: must be a whole number, 0 or more',
    ])
  })

  it.each([1.5, '100', null, true, [], {}, Number.NaN, Number.POSITIVE_INFINITY])(
    'name the expected type for a limit of %p',
    (allowed_tasks) => {
      expect(limits([{ user_id: 'u', allowed_tasks }])).toEqual(['[0].allowed_tasks: must be a whole number, 0 or more'])
    },
  )

  it('name the bound that was exceeded', () => {
    expect(limits([{ user_id: 'u', allowed_tasks: 2 ** 53 }])).toEqual(['[0].allowed_tasks: must be a whole number, 0 to 9007199254740991'])
  })

  it('are all returned at once, each with its index', () => {
    expect(limits([{ user_id: '', allowed_tasks: 1 }, fits, { allowed_taks: 1 }, 7])).toEqual([
      '[0].user_id: must not be empty',
      '[2].user_id: is required',
      '[2].allowed_tasks: is required',
      '[2].allowed_taks: is not known here; did you mean allowed_tasks?',
      '[3]: must be an object, such as {"user_id": …, "allowed_tasks": …}',
    ])
  })

  it.each(['arguments', 'body', 'payload'])('say what to do with an object around the fields that is called %s', (key) => {
    const check = compileCheck({ type: 'object', additionalProperties: false, properties: { name: { type: 'string' } } }, 'strict')
    expect(check({ [key]: { name: 'Ada' } })).toEqual([`${key}: is not known here; put what is in it at the top level`])
    expect(check({ [key]: 'Ada' })).toEqual([`${key}: is not known here`])
  })

  it('name an unknown field', () => {
    expect(limits([{ ...fits, tasks_consumed: 0 }])).toEqual(['[0].tasks_consumed: is not known here'])
  })

  it.each([
    [{ type: 'string' }, 1, 'must be text'],
    [{ type: 'number' }, '1', 'must be a number'],
    [{ type: 'number', minimum: 0, maximum: 1 }, 2, 'must be a number, 0 to 1'],
    [{ type: 'number', maximum: 1 }, 2, 'must be a number, 1 or less'],
    [{ type: 'integer' }, 1.5, 'must be a whole number'],
    [{ type: 'boolean' }, 'true', 'must be true or false'],
    [{ type: 'object' }, [], 'must be an object'],
    [{ type: 'object', required: ['task'], properties: { task: { type: 'string' } } }, 'a', 'must be an object, such as {"task": …}'],
    [{ type: 'array' }, {}, 'must be an array'],
    [{ type: 'null' }, 0, 'must be null'],
    [{ type: ['string', 'null'] }, 1, 'must be text or null'],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'must be one of "a", "b"'],
    [{ type: 'string', not: { enum: ['a', 'b'] } }, 'b', 'must not be "a" or "b"'],
    [{ type: 'string', minLength: 1 }, '', 'must not be empty'],
    [{ type: 'string', minLength: 2 }, 'a', 'must have at least 2 characters'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'must have at most 2 characters'],
    [{ type: 'array', minItems: 1 }, [], 'must not be empty'],
    [{ type: 'array', minItems: 2 }, [1], 'must have at least 2 items'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'must have at most 1 items'],
    [{ type: 'array', uniqueItems: true }, [1, 1], 'must not hold the same item twice'],
    [{ type: 'string', format: 'date-time' }, 'yesterday', 'must be a valid date-time'],
    [{ type: 'string', format: 'uuid' }, '1', 'must be a valid uuid'],
    [{ type: 'string', const: 'x' }, 'y', 'must be equal to constant'],
    [{ type: 'string', pattern: '^a$' }, 'b', 'must match pattern "^a$"'],
    [{ type: 'string', pattern: '^a$', examples: ['a'] }, 'b', 'must match pattern "^a$", such as a'],
  ])('of the schema %j with %j are described', (schema, value, problem) => {
    expect(problemsOf(schema, value)).toEqual([`field: ${problem}`])
  })

  it('have a path of keys and indexes, whatever the keys are', () => {
    const check = compileCheck(
      { type: 'object', properties: { 'a/b': { type: 'array', items: { type: 'object', properties: { '~c': { type: 'string' } } } } } },
      'strict',
    )
    expect(check({ 'a/b': [{}, { '~c': 1 }] })).toEqual(['a/b[1].~c: must be text'])
  })

  it('have an empty path when the body itself is wrong', () => {
    expect(limits({})).toEqual([': must be an array'])
    expect(limits([])).toEqual([': must not be empty'])
  })
})

describe('nearest', () => {
  it.each([
    ['chanel', 'channel'],
    ['CHANNEL', 'channel'],
    ['chnanel', 'channel'],
    ['txt', 'text'],
    ['tetx', 'text'],
    ['user', undefined],
    ['x', undefined],
    ['', undefined],
    ['__proto__', undefined],
    ['c'.repeat(100_000), undefined],
  ])('returns for %.20s: %s', (word, known) => {
    expect(nearest(word, ['channel', 'text', 'as_user'])).toBe(known)
  })

  it('returns undefined without known words', () => {
    expect(nearest('channel', [])).toBeUndefined()
  })
})

describe('correctName', () => {
  it.each([
    ['conected_only', 'connected_only'],
    ['conected_onyl', 'connected_only'],
    ['connectedOnly', 'connected_only'],
    ['Type', 'type'],
    ['tpye', 'type'],
    ['types', 'type'],
    ['tipi', undefined],
    ['state', undefined],
    ['connected', undefined],
    ['c', undefined],
    ['', undefined],
    ['c'.repeat(100_000), undefined],
  ])('returns for %.20s: %s', (name, known) => {
    expect(correctName(name, ['connected_only', 'type', 'status'])).toBe(known)
  })
})

describe('nearestAll', () => {
  const KNOWN = ['desk', 'notes', 'notes-list', 'notes-add-note', 'notes-read-notes', 'notes-read-note', 'google-drive']

  it.each([
    ['dsek', ['desk']],
    ['DESK', ['desk']],
    ['googledrive', ['google-drive']],
    ['notes-raed-note', ['notes-read-note', 'notes-add-note', 'notes-read-notes']],
    ['notes-note-add', ['notes-add-note', 'notes-read-note']],
    ['list notes', ['notes-list', 'notes']],
    ['notes-read', ['notes-read-notes', 'notes-read-note', 'notes']],
    ['cask', []],
    ['nothing', []],
    ['', []],
    ['-', []],
    ['__proto__', []],
    ['n'.repeat(100_000), []],
  ])('returns for %.20s: %j', (name, expected) => {
    expect(nearestAll(name, KNOWN)).toEqual(expected)
  })

  it('returns three names at most', () => {
    expect(nearestAll('notes-get-nota', ['notes-get-note', 'notes-get-noto', 'notes-get-notes', 'notes-get-not'])).toHaveLength(3)
  })
})
