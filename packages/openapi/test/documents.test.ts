import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importOpenApi } from '../src/index.ts'
import { functionsOf, importDocument, importFiles, noWeb, openApi, swagger } from './import-document.ts'

const listTags = { get: { operationId: 'listTags', responses: {} } }
const names = async (files: Parameters<typeof importFiles>[0]) => (await importFiles(files)).report.functions.map(({ name }) => name)

const yaml = `
openapi: VERSION
info: { title: Desk, version: '1' }
servers: [{ url: https://api.desk.example }]
x-shared: &shared { summary: List tags }
paths:
  /tags:
    get:
      <<: *shared
      operationId: listTags
      responses: { 200: { description: ok } }
`

describe('a document', () => {
  it.each(['3.0.3', '3.1.0', '3.2.0', "'3.0'"])('is read from YAML in OpenAPI %s', async (version) => {
    expect(await names({ 'desk.yaml': yaml.replace('VERSION', version) })).toEqual(['desk-list-tags'])
  })

  it('is read in OpenAPI 2.0 from YAML, where the version is a number, and from JSON', async () => {
    const text =
      'swagger: 2.0\nhost: api.desk.example\nschemes: [https]\npaths:\n  /tags:\n    get: { operationId: listTags, responses: {} }\n'
    expect(await names({ 'desk.yml': text })).toEqual(['desk-list-tags'])
    expect(await names({ 'desk.json': swagger({ '/tags': listTags }) })).toEqual(['desk-list-tags'])
  })

  it('may begin with a byte order mark and may be JSON in a file with any extension', async () => {
    expect(await names({ 'desk.txt': `\ufeff${JSON.stringify(openApi({ '/tags': listTags }))}` })).toEqual(['desk-list-tags'])
  })

  it('is not reported to repeat a key because of quotes in its texts', async () => {
    const description = 'Say "hi", "hi": \\", {"a": 1, "a": 2}'
    const { report } = await importDocument(openApi({ '/tags': { get: { ...listTags.get, description } } }))
    expect(report.notes).toEqual([expect.stringContaining('no usable authentication')])
  })

  it('is imported with a note that names the line when a key appears twice', async () => {
    const json = JSON.stringify(openApi({ '/tags': listTags })).replace('"info":', '\n"info": {}, "info":')
    const inYaml = `${yaml.replace('VERSION', '3.0.0')}info: { title: Other }\n`
    const notes = await Promise.all([importFiles({ 'a.json': json }), importFiles({ 'a.yaml': inYaml })])
    expect(notes.map(({ report }) => report.notes.map((note) => note.replace(/^.*\//, '')))).toEqual([
      ['a.json:2:13: the key "info" appears twice; the last one counts', expect.stringContaining('no usable authentication')],
      ['a.yaml:12:1: the key "info" appears twice; the last one counts', expect.stringContaining('no usable authentication')],
    ])
  })
})

describe('a broken document', () => {
  const deep = '['.repeat(100_000)
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g'].map((key, index) => `${key}: &${key} [${Array(10).fill(`*${'abcdef'[index]}`).join(',')}]`).join('\n')}\nopenapi: 3.0.0\n`

  it.each([
    ['desk.json', '{"openapi": "3.0.0", "paths": {"/a": ', /desk\.json:1:\d+: (Unexpected end|Expected)/],
    ['desk.json', '{\n"openapi": "3.0.0",\n"paths": {]}', "desk.json:3:11: Expected property name or '}'"],
    ['desk.json', '{"a": [1,]}', "desk.json:1:10: Unexpected token ']'"],
    ['desk.json', '', 'desk.json: is empty'],
    ['desk.json', '[]', /\/desk\.json: is not an OpenAPI document \(needs openapi or swagger\)$/],
    ['desk.txt', 'hello world', /\/desk\.txt: is not an OpenAPI document \(needs openapi or swagger\)$/],
    ['desk.txt', 'Hello there.\nThis is: a text\nmore', /\/desk\.txt: is not an OpenAPI document \(needs openapi or swagger\)$/],
    ['desk.txt', 'openapi: 3.0.0\npaths: [', /desk\.txt:\d+:\d+: /],
    ['desk.json', '{"openapi": "\0"}', /\/desk\.json: is not a text file$/],
    ['desk.yaml', 'openapi: 3.0.0\nx: { path: /x/{id} }\n', /desk\.yaml:2:15: [^\n]* \(quote a text that contains braces\)$/],
    ['desk.json', '{"paths": {}}', 'has no OpenAPI version'],
    ['desk.json', '{"openapi": "4.0.0"}', '/openapi: is 4.0.0, not 2.0 or 3.x'],
    ['desk.json', '{"openapi": "3.0.0", "paths": []}', '/paths: must be an object'],
    ['desk.yaml', 'openapi: 3.0.0\npaths:\n\t/a: {}\n', /desk\.yaml:3:\d+: /],
    ['desk.yaml', 'openapi: 3.0.0\npaths: {\n', /desk\.yaml:\d+:\d+: /],
    ['desk.yaml', 'openapi: *gone\n', /desk\.yaml/],
    ['desk.yaml', bomb, 'desk.yaml: Excessive alias count'],
    ['desk.yaml', `openapi: ${deep}`, /desk\.yaml(:\d+:\d+)?: /],
    ['desk.json', deep, /desk\.json:1:100001: /],
  ])('is reported with file and line (%s, case %#)', async (name, text, problem) => {
    await expect(importFiles({ [name]: text })).rejects.toMatchObject({
      name: 'CatalogError',
      message: typeof problem === 'string' ? expect.stringContaining(problem) : expect.stringMatching(problem),
    })
  })

  it('is reported when the file is not valid UTF-8', async () => {
    const bytes = Buffer.from('{"openapi": "3.0.0", "info": {"title": "Caf\xe9"}}', 'latin1')
    await expect(importFiles({ 'desk.json': bytes })).rejects.toThrow('desk.json: is not valid UTF-8')
  })

  it('is reported when the file does not exist', async () => {
    await expect(importOpenApi('file:///nowhere/desk.json', { name: 'desk', fetchText: noWeb })).rejects.toThrow(
      '/nowhere/desk.json: no such file',
    )
  })

  it('is imported when its valid JSON is nested 100,000 levels deep', async () => {
    const schema = `${'{"items":'.repeat(100_000)}{}${'}'.repeat(100_000)}`
    const body = `{"content":{"application/json":{"schema":{"type":"object","properties":{"a":${schema}}}}}}`
    const text = JSON.stringify(openApi({ '/tags': listTags, '/deep': { post: { operationId: 'sendDeep', requestBody: 'BODY' } } }))
    const { report } = await importFiles({ 'desk.json': text.replace('"BODY"', body) })
    expect(report.functions.map(({ name }) => name)).toEqual(['desk-list-tags', 'desk-send-deep'])
  })

  it('is read within seconds when it contains a text of 20 MB', async () => {
    const long = `<b>${'word '.repeat(4_000_000)}`
    const before = process.cpuUsage()
    const { file } = await importDocument(openApi({ '/tags': { get: { ...listTags.get, description: long } } }))
    const { user, system } = process.cpuUsage(before)
    expect(file?.functions['list-tags']?.description.length).toBeLessThanOrEqual(300)
    expect((user + system) / 1_000_000).toBeLessThan(5)
  })
})

describe('a $ref', () => {
  const pet = (reference: string) =>
    openApi({
      '/tags': listTags,
      '/pets': { post: { operationId: 'createPet', requestBody: { content: { 'application/json': { schema: { $ref: reference } } } } } },
    })
  const animal = { type: 'object', properties: { name: { type: 'string', description: 'What it is called.' } }, required: ['name'] }

  it('points into other files, relative to the file that contains it', async () => {
    const files = {
      'desk.json': { ...pet('schemas/pet.yaml#/Pet') },
      'schemas/pet.yaml':
        "Pet: { allOf: [{ $ref: '../parts/animal.json' }, { $ref: '#/Toy' }] }\nToy: { properties: { toy: { type: boolean } } }\n",
      'parts/animal.json': animal,
    }
    const { 'create-pet': fn } = functionsOf(await importFiles(files))
    expect(fn?.parameters).toMatchObject({ properties: { name: { type: 'string' }, toy: { type: 'boolean' } }, required: ['name'] })
  })

  it('may replace a path, a parameter, a body and a response', async () => {
    const document = openApi(
      { '/pets/{id}': { $ref: '#/components/pathItems/pet' } },
      {
        components: {
          pathItems: {
            pet: {
              put: {
                operationId: 'savePet',
                parameters: [{ $ref: '#/components/parameters/a~1b' }],
                requestBody: { $ref: '#/components/requestBodies/pet' },
              },
            },
          },
          parameters: {
            'a/b': { $ref: '#/components/parameters/id' },
            id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          },
          requestBodies: { pet: { content: { 'application/json': { schema: animal } } } },
        },
      },
    )
    const { report } = await importDocument(document)
    expect(report.functions).toMatchObject([
      {
        name: 'desk-save-pet',
        parameters: [
          { name: 'id', type: 'integer', required: true },
          { name: 'name', type: 'string', required: true },
        ],
      },
    ])
  })

  it.each([
    ['#/components/schemas/Gone', '$ref #/components/schemas/Gone: has no target'],
    ['gone.yaml#/Pet', expect.stringMatching(/^\$ref gone\.yaml#\/Pet: .*gone\.yaml: no such file$/)],
    ['broken.json', expect.stringMatching(/broken\.json:1:\d+: /)],
    ['../secret.json', '$ref ../secret.json: is not a file below the folder of the document'],
    ['..%2fsecret.json', '$ref ..%2fsecret.json: is not a file below the folder of the document'],
    ['file:///etc/passwd', '$ref file:///etc/passwd: is not a file below the folder of the document'],
    ['http://169.254.169.254/pet.json', '$ref http://169.254.169.254/pet.json: is not a file below the folder of the document'],
    ['#/components/schemas/Circle', '$ref #/components/schemas/Circle: refers to itself'],
    ['#/components/schemas/__proto__', '$ref #/components/schemas/__proto__: has no target'],
  ])('skips only its own operation when it points to %s', async (reference, reason) => {
    const components = { schemas: { Circle: { $ref: '#/components/schemas/Circle' } } }
    const { report } = await importFiles({ 'desk.json': { ...pet(reference), components }, 'broken.json': '{"a" 1}' })
    expect(report.functions.map(({ name }) => name)).toEqual(['desk-list-tags'])
    expect(report.skipped).toEqual([{ operation: 'POST /pets', reasons: [reason] }])
  })

  it('cannot leave the folder through a symbolic link', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onward-import-'))
    await writeFile(join(folder, 'desk.json'), JSON.stringify(pet('linked.json')))
    await symlink('/etc/hosts', join(folder, 'linked.json'))
    const { report } = await importOpenApi(pathToFileURL(join(folder, 'desk.json')).href, { name: 'desk', fetchText: noWeb })
    await rm(folder, { recursive: true })
    expect(report.skipped[0]?.reasons[0]).toMatch(/linked\.json: is outside the folder of the document$/)
  })

  it('is treated as data inside an example or an extension and never fetched', async () => {
    const example = { $ref: 'x.json' }
    const content = {
      'application/json': { example, examples: { a: { value: example } }, schema: { properties: { example: { $ref: 'y.json' } } } },
    }
    const document = openApi({ '/tags': { get: { ...listTags.get, 'x-more': example, responses: { 200: { content } } } } })
    const asked: string[] = []
    const fetchText = async (url: string) => {
      asked.push(url)
      return JSON.stringify(url.endsWith('desk.json') ? document : {})
    }
    const { report } = await importOpenApi('https://desk.example/desk.json', { name: 'desk', fetchText })
    expect(report).toMatchObject({ imported: 1, skipped: [] })
    expect(asked).toEqual(['https://desk.example/desk.json', 'https://desk.example/y.json'])
  })

  it('of a document from the web reaches only its own origin, through the given reader', async () => {
    const asked: string[] = []
    const documents: Record<string, unknown> = {
      'https://desk.example/api/desk.json': { ...pet('pet.json#/Pet'), servers: [{ url: '/v2' }] },
      'https://desk.example/api/pet.json': { Pet: { properties: { a: { $ref: 'https://other.example/a.json' }, b: { $ref: 'b.json' } } } },
      'https://desk.example/api/b.json': animal,
    }
    const fetchText = async (url: string) => {
      asked.push(url)
      return JSON.stringify(documents[url])
    }
    const { report, file } = await importOpenApi('https://desk.example/api/desk.json', { name: 'desk', fetchText })
    expect(asked).toEqual(Object.keys(documents))
    expect(report.skipped).toEqual([
      { operation: 'POST /pets', reasons: ['$ref https://other.example/a.json: is not a document of desk.example'] },
    ])
    expect(file?.base_url).toBe('https://desk.example/v2')
  })

  it('stops the import when the documents are more than 200', async () => {
    const fetchText = async (url: string) => {
      const number = Number(/(\d+)\.json$/.exec(url)?.[1])
      return JSON.stringify({ ...openApi({ '/tags': listTags }), next: { $ref: `${number + 1}.json` } })
    }
    await expect(importOpenApi('https://desk.example/1.json', { name: 'desk', fetchText })).rejects.toThrow(
      'refers to more than 200 documents',
    )
  })

  it('is not followed when all documents together exceed 64 MiB', async () => {
    const size = 40 * 1024 * 1024
    const fetchText = async (url: string) => {
      const text = JSON.stringify(url.endsWith('desk.json') ? pet('pet.json') : animal)
      return text.slice(0, -1) + ' '.repeat(size) + text.slice(-1)
    }
    const { report } = await importOpenApi('https://desk.example/desk.json', { name: 'desk', fetchText })
    expect(report.skipped[0]?.reasons).toEqual([
      '$ref pet.json: https://desk.example/pet.json: the documents have more than 67108864 bytes',
    ])
  })
})
