import { importDocument, importOne, openApi, sent, swagger, wire } from './import-document.ts'

type Parts = Readonly<Record<string, unknown>>

const schemas = {
  Day: { type: 'string', format: 'date' },
  MaybeDay: { type: ['string', 'null'], format: 'date' },
  Null: { type: 'null' },
  Box: { type: 'object', properties: { size: { type: 'integer' } } },
}
const ref = (name: keyof typeof schemas) => ({ $ref: `#/components/schemas/${name}` })

function update(schema: Parts, more: Parts = {}, media = 'application/json'): Parts {
  const patch = { operationId: 'updateTask', requestBody: { required: true, content: { [media]: { schema } } }, ...more }
  return openApi({ '/tasks/{id}': { patch } }, { components: { schemas } })
}

function withField(schema: unknown, media?: string): Parts {
  return update({ type: 'object', properties: { due: schema } }, {}, media)
}

async function outcomeOf(document: Parts) {
  const { report } = await importDocument(document)
  return report.operations.map(({ outcome, reasons }) => [outcome, ...reasons])
}

describe('a field that may be null', () => {
  it.each<[string, unknown]>([
    ['nullable of 3.0', { type: 'string', nullable: true }],
    ['a list of types', { type: ['string', 'null'] }],
    ['an alternative', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['an alternative by reference', { oneOf: [ref('Null'), ref('Day')] }],
    ['an alternative that is nullable itself', { oneOf: [ref('MaybeDay'), { type: 'string' }] }],
    ['an alternative that is the constant null', { anyOf: [{ type: 'string' }, { const: null }] }],
    ['an enum', { type: 'string', enum: ['a', null] }],
    ['an enum without a type', { enum: ['a', null] }],
    ['an enum that does not list null', { type: 'string', nullable: true, enum: ['a'] }],
    ['nullable beside a reference', { ...ref('Day'), nullable: true }],
    ['nullable beside allOf', { allOf: [ref('Day')], nullable: true }],
    ['nullable beside oneOf', { oneOf: [ref('Day'), { type: 'string' }], nullable: true }],
    ['a reference', ref('MaybeDay')],
    ['allOf with a part that says nothing about the type', { allOf: [ref('MaybeDay'), { description: 'A day.' }] }],
    ['an object', { type: ['object', 'null'], properties: { a: { type: 'string' } } }],
    ['an object by reference', { anyOf: [ref('Box'), { type: 'null' }] }],
    ['a list', { type: ['array', 'null'], items: { type: 'string' } }],
  ])('is kept: %s', async (_what, schema) => {
    const fn = await importOne(withField(schema))
    expect(fn.parameters.properties.due).toMatchObject({ nullable: true })
    expect(sent(fn, { id: '1', due: null }).body).toBe('{"due":null}')
    expect(sent(fn, { id: '1' }).body).toBe('{}')
    expect((await outcomeOf(withField(schema)))[0]?.[0]).toMatch(/^(?:kept|changed)$/)
  })

  it('leaves the other alternative unchanged', async () => {
    const schema = { oneOf: [ref('Null'), ref('Day')] }
    const { description: _, ...due } = (await importOne(withField(schema))).parameters.properties.due as { description: string }
    expect(due).toEqual({ type: 'string', nullable: true, format: 'date' })
    expect(await outcomeOf(withField(schema))).toEqual([['kept']])
  })

  it.each<[string, unknown]>([
    ['nothing about null', { type: 'string' }],
    ['nullable: false', { type: 'string', nullable: false }],
    ['allOf with a part that forbids it', { allOf: [ref('MaybeDay'), ref('Day')] }],
    ['alternatives without null', { anyOf: [ref('Day'), { type: 'integer' }] }],
    ['no type', {}],
  ])('is not made up: %s', async (_what, schema) => {
    expect((await importOne(withField(schema))).parameters.properties.due).not.toHaveProperty('nullable')
  })

  it('is kept inside objects, lists and maps, and where it is required', async () => {
    const maybe = { type: ['integer', 'null'] }
    const inner = { type: 'object', required: ['a'], properties: { a: maybe } }
    const properties = { inner, list: { type: 'array', items: maybe }, map: { type: 'object', additionalProperties: maybe }, due: maybe }
    const fn = await importOne(update({ type: 'object', required: ['due'], properties }))
    const nullable = { type: 'integer', nullable: true }
    expect(fn.parameters.properties).toMatchObject({
      inner: { properties: { a: nullable }, required: ['a'] },
      list: { items: nullable },
      map: { additionalProperties: nullable },
      due: nullable,
    })
    expect(fn.parameters.required).toContain('due')
    expect(await outcomeOf(update({ type: 'object', properties }))).toEqual([['kept']])
  })

  it('is kept as a whole body', async () => {
    const fn = await importOne(update({ type: ['array', 'null'], items: { type: 'string' } }))
    expect(sent(fn, { id: '1', body: null }).body).toBe('null')
  })

  it('is kept from Swagger 2.0, where it is an extension', async () => {
    const body = { name: 'task', in: 'body', schema: { type: 'object', properties: { due: { type: 'string', 'x-nullable': true } } } }
    const fn = await importOne(swagger({ '/tasks': { post: { operationId: 'createTask', parameters: [body] } } }))
    expect(wire(fn, { due: null })).toBe('POST /v1/tasks {"due":null}')
  })

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data'])('is an empty text in %s, which the report says', async (media) => {
    const fn = await importOne(withField({ type: ['integer', 'null'] }, media))
    expect(String(sent(fn, { id: '1', due: null }).body)).toMatch(/^due=$|name="due"\r\n\r\n\r\n--/)
    expect(await outcomeOf(withField({ type: ['integer', 'null'] }, media))).toEqual([
      ['changed', 'null is sent as an empty text, because a form has no null'],
    ])
  })
})

describe('a parameter outside the body that may be null', () => {
  const maybe = { type: ['integer', 'null'] }
  const list = (parameter: Parts) =>
    openApi({ '/tasks': { get: { operationId: 'listTasks', parameters: [{ schema: maybe, ...parameter }] } } })

  it('is not nullable, because absent is the only null of a query or a header', async () => {
    for (const place of ['query', 'header']) {
      const document = list({ name: 'due', in: place })
      expect((await importOne(document)).parameters.properties.due).toEqual({ type: 'integer', description: 'Due.' })
      expect(await outcomeOf(document)).toEqual([['kept']])
    }
    const filter = { type: 'array', items: maybe }
    expect((await importOne(list({ name: 'due', in: 'query', schema: filter }))).parameters.properties.due).toEqual({
      type: 'array',
      items: { type: 'integer' },
      description: 'Due.',
    })
  })

  it('is reported where it is required', async () => {
    const document = list({ name: 'due', in: 'query', required: true })
    expect(await outcomeOf(document)).toEqual([['changed', 'due cannot be null, because a query has no null']])
  })
})

it('reports a body that may be null but is given field by field', async () => {
  expect(await outcomeOf(update({ anyOf: [ref('Box'), { type: 'null' }] }))).toEqual([['changed', 'the body cannot be null']])
})
