import { compileSoundAppFile } from '@onward/catalog'
import { importOpenApiText } from '../src/index.ts'
import { importDocument, openApi } from './import-document.ts'

const pets = {
  '/pets': { get: { tags: ['pet'] }, post: { tags: ['pet'], operationId: 'createPet' } },
  '/pets/{id}': { get: { tags: ['pet'] }, delete: { operationId: 'removePet', deprecated: true } },
  '/petshops': { get: { tags: ['shop'], summary: 'Shops' } },
}
const namesOf = async (include: string[]) =>
  (await importDocument(openApi(pets), { include })).report.functions.map(({ name }) => name.slice(5))

describe('include', () => {
  it.each([
    [['pet'], ['create-pet', 'get-pet', 'list-pets']],
    [['/pets'], ['create-pet', 'get-pet', 'list-pets']],
    [['/pets/'], ['get-pet']],
    [['createPet'], ['create-pet']],
    [
      ['createPet', 'shop'],
      ['create-pet', 'list-petshops'],
    ],
    [['removePet'], ['remove-pet']],
  ])('%j imports %j', async (include, names) => {
    expect(await namesOf(include)).toEqual(names)
  })

  it('adds a note and imports nothing when nothing matches', async () => {
    const { file, report } = await importDocument(openApi(pets), { include: ['gone'] })
    expect(file).toBeNull()
    expect(report.notes).toEqual(
      expect.arrayContaining(['gone matches no operationId, tag, path or operation', '5 of 5 operations are not included']),
    )
  })
})

describe('exclude', () => {
  it.each([
    [['pet'], ['list-petshops']],
    [['/pets/'], ['create-pet', 'list-pets', 'list-petshops']],
    [
      ['createPet', 'GET /petshops'],
      ['get-pet', 'list-pets'],
    ],
  ])('%j leaves the operations out', async (exclude, names) => {
    const { report } = await importDocument(openApi(pets), { exclude })
    expect(report.functions.map(({ name }) => name.slice(5))).toEqual(names)
    expect(report.operations.filter(({ outcome }) => outcome !== 'skipped')).toHaveLength(names.length)
    expect(report.skipped.filter(({ reasons }) => reasons[0] === 'is excluded').length).toBeGreaterThan(0)
  })

  it('does not change the names of the others', async () => {
    const nameOf = async (exclude: string[]) =>
      (await importDocument(openApi(pets), { exclude })).report.operations.map((operation) => operation.function)
    expect(await nameOf(['/pets'])).toEqual(await nameOf([]))
  })
})

describe('the operations of the report', () => {
  const operationsOf = async (...given: Parameters<typeof importDocument>) =>
    Object.fromEntries((await importDocument(...given)).report.operations.map((operation) => [operation.operation, operation]))
  const query = (name: string, schema: object) => ({ name, in: 'query', schema })

  it('are kept, changed or skipped, with line and function', async () => {
    const document = openApi({
      '/toys': { get: {}, delete: {} },
      '/toys/{id}': {
        head: {},
        get: { summary: 'Read a toy', parameters: [query('id', { type: 'string', pattern: '(?!x)y' })] },
      },
    })
    expect(await operationsOf(document)).toEqual({
      'DELETE /toys': {
        operation: 'DELETE /toys',
        method: 'DELETE',
        path: '/toys',
        line: 15,
        outcome: 'kept',
        reasons: [],
        function: 'desk-delete-toys',
        title: 'Delete toys',
        type: 'ACTION',
        destructive: true,
        update: 'new',
      },
      'GET /toys': expect.objectContaining({ line: 14, outcome: 'kept', type: 'QUERY', destructive: false }),
      'GET /toys/{id}': expect.objectContaining({
        outcome: 'changed',
        title: 'Read a toy',
        function: 'desk-get-toy',
        reasons: ['id is called query_id', 'a pattern is left out, because RE2 does not support it: (?!x)y'],
      }),
      'HEAD /toys/{id}': expect.objectContaining({ outcome: 'skipped', reasons: ['HEAD is not supported'], update: null }),
    })
  })

  it('are kept if the name of a parameter only loses signs', async () => {
    const parameters = [query('filter[size]', {}), { name: 'X-Version', in: 'header', schema: {} }]
    expect((await operationsOf(openApi({ '/toys': { get: { parameters } } })))['GET /toys']).toMatchObject({ outcome: 'kept' })
  })

  it('have the lines of a YAML document', async () => {
    const text = 'openapi: 3.1.0\npaths:\n  /toys:\n    get: {}\n    # A comment.\n    post:\n      summary: x\n'
    const { report } = await importOpenApiText(text, { name: 'desk' })
    expect(report.operations.map(({ operation, line }) => [operation, line])).toEqual([
      ['GET /toys', 4],
      ['POST /toys', 6],
    ])
  })

  it.each([
    [
      'alternatives',
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      'alternatives (oneOf) become one schema that accepts all of them',
    ],
    ['a large enum', { type: 'string', enum: Array.from({ length: 201 }, (_, index) => `v${index}`) }, /an enum with more than 200 values/],
    ['an exploded object in the path', undefined, 'the object ids is given as one text'],
    ['a cookie', null, 'the cookie c is not sent'],
  ])('say that %s is changed', async (_what, schema, reason) => {
    const special = schema === null ? { name: 'c', in: 'cookie' } : { name: 'ids', in: 'path', schema: { type: 'object' }, explode: true }
    const parameters = [schema ? query('kind', schema) : special]
    const operations = await operationsOf(openApi({ '/toys/{ids}': { get: { parameters } } }))
    const expected = typeof reason === 'string' ? [reason] : [expect.stringMatching(reason)]
    expect(operations['GET /toys/{ids}']).toMatchObject({ outcome: 'changed', reasons: expected })
  })

  it('say that deep and recursive objects are opened', async () => {
    const components = { schemas: { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } } }
    const deep = (levels: number): object => (levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } })
    const body = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })
    const paths = { '/deep': { post: body(deep(8)) }, '/nodes': { post: body({ $ref: '#/components/schemas/Node' }) } }
    const operations = await operationsOf(openApi(paths, { components }))
    expect(operations['POST /deep']?.reasons).toEqual(['deeply nested objects become objects with any fields'])
    expect(operations['POST /nodes']?.reasons).toEqual(['an object that contains itself becomes an object with any fields'])
  })
})

describe('the text of a document', () => {
  const text = JSON.stringify(
    openApi({ '/toys': { get: {} }, '/pets': { $ref: 'pets.yaml#/pets' }, '/cats': { $ref: 'https://x.example/c' } }),
  )

  it('is imported without the operations that need another document', async () => {
    const { report } = await importOpenApiText(text, { name: 'desk' })
    const reason = 'is in another document, which is not read; use a document without references to others'
    expect(report.functions.map(({ name }) => name)).toEqual(['desk-list-toys'])
    expect(report.skipped).toEqual([
      { operation: '* /cats', reasons: [`$ref https://x.example/c: ${reason}`] },
      { operation: '* /pets', reasons: [`$ref pets.yaml: ${reason}`] },
    ])
  })

  it('has no origin, so each account enters the URL of a server without a host', async () => {
    const { file } = await importOpenApiText(text.replace('https://api.desk.example/v1', '/v1'), { name: 'desk' })
    expect(file?.base_url).toBe('{account.url}')
  })

  it.each([
    ['{\n"openapi": "3.0.0",\n"paths": {]}', "document:3:11: Expected property name or '}'"],
    ['hello', 'document: is not an OpenAPI document (needs openapi or swagger)'],
    ['', 'document: is empty'],
    ['{"openapi": "4.0.0"}', 'document: /openapi: is 4.0.0, not 2.0 or 3.x'],
  ])('that is broken is called document in the error: %j', async (broken, problem) => {
    await expect(importOpenApiText(broken, { name: 'desk' })).rejects.toThrow(problem)
  })
})

describe('the report', () => {
  it('lists what happened to each operation', async () => {
    const { report } = await importDocument(openApi(pets))
    expect(report).toEqual({
      app: 'desk',
      title: 'Desk',
      openapi: '3.1.0',
      servers: [{ url: 'https://api.desk.example/v1', reason: null }],
      imported: 4,
      added: ['desk-create-pet', 'desk-get-pet', 'desk-list-pets', 'desk-list-petshops'],
      changed: [],
      unchanged: 0,
      removed: [],
      skipped: [{ operation: 'DELETE /pets/{id}', reasons: ['is deprecated; include its operationId to import it'] }],
      functions: [
        { name: 'desk-create-pet', method: 'POST', path: '/pets', type: 'ACTION', parameters: [] },
        {
          name: 'desk-get-pet',
          method: 'GET',
          path: '/pets/{id}',
          type: 'QUERY',
          parameters: [{ name: 'id', type: 'string', required: true }],
        },
        { name: 'desk-list-pets', method: 'GET', path: '/pets', type: 'QUERY', parameters: [] },
        { name: 'desk-list-petshops', method: 'GET', path: '/petshops', type: 'QUERY', parameters: [] },
      ],
      operations: expect.any(Array),
      notes: [expect.stringContaining('no usable authentication')],
      seconds: expect.any(Number),
    })
  })

  it('names the patterns that are left out', async () => {
    const schema = { type: 'string', pattern: '^(?!x)[a-z]+$' }
    const { report } = await importDocument(openApi({ '/pets': { get: { parameters: [{ name: 'kind', in: 'query', schema }] } } }))
    expect(report.notes).toContain('a pattern is left out, because RE2 does not support it: ^(?!x)[a-z]+$')
  })

  it('compares with the previous import', async () => {
    const { file } = await importDocument(openApi(pets))
    const previous = file ?? undefined
    expect((await importDocument(openApi(pets), { previous })).report).toMatchObject({ added: [], changed: [], unchanged: 4, removed: [] })
    const { '/petshops': _, ...rest } = pets
    const paths = {
      ...rest,
      '/toys': { get: {} },
      '/pets': {
        get: { ...pets['/pets'].get, parameters: [{ name: 'size', in: 'query', schema: { type: 'integer' } }] },
        post: pets['/pets'].post,
      },
    }
    expect((await importDocument(openApi(paths), { previous })).report).toMatchObject({
      imported: 4,
      added: ['desk-list-toys'],
      changed: ['desk-list-pets'],
      unchanged: 2,
      removed: ['desk-list-petshops'],
    })
    const elsewhere = await importDocument(openApi(pets), { previous, baseUrl: 'https://other.example' })
    expect(elsewhere.report.changed).toHaveLength(4)
  })

  it('says why nothing is imported from a document that only has webhooks', async () => {
    const { file, report } = await importDocument({ openapi: '3.1.0', info: { title: 'Hooks' }, webhooks: { created: { post: {} } } })
    expect(file).toBeNull()
    expect(report).toMatchObject({ imported: 0, skipped: [], functions: [] })
    expect(report.notes[0]).toBe('the document has 1 webhooks but no operations to call')
  })

  it('lists operations that models would refuse as skipped and imports the others', async () => {
    const choices = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        name: `p${index}`,
        in: 'query',
        schema: { type: 'string', enum: Array.from({ length: 20 }, (__, value) => `v${value}`) },
      }))
    const { report } = await importDocument(openApi({ '/pets': { get: { parameters: choices(60) } }, '/toys': { get: {} } }))
    expect(report.functions.map(({ name }) => name)).toEqual(['desk-list-toys'])
    expect(report.skipped).toEqual([{ operation: 'GET /pets', reasons: ['there may be at most 1000 enum values'] }])
  })
})

describe('titles and descriptions', () => {
  it('are plain, short and unique', async () => {
    const long = `First **bold** sentence with a [link](https://x.example). Second \`one\`.\n\n<p>Third</p> ${'and more words '.repeat(40)}`
    const paths = {
      '/a': { get: { summary: 'Read it.', description: long } },
      '/b': { get: { summary: 'Read it', description: 'Same.' } },
      '/c': { get: { summary: 'Read c', description: 'Same.' } },
      '/toys': { get: {} },
    }
    const { file } = await importDocument(openApi(paths))
    const texts = Object.values(file?.functions ?? {}).map(({ title, description }) => [title, description])
    expect(texts).toEqual([
      ['Get a', 'First bold sentence with a link. Second one.'],
      ['Get b', 'Same. (GET /b)'],
      ['Read c', 'Same. (GET /c)'],
      ['List toys', 'List toys: GET /toys.'],
    ])
  })

  it('of the app come from the document, with https links only', async () => {
    const info = { title: '<b>Desk</b>', description: '# About\nAll about desks.', 'x-logo': { url: 'https://desk.example/logo.png' } }
    const { file } = await importDocument(openApi(pets, { info, externalDocs: { url: 'http://desk.example' } }))
    expect(file).toMatchObject({ title: 'Desk', description: 'About All about desks.', icon_url: 'https://desk.example/logo.png' })
    expect(file).not.toHaveProperty('docs_url')
  })
})

describe('an imported app', () => {
  it('compiles without rejected functions', async () => {
    const { file } = await importDocument(openApi(pets))
    const { app, rejected } = compileSoundAppFile(JSON.parse(JSON.stringify(file)), 'desk')
    expect([app?.functions.length, rejected]).toEqual([5, []])
  })
})
