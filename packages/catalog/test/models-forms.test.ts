import { type ToolFormat, toolOf } from '../src/index.ts'
import { find, sampleApp, sampleFunction } from './sample-app.ts'
import { refusals } from './vendor-rules.ts'

const description = 'A value.'

/** Returns the tool of a function with the parameter `p`, or that parameter of the tool. */
function formOf(format: ToolFormat, p: object, required = false, type = 'QUERY'): never {
  return toolOf(functionOf(p, required, type), format) as never
}

function functionOf(p: object, required = false, type = 'QUERY') {
  const parameters = { properties: { p: { description, ...p } }, required: required ? ['p'] : [] }
  return sampleFunction({ type, parameters, request: { method: 'POST', path: '/run', body: { p: '{p}' } } })
}

const openai = (p: object, required = false) =>
  (formOf('openai', p, required) as { parameters: { properties: { p: object } } }).parameters.properties.p
const gemini = (p: object) =>
  (formOf('gemini', p) as { parametersJsonSchema: { properties: { p: object } } }).parametersJsonSchema.properties.p

const plain = { type: 'string', description }
const parameters = { additionalProperties: false, type: 'object', properties: { p: plain }, required: ['p'] }

describe('toolOf', () => {
  it.each<[ToolFormat, object]>([
    [
      'openai',
      {
        type: 'function',
        name: 'sample-run',
        description: 'Runs.',
        strict: true,
        parameters: { type: 'object', properties: { p: plain }, required: ['p'], additionalProperties: false },
      },
    ],
    ['openai-chat', { type: 'function', function: { name: 'sample-run', description: 'Runs.', strict: true, parameters } }],
    ['anthropic', { name: 'sample-run', description: 'Runs.', input_schema: parameters }],
    ['gemini', { name: 'sample-run', description: 'Runs.', parametersJsonSchema: parameters }],
    [
      'mcp',
      {
        name: 'sample-run',
        title: 'Run',
        description: 'Runs.',
        inputSchema: parameters,
        annotations: { title: 'Run', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      },
    ],
  ])('makes the tool of %s', (format, form) => {
    expect(formOf(format, { type: 'string' }, true)).toEqual(form)
  })

  it('makes a tool without parameters in the form that each vendor accepts', () => {
    const fn = sampleFunction({})
    expect(toolOf(fn, 'openai').parameters).toEqual({ type: 'object', properties: {}, required: [], additionalProperties: false })
    expect(toolOf(fn, 'gemini')).toEqual({ name: 'sample-run', description: 'Runs.' })
    expect(toolOf(fn, 'anthropic').input_schema).toEqual({ type: 'object', properties: {}, required: [], additionalProperties: false })
  })

  it('gives a function whose results have pages a _cursor', () => {
    const paged = sampleFunction({ response: { output: '/items' }, paging: { style: 'cursor', parameter: 'after', next: '/next' } })
    const cursor = { type: 'string', description: expect.stringContaining('first page') }
    expect(toolOf(paged, 'anthropic').input_schema.properties).toEqual({ _cursor: cursor })
    expect(toolOf(paged, 'mcp').inputSchema.required).toEqual([])
    expect(toolOf(paged, 'gemini').parametersJsonSchema).toMatchObject({ properties: { _cursor: cursor } })
    expect(toolOf(paged, 'openai').parameters).toMatchObject({
      properties: { _cursor: { type: ['string', 'null'] } },
      required: ['_cursor'],
    })
  })

  it('does not use strict mode for an object with declared and further fields, so that none is lost', () => {
    const open = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true }
    for (const p of [open, { type: 'array', items: open }, { ...open, additionalProperties: { type: 'string' } }]) {
      expect(formOf('openai', p)).toMatchObject({ strict: false, parameters: { properties: { p } } })
    }
  })

  it('marks an action for MCP clients as destructive unless its name shows that it only adds', () => {
    const run = { title: 'Run', description: 'Runs.', request: { method: 'POST', path: '/run' } }
    const functions = {
      'list-all': { ...run, type: 'QUERY' },
      'create-one': { ...run, type: 'ACTION' },
      'delete-one': { ...run, type: 'ACTION' },
      'create-refund': { ...run, type: 'ACTION', destructive: true },
    }
    const hints = (phrase: string) => {
      const { readOnlyHint, destructiveHint, idempotentHint } = toolOf(find(sampleApp({ functions }), phrase), 'mcp').annotations
      return [readOnlyHint, destructiveHint, idempotentHint]
    }
    expect(hints('list-all')).toEqual([true, false, true])
    expect(hints('create-one')).toEqual([false, false, false])
    expect(hints('delete-one')).toEqual([false, true, false])
    expect(hints('create-refund')).toEqual([false, true, false])
    expect(hints('passthrough-request')).toEqual([false, true, false])
  })
})

const TYPES = [
  { type: 'string' },
  { type: 'string', enum: ['a', 'b'], default: 'a' },
  { type: 'string', enum: ['', 'b'] },
  { type: 'string', enum: [''] },
  { type: 'string', enum: ['', 'b'], nullable: true },
  { type: 'boolean', enum: [true], nullable: true },
  { type: 'string', format: 'uri', pattern: '^(?<a>x)', minLength: 1, maxLength: 9 },
  { type: 'string', format: 'date-time', pattern: '^2' },
  { type: 'integer', enum: [1, 2], minimum: 1, exclusiveMaximum: 9, multipleOf: 1 },
  { type: 'number', exclusiveMinimum: 0, maximum: 9.5 },
  { type: 'boolean', default: false },
  { type: 'object' },
  { type: 'object', additionalProperties: { type: 'string' } },
  { type: 'object', properties: { a: { type: 'string' }, b: { type: 'object' } }, required: ['b'] },
  { type: 'object', properties: {}, required: [], additionalProperties: false },
  { type: 'object', properties: { 'a.b-c': { type: 'string' } } },
  { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
  { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 3, uniqueItems: true },
]

describe('each kind of parameter', () => {
  it.each(TYPES.map((type) => [type]))('is valid for every vendor: %j', (type) => {
    for (const required of [true, false]) expect(refusals(functionOf(type, required))).toEqual([])
  })
})

describe('the OpenAI form', () => {
  it.each<[object, object]>([
    [{ type: 'string' }, { type: ['string', 'null'], description }],
    [
      { type: 'string', enum: ['a', 'b'], default: 'a' },
      { type: ['string', 'null'], enum: ['a', 'b', null], description: 'A value. Default: "a".' },
    ],
    [
      { type: 'string', format: 'uri', pattern: '^(?<a>x)', minLength: 1, maxLength: 9 },
      {
        type: ['string', 'null'],
        description: 'A value. At least 1 character. At most 9 characters. Format: uri. Must match the regular expression ^(?<a>x)',
      },
    ],
    [
      { type: 'string', format: 'date', pattern: '^2' },
      { type: ['string', 'null'], format: 'date', pattern: '^2', description },
    ],
    [
      { type: 'integer', minimum: 1, multipleOf: 2 },
      { type: ['integer', 'null'], minimum: 1, multipleOf: 2, description },
    ],
    [
      { type: 'object', additionalProperties: true },
      { type: ['string', 'null'], description: 'A value. A JSON object, as text.' },
    ],
    [
      { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true, description: 'Ids' },
      { type: ['array', 'null'], items: { type: 'string' }, minItems: 1, description: 'Ids. No item twice.' },
    ],
    [
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'object' } }, required: ['b'] },
      {
        type: ['object', 'null'],
        description,
        properties: { a: { type: ['string', 'null'] }, b: { type: 'string', description: 'A JSON object, as text.' } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
    ],
  ])('converts an optional %j', (schema, form) => {
    expect(openai(schema)).toEqual(form)
  })

  it('adds no null to a required enum', () => {
    expect(openai({ type: 'string', enum: ['a'] }, true)).toEqual({ type: 'string', enum: ['a'], description })
  })
})

describe('the Gemini form', () => {
  it.each<[object, object]>([
    [
      { type: 'string', enum: ['', 'b'] },
      { type: 'string', enum: ['b'], description: 'A value. It may be an empty text.' },
    ],
    [
      { type: 'string', enum: [''] },
      { type: 'string', description: 'A value. One of "".' },
    ],
    [
      { type: 'boolean', enum: [true] },
      { type: 'boolean', description: 'A value. One of true.' },
    ],
    [
      { type: 'object', properties: { 'a-b': { type: 'string' } }, nullable: true },
      { type: ['string', 'null'], description: 'A value. A JSON object with the fields a-b, as text.' },
    ],
    [
      { type: 'string', format: 'email', maxLength: 9 },
      { type: 'string', format: 'email', description: 'A value. At most 9 characters.' },
    ],
    [
      { type: 'integer', enum: [1, 2], minimum: 1 },
      { type: 'integer', enum: [1, 2], minimum: 1, description },
    ],
    [
      { type: 'object', additionalProperties: { type: 'string', maxLength: 3 } },
      { type: 'object', description, additionalProperties: { type: 'string', description: 'At most 3 characters.' } },
    ],
    [
      { type: 'object', properties: { 'a-b': { type: 'string' } } },
      { type: 'string', description: 'A value. A JSON object with the fields a-b, as text.' },
    ],
    [
      { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] },
      { type: 'object', description, properties: { a: { type: 'boolean' } }, required: ['a'] },
    ],
    [
      { type: 'array', items: { type: 'number', exclusiveMinimum: 0 }, maxItems: 3 },
      { type: 'array', description, maxItems: 3, items: { type: 'number', description: 'More than 0.' } },
    ],
  ])('converts %j', (schema, form) => {
    expect(gemini(schema)).toEqual(form)
  })

  it('says in words which properties belong together', () => {
    const value = { type: 'string', description }
    const alternatives = [
      { title: 'Card', properties: ['type', 'number'], values: { type: 'card' } },
      { title: 'Bank', properties: ['type', 'iban'], values: { type: 'bank' } },
    ]
    const properties = { type: { ...value, enum: ['card', 'bank'] }, number: value, iban: value }
    const p = { type: 'object', properties, alternatives }
    const words = 'A value. One of: Card (number; type "card"); Bank (iban; type "bank").'
    for (const schema of [
      openai(p),
      gemini(p),
      (formOf('mcp', p) as { inputSchema: { properties: { p: object } } }).inputSchema.properties.p,
    ]) {
      expect(schema).toMatchObject({ description: words })
      expect(schema).not.toHaveProperty('alternatives')
    }
    const request = { method: 'POST', path: '/pay', body: { type: '{type}', number: '{number}', iban: '{iban}' } }
    const fn = sampleFunction({ type: 'ACTION', parameters: { properties, alternatives }, request })
    expect(toolOf(fn, 'openai').parameters).toMatchObject({ description: words.slice('A value. '.length) })
  })
})
