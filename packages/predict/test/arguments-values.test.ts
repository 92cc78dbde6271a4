import { ExactNumber } from '@onward/json'
import { fill, type Properties, valuesOf } from './support.ts'

describe('predictArguments, for numbers,', () => {
  it.each<[Properties[string], string, unknown]>([
    [{ type: 'number' }, 'a width of 1,250.5', 1250.5],
    [{ type: 'integer' }, 'a width of twenty', 20],
    [{ type: 'integer' }, 'a width of 1909699624467843944', new ExactNumber('1909699624467843944')],
    [{ type: 'integer' }, 'a width of 5.5', undefined],
    [{ type: 'integer', maximum: 10 }, 'a width of 50', undefined],
    [{ type: 'integer', description: '1 small, 2 large' }, 'a large width', 2],
  ])('fills %j from "%s"', (schema, prompt, expected) => {
    expect(valuesOf({ width: schema }, prompt)).toEqual(expected === undefined ? {} : { width: expected })
  })

  it('fills parameters by name, in any order', () => {
    const number = { type: 'number' } as const
    const properties = { length: number, width: number, depth: number }
    expect(valuesOf(properties, 'a trench with a depth of 7.7, a width of 44.8 and a length of 19.2')).toEqual({
      depth: 7.7,
      width: 44.8,
      length: 19.2,
    })
  })
})

describe('predictArguments, for enums,', () => {
  const state = { type: 'string', enum: ['open', 'closed', 'desc'] } as const
  it.each<[string, unknown]>([
    ['list closed ones', 'closed'],
    ['sort descending', 'desc'],
    ['Open a window', undefined],
    ['please open it', undefined],
    ['the ones whose state is open', 'open'],
    ['nothing of it', undefined],
  ])('finds the value in "%s"', (prompt, expected) => {
    expect(valuesOf({ state }, prompt)).toEqual(expected === undefined ? {} : { state: expected })
  })

  it('uses the examples of the description as written there', () => {
    expect(valuesOf({ level: { type: 'string', description: 'How hard it is (e.g., easy, hard)' } }, 'play a hard level')).toEqual({
      level: 'hard',
    })
    expect(valuesOf({ country: { type: 'string', description: 'Country (e.g., USA, UK)' } }, 'laws in the United States')).toEqual({
      country: 'USA',
    })
  })
})

describe('predictArguments, for booleans,', () => {
  const flag = { type: 'boolean' } as const
  it.each<[string, string, unknown]>([
    ['is_private', 'create a private channel', true],
    ['is_private', 'create a public channel', false],
    ['is_private', 'create a channel', undefined],
    ['notify', "create it and don't notify anyone", false],
    ['notify', 'create it and notify all', true],
    ['disable_notification', 'send it without notification', true],
    ['waiting_room', 'create it with a waiting room', true],
    ['waiting_room', 'create it with no waiting room', false],
  ])('fills %s from "%s"', (name, prompt, expected) => {
    expect(valuesOf({ [name]: flag }, prompt)).toEqual(expected === undefined ? {} : { [name]: expected })
  })
})

describe('predictArguments, for lists and objects,', () => {
  const texts = { type: 'array', items: { type: 'string' } } as const
  it.each<[Properties[string], string, unknown]>([
    [texts, 'with the labels bug and docs', ['bug', 'docs']],
    [texts, 'with the labels "a b", "c" and "d"', ['a b', 'c', 'd']],
    [texts, 'with the label security', ['security']],
    [{ type: 'array', items: { type: 'integer' } }, 'with the labels 1, 2 and 3', [1, 2, 3]],
    [{ type: 'array', items: { type: 'string', enum: ['red', 'blue'] } }, 'with the labels red and blue', ['red', 'blue']],
  ])('fills %j from "%s"', (schema, prompt, expected) => {
    expect(valuesOf({ labels: schema }, prompt)).toEqual({ labels: expected })
  })

  it('fills the properties of an object', () => {
    const properties = { city: { type: 'string' }, zip_code: { type: 'string' } } as const
    const address = { type: 'object', required: ['city'], properties } as const
    expect(valuesOf({ address }, 'ship it to Porto, with the zip code A10001')).toEqual({ address: { city: 'Porto', zip_code: 'A10001' } })
  })

  it('leaves out an object that is not valid', () => {
    const place = {
      type: 'object',
      required: ['lat', 'name'],
      properties: { lat: { type: 'number' }, name: { type: 'string', pattern: '^x' } },
    } as const
    expect(valuesOf({ place }, 'at the lat 52.5')).toEqual({})
  })

  it('builds objects from addresses when the items of a list are objects', () => {
    const to = {
      type: 'array',
      items: { type: 'object', required: ['email'], properties: { email: { type: 'string', format: 'email' } } },
    } as const
    expect(valuesOf({ to }, 'send it to ada@example.com and bob@example.com')).toEqual({
      to: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
    })
  })
})

describe('predictArguments, for a parameter that the prompt does not mention,', () => {
  it('uses the default only when it is required', () => {
    const properties = { unit: { type: 'string', default: 'km' }, page: { type: 'integer', default: 1 } } as const
    expect(fill(properties, 'please', { optional: ['page'] })).toEqual({
      unit: { value: 'km', origin: { from: 'default' }, confidence: expect.any(Number) },
    })
  })

  it.each(['send an email', 'send it to joe', 'send it tomorrow'])('does not invent an e-mail address: %s', (prompt) => {
    expect(valuesOf({ to: { type: 'string', format: 'email' } }, prompt)).toEqual({})
  })
})

it('predictArguments returns the span of each value in the prompt', () => {
  const prompt = 'add the contact ada@example.com'
  expect(fill({ email: { type: 'string', format: 'email' } }, prompt)).toMatchObject({
    email: { value: 'ada@example.com', origin: { from: 'prompt', span: [16, 31] } },
  })
})
