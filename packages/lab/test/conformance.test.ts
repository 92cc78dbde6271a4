import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkConformance } from '../src/conformance/check-conformance.ts'

type Parts = Readonly<Record<string, unknown>>

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-conformance-'))
  await mkdir(join(folder, 'apps'))
  await mkdir(join(folder, 'documents'))
})

afterEach(() => rm(folder, { recursive: true }))

const pet = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    owner: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  },
  required: ['name'],
}
const document = openApi({
  '/pets': {
    get: {
      parameters: [
        { name: 'kind', in: 'query', required: true, schema: { type: 'string' } },
        { name: 'shop', in: 'query', schema: { oneOf: [{ type: 'integer' }, { type: 'null' }] } },
        { name: 'page', in: 'query', schema: { type: 'string' } },
        { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { status: { type: 'string' } } } },
        { name: 'X-Shop', in: 'header', required: true, schema: { type: 'string' } },
      ],
    },
    post: { requestBody: { required: true, content: { 'application/json': { schema: pet } } } },
  },
  '/pets/{petId}': { get: { parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }] } },
  '/pets/mine': { get: {} },
  '/shops': { get: {} },
})

const string = { type: 'string', description: 'A text.' }
const integer = { type: 'integer', description: 'A number.' }

/** Returns the differences of one function. */
async function problemsOf(fn: Parts, app: Parts = {}, vendor: Parts = document): Promise<string[]> {
  const functions = { run: { title: 'Run', description: 'Runs.', type: 'QUERY', ...fn } }
  const file = {
    name: 'desk',
    title: 'Desk',
    description: 'Desk.',
    base_url: 'https://api.desk.example/v1',
    auth: { type: 'bearer' },
    ...app,
    functions,
  }
  await writeFile(join(folder, 'apps', 'desk.yaml'), JSON.stringify(file))
  await writeFile(join(folder, 'documents', 'desk.json'), JSON.stringify(vendor))
  const { findings, apps } = await checkConformance(join(folder, 'apps'), join(folder, 'documents'))
  return apps.length === 0 ? ['not checked'] : findings.map(({ problem }) => problem)
}

const list = (query: Parts, properties: Parts = {}, more: Parts = {}) => ({
  parameters: { properties },
  request: { method: 'GET', path: '/pets', query, headers: { 'X-Shop': '1' } },
  ...more,
})
const create = (body: unknown, properties: Parts = {}, more: Parts = {}) => ({
  parameters: { properties },
  request: { method: 'POST', path: '/pets', body, ...more },
})

describe('a function', () => {
  it.each<[string, Parts]>([
    ['query', list({ kind: '{kind}', shop: '{shop}', 'filter[status]': '{kind}' }, { kind: string, shop: integer })],
    ['body', create({ name: '{name}', age: '{age}', owner: { id: '{age}' } }, { name: string, age: { ...integer, type: 'number' } })],
    ['text that is put together', create({ name: 'Mr. {name}' }, { name: string })],
    [
      'path, whatever its variable is called',
      { parameters: { properties: { id: integer }, required: ['id'] }, request: { method: 'GET', path: '/pets/{id}' } },
    ],
    ['path that a variable of the document covers', { request: { method: 'GET', path: '/pets/7' } }],
    ['path that has an operation of its own', { request: { method: 'GET', path: '/pets/mine' } }],
    ['page that paging sets', list({ kind: 'cat' }, {}, { paging: { style: 'page', parameter: 'page' } })],
  ])('passes with the %s of the document', async (_, fn) => {
    expect(await problemsOf(fn)).toEqual([])
  })

  it.each<[Parts, string[]]>([
    [{ request: { method: 'GET', path: '/dogs' } }, ['/dogs: no such path']],
    [{ request: { method: 'PUT', path: '/pets' } }, ['PUT /pets: the path only has GET, POST']],
    [list({}), ['query kind: is required and is not sent']],
    [{ request: { method: 'GET', path: '/pets', query: { kind: 'cat' } } }, ['header X-Shop: is required and is not sent']],
    [list({ kind: 'cat', color: 'red' }), ['query color: the operation has no such parameter']],
    [list({ kind: 'cat', 'filter[color]': 'red' }), ['query filter[color]: the operation has no such parameter']],
    [list({ kind: 'cat', shop: '{shop}' }, { shop: string }), ['query shop: is string, but integer in the document']],
    [
      list({ kind: 'cat' }, {}, { paging: { style: 'cursor', parameter: 'cursor', next: '/next' } }),
      ['query cursor: the operation has no such parameter'],
    ],
    [
      { parameters: { properties: { id: string }, required: ['id'] }, request: { method: 'GET', path: '/pets/{id}' } },
      ['path petId: is string, but integer in the document'],
    ],
    [create({ age: '{age}' }, { age: integer }), ['body.name: is required and is not sent']],
    [create({ name: '{age}' }, { age: integer }), ['body.name: is integer, but string in the document']],
    [create({ name: 'Mia', color: 'red' }), ['body.color: the operation has no such field']],
    [create({ name: 'Mia', owner: {} }), ['body.owner.id: is required and is not sent']],
    [create({ name: 'Mia', owner: { id: 'x' } }), ['body.owner.id: is string, but integer in the document']],
    [create(undefined), ['the operation requires a body, but none is sent']],
    [create({ name: 'Mia' }, {}, { body_type: 'form' }), ['the body is sent as form, but the operation accepts application/json']],
    [
      { request: { method: 'GET', path: '/pets/mine', query: {} }, paging: { style: 'page', parameter: 'p', in: 'body' } },
      ['a body is sent, but the operation accepts none'],
    ],
  ])('is reported when it differs from the document: %j', async (fn, problems) => {
    expect(await problemsOf(fn)).toEqual(problems)
  })

  it('may send any value that the document does not restrict', async () => {
    const open = (schema: Parts) => openApi({ '/pets': { post: { requestBody: { content: { 'application/json': { schema } } } } } })
    const fn = create({ name: 'Mia', color: 'red' })
    expect(await problemsOf(fn, {}, open({ ...pet, additionalProperties: true }))).toEqual([])
    expect(await problemsOf(fn, {}, open({}))).toEqual([])
  })

  it('finds its document by host, with or without settings in it, and by base path', async () => {
    const fn = { request: { method: 'GET', path: '/pets/mine' } }
    const templated = openApi(
      { '/pets/mine': { get: {} } },
      { servers: [{ url: 'https://{site}.desk.example/v1', variables: { site: { default: 'a' } } }] },
    )
    const settings = {
      account_settings: { site: { title: 'Site', description: 'Site.' } },
      base_url: 'https://{account.site}.desk.example/v1',
    }
    expect(await problemsOf(fn, settings, templated)).toEqual([])
    expect(await problemsOf(fn, { ...settings, base_url: 'https://{account.site}.desk.example/v2' }, templated)).toEqual(['not checked'])
    expect(await problemsOf(fn, { base_url: 'https://api.other.example/v1' })).toEqual(['not checked'])
    expect(
      await problemsOf(
        { request: { method: 'GET', host: 'files.desk.example', path: '/v1/pets/mine' } },
        { base_url: 'https://x.example' },
        templated,
      ),
    ).toEqual([])
  })

  it('is not compared with a document that describes another part of the API', async () => {
    const part = swagger({ '/pets/mine': { get: {} }, '/pets/all': { get: {} } })
    expect(await problemsOf({ request: { method: 'GET', path: '/shops' } }, {}, part)).toEqual(['not checked'])
    expect(await problemsOf({ request: { method: 'GET', path: '/pets/none' } }, {}, part)).toEqual(['/pets/none: no such path'])
  })
})

describe('a declared output', () => {
  const response = (schema: Parts) =>
    openApi({ '/pets/mine': { get: { responses: { 200: { description: 'Pets.', content: { 'application/json': { schema } } } } } } })
  const pets = response({
    type: 'object',
    properties: {
      pets: { type: 'array', items: pet },
      one: { allOf: [pet, { properties: { tags: { type: 'object', additionalProperties: { type: 'string' } } } }] },
      mother: { anyOf: [{ type: 'string' }, pet], 'x-expansionResources': { oneOf: [pet] } },
      vet: { anyOf: [pet, { type: 'object', nullable: true }] },
    },
  })
  const returns = (output: Parts, pointer?: string) => ({
    request: { method: 'GET', path: '/pets/mine' },
    output,
    ...(pointer && { response: { output: pointer } }),
  })
  const object = (properties: Parts) => ({ type: 'object', properties })

  it.each<[Parts, string | undefined]>([
    [{ type: 'array', items: object({ name: { type: 'string' }, age: { type: 'number' } }) }, '/pets'],
    [object({ name: { type: 'string' }, tags: object({ color: { type: 'string' } }) }), '/one'],
    [object({ pets: { type: 'array' }, mother: { type: 'string' }, vet: object({ age: { type: 'integer' } }) }), undefined],
  ])('passes when the response of the document has it: %j at %s', async (output, pointer) => {
    expect(await problemsOf(returns(output, pointer), {}, pets)).toEqual([])
  })

  it.each<[Parts, string | undefined, string[]]>([
    [object({}), '/dogs', ['output: the response has no /dogs']],
    [object({}), '/pets', ['output: is object, but array in the document']],
    [{ type: 'array', items: object({ color: { type: 'string' } }) }, '/pets', ['output[].color: the response has no such field']],
    [object({ age: { type: 'string' } }), '/one', ['output.age: is string, but integer in the document']],
    [object({ tags: object({ color: { type: 'integer' } }) }), '/one', ['output.tags.color: is integer, but string in the document']],
    [object({ mother: object({}) }), undefined, ['output.mother: is object, but string in the document']],
  ])('is reported when the response differs: %j at %s', async (output, pointer, problems) => {
    expect(await problemsOf(returns(output, pointer), {}, pets)).toEqual(problems)
  })

  it('is counted with the values that the document describes', async () => {
    const counts = async (schema: Parts) => {
      await problemsOf(returns(object({ name: { type: 'string' }, age: { type: 'integer' } })), {}, response(schema))
      return (await checkConformance(join(folder, 'apps'), join(folder, 'documents'))).apps
    }
    expect(await counts(pet)).toEqual([{ app: 'desk', checked: 1, unmatched: 0, outputs: 1, fields: 3 }])
    expect(await counts({ type: 'object' })).toEqual([{ app: 'desk', checked: 1, unmatched: 0, outputs: 0, fields: 0 }])
  })
})

describe('the result', () => {
  it('counts checked and unmatched functions and ignores files that are not documents', async () => {
    await writeFile(join(folder, 'documents', 'list.json'), '[]')
    await writeFile(
      join(folder, 'documents', 'desk.yaml'),
      JSON.stringify(swagger({ '/pets/mine': { get: {} }, '/pets/all': { get: {} } })),
    )
    const fn = (path: string) => ({ request: { method: 'GET', path } })
    const file = { name: 'desk', base_url: 'https://api.desk.example/v1', functions: { a: fn('/pets/mine'), b: fn('/shops') } }
    await writeFile(join(folder, 'apps', 'desk.yaml'), JSON.stringify(file))
    expect(await checkConformance(join(folder, 'apps'), join(folder, 'documents'))).toEqual({
      apps: [{ app: 'desk', checked: 1, unmatched: 1, outputs: 0, fields: 0 }],
      findings: [],
      documents: 1,
    })
  })
})

function openApi(paths: Parts, parts: Parts = {}): Parts {
  return { openapi: '3.1.0', info: { title: 'Desk', version: '1' }, servers: [{ url: 'https://api.desk.example/v1' }], paths, ...parts }
}

function swagger(paths: Parts): Parts {
  return { swagger: '2.0', info: { title: 'Desk', version: '1' }, host: 'api.desk.example', basePath: '/v1', schemes: ['https'], paths }
}
