import { type AppFunction, readArguments, type ToolFormat, toolOf } from '../src/index.ts'
import { build, problemsOf, sampleFunction, sampleText } from './sample-app.ts'
import { refusals } from './vendor-rules.ts'

const due = { type: 'string', format: 'date', nullable: true, description: 'Due date.' }

function functionOf(properties: object, request: object, required: readonly string[] = []): AppFunction {
  return sampleFunction({ type: 'ACTION', parameters: { properties, required }, request: { method: 'POST', path: '/run', ...request } })
}

/** What a function sends as `p`. Without `p` the argument is absent. */
function sent(schema: object, request: object, args: object): { url: string; body: unknown; headers: Record<string, string> } {
  return build(functionOf({ p: { ...due, ...schema }, other: due }, request), args as never) as never
}

describe('null in a request', () => {
  it('is sent in a JSON body, where an absent field is left out', () => {
    const body = { body: { p: '{p}', other: '{other}' } }
    expect(sent({}, body, { p: null }).body).toBe('{"p":null}')
    expect(sent({}, body, {}).body).toBe('{}')
    expect(sent({}, body, { p: '' }).body).toBe('{"p":""}')
  })

  it('counts as a value of an object that is left out when all its tags are absent', () => {
    const body = { body: { filter: { kind: 'due', value: '{p}' }, other: '{other}' } }
    expect(sent({}, body, { p: null }).body).toBe('{"filter":{"kind":"due","value":null}}')
    expect(sent({}, body, {}).body).toBe('{}')
  })

  it('is sent in place of the default, which only an absent parameter takes', () => {
    const body = { body: { p: '{p}', other: '{other}' } }
    expect(sent({ default: '2026-01-01' }, body, { p: null }).body).toBe('{"p":null}')
    expect(sent({ default: '2026-01-01' }, body, {}).body).toBe('{"p":"2026-01-01"}')
    expect(sent({ default: null }, body, {}).body).toBe('{"p":null}')
  })

  it('is sent inside objects and arrays, as a whole body, and in the variables of GraphQL', () => {
    const nested = { type: 'object', format: undefined, properties: { a: { type: 'string', nullable: true } } }
    const list = { type: 'array', format: undefined, items: { type: 'integer', nullable: true } }
    const body = { body: { p: '{p}', other: '{other}' } }
    expect(sent(nested, body, { p: { a: null } }).body).toBe('{"p":{"a":null}}')
    expect(sent(list, body, { p: [1, null] }).body).toBe('{"p":[1,null]}')
    expect(build(functionOf({ p: due }, { body: '{p}' }), { p: null }).body).toBe('null')
    const graphql = { graphql: 'mutation', variables: { p: '{p}' } }
    expect(build(functionOf({ p: due }, graphql), { p: null }).body).toBe('{"query":"mutation","variables":{"p":null}}')
  })

  it.each<[string, object, object, unknown]>([
    ['a query', {}, { query: { p: '{p}', q: '{other}' } }, 'https://api.example.com/run?p='],
    ['a part of a query', {}, { query: { p: 'due:{p}', q: '{other}' } }, 'https://api.example.com/run?p=due%3A'],
    [
      'a repeated key',
      { type: 'array', format: undefined, items: { type: 'string' } },
      { query: { p: '{p*}', q: '{other}' } },
      'https://api.example.com/run?p=',
    ],
  ])('is an empty text in %s', (_what, schema, request, url) => {
    expect(sent(schema, request, { p: null }).url).toBe(url)
    expect(sent(schema, request, {}).url).toBe('https://api.example.com/run')
  })

  it('is an empty text in forms, headers, lists and texts', () => {
    const list = { type: 'array', format: undefined, items: { type: 'integer', nullable: true } }
    const fields = { body: { p: '{p}', other: '{other}' } }
    expect(sent({}, { body_type: 'form', ...fields }, { p: null }).body).toBe('p=')
    expect(String(sent({}, { body_type: 'multipart', ...fields }, { p: null }).body)).toMatch(/name="p"\r\n\r\n\r\n--/)
    expect(sent({}, { headers: { 'X-P': '{p}', 'X-O': '{other}' } }, { p: null }).headers).toMatchObject({ 'x-p': '' })
    expect(sent(list, { query: { p: '{p}', q: '{other}' } }, { p: [1, null, 2] }).url).toBe('https://api.example.com/run?p=1%2C%2C2')
    expect(sent(list, { query: { p: '{p}', q: '{other}' }, separators: { p: '|' } }, { p: null }).url).toBe(
      'https://api.example.com/run?p=',
    )
    expect(sent({}, { body: { p: 'until {p}', other: '{other}' } }, { p: null }).body).toBe('{"p":"until "}')
  })

  it('is refused by the compiler in a path, which cannot have an empty segment', () => {
    const text = sampleText({}, { parameters: { properties: { p: due }, required: ['p'] }, request: { method: 'GET', path: '/run/{p}' } })
    expect(problemsOf(text).join()).toContain('{p} must not be nullable')
  })

  it('is refused by the compiler for an object whose fields become keys of the query', () => {
    const p = { type: 'object', nullable: true, description: 'A value.' }
    const text = sampleText({}, { parameters: { properties: { p } }, request: { method: 'GET', path: '/run', query: { p: '{p*}' } } })
    expect(problemsOf(text).join()).toContain('{p*} must not be nullable')
  })

  it('is refused by the compiler as the default of a parameter that is not nullable', () => {
    const p = { type: 'string', description: 'A value.', default: null }
    const text = sampleText({}, { parameters: { properties: { p } }, request: { method: 'GET', path: '/run', query: { p: '{p}' } } })
    expect(problemsOf(text).join()).toContain('default: must be string')
  })
})

describe('readArguments', () => {
  const nested = { type: 'object', properties: { a: { ...due }, b: { type: 'string' } } } as const
  const { parameters } = functionOf(
    { p: due, q: { type: 'string', description: 'A value.' }, nested: { ...nested, description: 'A value.', nullable: true } },
    { body: { p: '{p}', q: '{q}', nested: '{nested}' } },
  )

  it('keeps null for a nullable parameter, at any depth, and drops it for an optional one that is not', () => {
    expect(readArguments(parameters, { p: null, q: null, nested: { a: null, b: null } })).toEqual({ p: null, nested: { a: null } })
    expect(readArguments(parameters, { nested: null })).toEqual({ nested: null })
    expect(readArguments(parameters, {})).toEqual({})
  })
})

describe('the tool forms', () => {
  const choice = { type: 'string', enum: ['low', 'high'], nullable: true, description: 'Priority.' }
  const list = { type: 'array', items: { type: 'integer', nullable: true }, description: 'Counts.' }
  const body = { body: { p: '{p}', choice: '{choice}', list: '{list}' } }
  const all = { p: due, choice, list }
  const required = Object.keys(all)

  function propertiesOf(format: ToolFormat, fn: AppFunction): Record<string, unknown> {
    const tool: object = toolOf(fn, format)
    return Object.values(tool).find((value) => value.type === 'object').properties
  }

  it.each<[ToolFormat, object]>([
    ['openai', [...choice.enum, null]],
    ['anthropic', [...choice.enum, null]],
    ['mcp', [...choice.enum, null]],
    // Gemini refuses null as a choice.
    ['gemini', choice.enum],
  ])('say in the form of %s that a value may be null', (format, choices) => {
    for (const fn of [functionOf(all, body), functionOf(all, body, required)]) {
      expect(refusals(fn)).toEqual([])
      expect(propertiesOf(format, fn)).toMatchObject({
        p: { type: ['string', 'null'], format: 'date', description: 'Due date.' },
        choice: { type: ['string', 'null'], enum: choices },
        list: { items: { type: ['integer', 'null'] } },
      })
      expect(JSON.stringify(propertiesOf(format, fn))).not.toContain('nullable')
    }
  })

  it('use strict mode only where null cannot mean absent as well', () => {
    const strict = (fn: AppFunction) => toolOf(fn, 'openai').strict
    expect(strict(functionOf(all, body, required))).toBe(true)
    expect(strict(functionOf(all, body, ['p', 'choice']))).toBe(true)
    expect(strict(functionOf(all, body, ['p', 'list']))).toBe(false)
    const nested = { type: 'object', properties: { p: due }, description: 'A value.' }
    const inList = { type: 'array', items: nested, description: 'Values.' }
    expect(strict(functionOf({ p: nested }, { body: { p: '{p}' } }))).toBe(false)
    expect(strict(functionOf({ p: inList }, { body: { p: '{p}' } }))).toBe(false)
    expect(strict(functionOf({ p: { ...nested, required: ['p'] } }, { body: { p: '{p}' } }))).toBe(true)
  })
})
