import { setUserLimits } from '@onward/contract'
import { compileCheck, nearest } from '../src/index.ts'

const limits = compileCheck(setUserLimits.body, 'strict')
const fits = { user_id: 'u', allowed_tasks: 1 }

/** The problems with one property of the given schema. */
const problemsOf = (schema: object, value: unknown) =>
  compileCheck({ type: 'object', properties: { field: schema } }, 'strict')({ field: value })

describe('the problems with a body', () => {
  it('have the wording that the contract gives as an example', () => {
    expect(limits([fits, fits, fits, { user_id: 'u', allowed_tasks: -1 }])).toEqual([
      '[3].allowed_tasks: must be a whole number, 0 or more',
    ])
  })

  it.each([1.5, '100', null, true, [], {}, Number.NaN, Number.POSITIVE_INFINITY])('say so for a limit of %p', (allowed_tasks) => {
    expect(limits([{ user_id: 'u', allowed_tasks }])).toEqual(['[0].allowed_tasks: must be a whole number, 0 or more'])
  })

  it('name the bound that was passed', () => {
    expect(limits([{ user_id: 'u', allowed_tasks: 2 ** 53 }])).toEqual(['[0].allowed_tasks: must be a whole number, 0 to 9007199254740991'])
  })

  it('are all told at once, each with its index', () => {
    expect(limits([{ user_id: '', allowed_tasks: 1 }, fits, { allowed_taks: 1 }, 7])).toEqual([
      '[0].user_id: must not be empty',
      '[2].user_id: is required',
      '[2].allowed_tasks: is required',
      '[2].allowed_taks: is not known here; did you mean allowed_tasks?',
      '[3]: must be an object',
    ])
  })

  it('name a field of ours that may not be set', () => {
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
    [{ type: 'array' }, {}, 'must be an array'],
    [{ type: 'null' }, 0, 'must be null'],
    [{ type: ['string', 'null'] }, 1, 'must be text or null'],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'must be one of "a", "b"'],
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
  ])('of %j with %j', (schema, value, problem) => {
    expect(problemsOf(schema, value)).toEqual([`field: ${problem}`])
  })

  it('write a path of keys and indexes, whatever the keys are', () => {
    const check = compileCheck(
      { type: 'object', properties: { 'a/b': { type: 'array', items: { type: 'object', properties: { '~c': { type: 'string' } } } } } },
      'strict',
    )
    expect(check({ 'a/b': [{}, { '~c': 1 }] })).toEqual(['a/b[1].~c: must be text'])
  })

  it('have no path where the body itself is wrong', () => {
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
    ['user', undefined],
    ['x', undefined],
    ['', undefined],
    ['__proto__', undefined],
    ['c'.repeat(100_000), undefined],
  ])('finds for %.20s the known word %s', (word, known) => {
    expect(nearest(word, ['channel', 'text', 'as_user'])).toBe(known)
  })

  it('knows nothing near to anything when nothing is known', () => {
    expect(nearest('channel', [])).toBeUndefined()
  })
})
