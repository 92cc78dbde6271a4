import { exampleOf } from '../src/pages/catalog/example-of.ts'

describe('the example of a schema', () => {
  it.each<[object, unknown]>([
    [{ type: 'string' }, '…'],
    [{ type: ['null', 'integer'] }, 1],
    [{ type: 'string', enum: ['open', 'closed'] }, 'open'],
    [{ type: 'string', examples: ['C024BE91L'] }, 'C024BE91L'],
    [
      { type: 'object', properties: { ok: { type: 'boolean' }, ids: { type: 'array', items: { type: 'number' } } } },
      { ok: true, ids: [1] },
    ],
    [{ anyOf: [{ const: 'a' }, { type: 'null' }] }, 'a'],
    [{ type: 'array' }, []],
    [{}, null],
  ])('of %j is %j', (schema, example) => expect(exampleOf(schema)).toEqual(example))

  it('ends in a schema that contains itself', () => {
    const schema: { type: string; properties: Record<string, unknown> } = { type: 'object', properties: {} }
    schema.properties.parent = schema
    expect(JSON.stringify(exampleOf(schema))).toContain('{"parent":null}')
  })
})
