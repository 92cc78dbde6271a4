import { type AppFunction, lintFunction } from '../src/index.ts'
import { sampleFunction } from './sample-app.ts'

const p = { type: 'string', description: 'A value.' }
const fn = sampleFunction({ parameters: { properties: { p } }, request: { method: 'GET', path: '/run', query: { p: '{p}' } } })

function lint(properties: object, more: object = {}): string[] {
  return lintFunction({ ...fn, parameters: { type: 'object', properties, required: [], ...more } } as AppFunction)
}

function nested(levels: number): object {
  return levels === 0 ? { type: 'string' } : { type: 'object', description: 'Deep.', properties: { a: nested(levels - 1) } }
}

const many = (count: number, value: (at: number) => unknown) => Array.from({ length: count }, (_, at) => value(at))

describe('lintFunction', () => {
  it('accepts an ordinary function', () => {
    expect(lintFunction(fn)).toEqual([])
    expect(lint({ deep: nested(9) })).toEqual([])
  })

  it.each<[string, object, string]>([
    [
      'a name that is too long',
      { name: `sample-${'a'.repeat(60)}` },
      'its name must have at most 64 letters, digits, - and _, and begin with a letter',
    ],
    ['no description', { description: ' ' }, 'description must not be empty'],
    ['a long description', { description: 'a'.repeat(1025) }, 'description must have at most 1024 characters'],
  ])('refuses %s', (_what, change, problem) => {
    expect(lintFunction({ ...fn, ...change })).toEqual([problem])
  })

  it.each<[string, object, string]>([
    ['several types', { p: { ...p, type: ['string', 'null'] } }, 'p: must have one type'],
    ['no type', { p: { description: 'A value.' } }, 'p: must have one type'],
    ['$ref', { p: { ...p, $ref: '#/x' } }, 'p: must not have $ref'],
    ['anyOf', { p: { ...p, anyOf: [] } }, 'p: must not have anyOf'],
    ['a keyword of another type', { p: { ...p, minimum: 1 } }, 'p: must not have minimum'],
    ['no description of a parameter', { p: { type: 'string' } }, 'p: needs a description'],
    ['an empty description', { p: { ...p, description: '' } }, 'p: its description must not be empty'],
    ['a name that Gemini refuses', { 'p-q': p }, 'p-q: is not a name that every model accepts'],
    [
      'a name that Anthropic refuses',
      { p: { ...p, type: 'object', properties: { 'a b': { type: 'string' } } } },
      'p.a b: is not a name that every model accepts',
    ],
    ['an array of anything', { p: { ...p, type: 'array' } }, 'p: needs items'],
    ['an enum of other types', { p: { ...p, enum: ['a', 1] } }, 'p: enum must have only values of type string'],
    ['an enum with a value twice', { p: { ...p, enum: ['a', 'a'] } }, 'p: enum must have distinct values'],
    [
      'a doubled required',
      { p: { ...p, type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'a'] } },
      'p: required names a property twice',
    ],
    ['a required that is not there', { p: { ...p, type: 'object', required: ['a'] } }, 'p: required names a, which is not a property'],
    ['what is wrong within an array', { p: { ...p, type: 'array', items: { type: 'array' } } }, 'p[]: needs items'],
    ['what is wrong in a map', { p: { ...p, type: 'object', additionalProperties: { type: 'x' } } }, 'p.*: must have one type'],
    ['a depth of eleven', { a: nested(10) }, 'a.a.a.a.a.a.a.a.a.a: objects and arrays may be at most 10 deep'],
    ['too many enum values', { a: { ...p, type: 'integer', enum: many(1001, (at) => at) } }, 'there may be at most 1000 enum values'],
    [
      'a long enum',
      { a: { ...p, enum: many(251, (at) => `${'a'.repeat(60)}${at}`) } },
      'an enum of more than 250 values may have at most 15000 characters',
    ],
    [
      'too many properties',
      Object.fromEntries(many(5001, (at) => [`p${at}`, p]) as [string, object][]),
      'there may be at most 5000 properties',
    ],
    [
      'too many characters',
      Object.fromEntries(many(2000, (at) => [`${'p'.repeat(57)}${1000 + at}`, p]) as [string, object][]),
      'names and enum values may have at most 120000 characters',
    ],
    ['a pattern that is none', { p: { ...p, pattern: '(' } }, 'p: its pattern is not a regular expression'],
    ['a limit below 0', { p: { ...p, minLength: -1 } }, 'data/properties/p/minLength must be >= 0'],
  ])('refuses %s', (_what, properties, problem) => {
    expect(lint(properties).join('\n')).toContain(problem)
  })

  it('refuses parameters that are not an object or that require a name twice', () => {
    expect(lint({ p }, { type: 'array' })).toContain('the parameters must be an object')
    expect(lint({ p }, { required: ['p', 'p'] })).toEqual(['required names a property twice'])
    expect(lint({ p }, { anyOf: [] })).toEqual(['must not have anyOf'])
  })
})
