import { compileSoundAppFile } from '@onward/catalog'
import { importDocument, openApi } from './import-document.ts'

const pets = {
  '/pets': { get: { tags: ['pet'] }, post: { tags: ['pet'], operationId: 'createPet' } },
  '/pets/{id}': { get: { tags: ['pet'] }, delete: { operationId: 'removePet', deprecated: true } },
  '/petshops': { get: { tags: ['shop'], summary: 'Shops' } },
}
const namesOf = async (include: string[]) =>
  (await importDocument(openApi(pets), { include })).report.functions.map(({ name }) => name.slice(5))

describe('--include', () => {
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
      expect.arrayContaining(['--include gone: matches no operationId, tag or path', '5 of 5 operations are not included']),
    )
  })
})

describe('the report', () => {
  it('lists what happened to each operation', async () => {
    const { report } = await importDocument(openApi(pets))
    expect(report).toEqual({
      app: 'desk',
      title: 'Desk',
      openapi: '3.1.0',
      imported: 4,
      added: ['desk-create-pet', 'desk-get-pet', 'desk-list-pets', 'desk-list-petshops'],
      changed: [],
      unchanged: 0,
      removed: [],
      skipped: [{ operation: 'DELETE /pets/{id}', reasons: ['is deprecated; --include with its operationId imports it'] }],
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
