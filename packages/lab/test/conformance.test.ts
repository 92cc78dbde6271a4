import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkApp } from '../src/conformance/check-conformance.ts'
import { readSources, type Source } from '../src/conformance/sources.ts'

type Parts = Readonly<Record<string, unknown>>

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-conformance-'))
  await mkdir(join(folder, 'apps'))
  await mkdir(join(folder, 'desk'))
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

const OPENAPI: Source = { kind: 'openapi', documents: ['https://desk.example/desk.json'], version: '1', checked: '2026-11-29' }

/** Checks an app with one function. */
async function check(fn: Parts, app: Parts = {}, vendor: unknown = document, source: Partial<Source> = {}) {
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
  await writeFile(join(folder, 'desk', 'desk.json'), typeof vendor === 'string' ? vendor : JSON.stringify(vendor))
  return await checkApp(join(folder, 'apps', 'desk.yaml'), [{ ...OPENAPI, ...source }], folder)
}

/** Returns the differences of one function. */
async function problemsOf(fn: Parts, app: Parts = {}, vendor: unknown = document, source: Partial<Source> = {}): Promise<string[]> {
  const { findings, checked } = await check(fn, app, vendor, source)
  return Object.keys(checked).length === 0 ? ['not checked'] : findings.map(({ problem }) => problem)
}

const list = (query: Parts, properties: Parts = {}, more: Parts = {}) => ({
  parameters: { properties, required: Object.keys(properties) },
  request: { method: 'GET', path: '/pets', query, headers: { 'X-Shop': '1' } },
  ...more,
})
const create = (body: unknown, properties: Parts = {}, more: Parts = {}) => ({
  parameters: { properties, required: Object.keys(properties) },
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
    [{ request: { method: 'GET', path: '/dogs' } }, ['not checked']],
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

  it('is compared with the documents for its path only', async () => {
    const fn = { request: { method: 'GET', path: '/pets/mine' } }
    expect(await problemsOf(fn, {}, document, { under: '/pets' })).toEqual([])
    expect(await problemsOf(fn, {}, document, { under: '/shops' })).toEqual(['not checked'])
  })

  it('may have a host that the document does not name, if the source says so', async () => {
    const fn = { request: { method: 'GET', path: '/pets/mine' } }
    const other = { base_url: 'https://api.other.example/v1' }
    expect(await problemsOf(fn, other)).toEqual(['not checked'])
    expect(await problemsOf(fn, other, document, { any_host: true })).toEqual([])
  })

  it('may send parameters of the query in the body, if the source says so', async () => {
    const vendor = openApi({
      '/pets': { post: { parameters: [{ name: 'age', in: 'query', required: true, schema: { type: 'integer' } }] } },
    })
    const fn = create({ age: '{age}' }, { age: integer })
    expect(await problemsOf(fn, {}, vendor)).toContain('a body is sent, but the operation accepts none')
    expect(await problemsOf(fn, {}, vendor, { query_in_body: true })).toEqual([])
  })
})

describe('a value', () => {
  const color = { type: 'string', enum: ['red', 'blue'], default: 'red', maxLength: 9 }
  const vendor = openApi({
    '/pets': {
      get: {
        parameters: [
          { name: 'color', in: 'query', schema: color },
          { name: 'colors', in: 'query', schema: { type: 'array', maxItems: 2, items: color } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
          { name: 'old', in: 'query', deprecated: true, schema: { type: 'string' } },
          { name: 'all', in: 'query', schema: { type: 'boolean' } },
        ],
      },
      post: {
        deprecated: true,
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', required: ['color'], properties: { color, old: { type: 'string', deprecated: true } } },
            },
          },
        },
      },
    },
  })
  const get = (query: Parts, properties: Parts) => ({ parameters: { properties }, request: { method: 'GET', path: '/pets', query } })

  it.each<[string, Parts, string[]]>([
    [
      'a choice',
      get({ color: '{c}' }, { c: { ...string, enum: ['red', 'green'] } }),
      ['query color: offers green, but the document has red, blue'],
    ],
    [
      'a default',
      get({ color: '{c}' }, { c: { ...string, default: 'green' } }),
      ['query color: the default green, but the document has red, blue'],
    ],
    ['a fixed text', get({ color: 'green' }, {}), ['query color: green, but the document has red, blue']],
    ['a fixed list', get({ colors: 'red,green' }, {}), ['query colors: green, but the document has red, blue']],
    [
      'choices of a list',
      get({ colors: '{c}' }, { c: { type: 'array', description: 'Colors.', maxItems: 3, items: { type: 'string', enum: ['green'] } } }),
      ['query colors: offers green, but the document has red, blue', 'query colors: maxItems is 3, but 2 in the document'],
    ],
    [
      'limits',
      get({ limit: '{n}' }, { n: { ...integer, minimum: 0, maximum: 200 } }),
      ['query limit: maximum is 200, but 100 in the document', 'query limit: minimum is 0, but 1 in the document'],
    ],
    ['a length', get({ color: '{c}' }, { c: { ...string, maxLength: 10 } }), ['query color: maxLength is 10, but 9 in the document']],
    ['what is deprecated', get({ old: '{c}' }, { c: string }), ['query old: is deprecated']],
    [
      'what is deprecated or required in a body',
      { parameters: { properties: { c: string } }, request: { method: 'POST', path: '/pets', body: { color: '{c}', old: 'x' } } },
      ['the operation is deprecated', 'body.color: is required, but a call may leave it out', 'body.old: is deprecated'],
    ],
  ])('is reported for %s that the document does not have', async (_, fn, problems) => {
    expect((await problemsOf(fn, {}, vendor)).sort()).toEqual(problems.sort())
  })

  it('passes within the choices and limits of the document', async () => {
    const fn = get(
      { color: '{c}', colors: 'red,blue', limit: '{n}', all: 'true' },
      { c: { ...string, enum: ['red'], default: 'red', maxLength: 3 }, n: { ...integer, minimum: 1, maximum: 50, default: 20 } },
    )
    expect(await problemsOf(fn, {}, vendor)).toEqual([])
  })
})

describe('scopes', () => {
  const secured = (security: unknown[]) =>
    openApi({ '/pets': { get: { security } } }, { components: { securitySchemes: { oauth: { type: 'oauth2' }, key: { type: 'apiKey' } } } })
  const fn = (scopes?: unknown[]) => ({ request: { method: 'GET', path: '/pets' }, ...(scopes && { scopes }) })

  it('are read as alternatives, and compared with those of the function', async () => {
    const vendor = secured([{ key: [] }, { oauth: ['pets.read'] }, { oauth: ['pets', 'shops'] }])
    expect((await check(fn(), {}, vendor)).scopes).toEqual({ run: [['pets.read'], ['pets', 'shops']] })
    expect(await problemsOf(fn(['pets.read', ['pets', 'shops']]), {}, vendor)).toEqual([])
    expect(await problemsOf(fn(['dogs', ['pets', 'pets.read']]), {}, vendor)).toEqual([
      'scopes: the document does not say that dogs is enough',
      'scopes: the document does not say that pets and pets.read is enough',
    ])
  })
})

describe('scopes that a document names in its own way', () => {
  const fn = (scopes: unknown[]) => ({ request: { method: 'GET', path: '/pets' }, scopes })
  const wrong = (scope: string) => [`scopes: the document does not say that ${scope} is enough`]

  it.each<[string, Parts, unknown[][]]>([
    ['Atlassian', { 'x-atlassian-oauth2-scopes': [{ scopes: ['read'] }, { scopes: ['a', 'b'] }] }, [['read'], ['a', 'b']]],
    ['Klaviyo', { 'x-klaviyo-scopes': ['a', 'b'] }, [['a', 'b']]],
    ['PagerDuty', { description: 'Lists.\n\nScoped OAuth requires: `pets.read`\n' }, [['pets.read']]],
  ])('are those of %s', async (_, operation, scopes) => {
    const vendor = openApi({ '/pets': { get: operation } })
    expect((await check(fn(scopes.slice(0, 1)), {}, vendor)).scopes).toEqual({ run: scopes })
    expect(await problemsOf(fn(['none']), {}, vendor)).toEqual(wrong('none'))
  })

  it("are those of Microsoft's permissions, in a source beside the document", async () => {
    const all = { schemeKeys: ['DelegatedWork'], methods: ['GET'], paths: { '/Pets/{id}': 'least=DelegatedWork', '/pets/find(q={q})': '' } }
    const application = { schemeKeys: ['Application'], methods: ['GET'], paths: { '/pets/{id}': '' } }
    const partly = { ...all, paths: { '/pets/{id}': 'AlsoRequires=Other' } }
    const permissions = { Read: { pathSets: [all] }, App: { pathSets: [application] }, Half: { pathSets: [partly] } }
    await writeFile(join(folder, 'desk', 'permissions.json'), JSON.stringify({ permissions }))
    const sources: Source[] = [OPENAPI, { ...OPENAPI, kind: 'permissions', documents: ['https://desk.example/permissions.json'] }]
    const run = async (path: string, scopes: string[]) => {
      const parameters = { properties: { id: integer }, required: ['id'] }
      await check({ ...fn(scopes), parameters, request: { method: 'GET', path } })
      return (await checkApp(join(folder, 'apps', 'desk.yaml'), sources, folder)).findings.map(({ problem }) => problem)
    }
    expect(await run('/pets/{id}', ['Read'])).toEqual([])
    expect(await run('/pets/{id}', ['App'])).toEqual(wrong('App'))
    expect(await run('/pets/{id}', ['Half'])).toEqual(wrong('Half'))
  })
})

describe('an example of a document', () => {
  const vendor = (example: unknown) =>
    openApi({ '/pets': { get: { responses: { 200: { description: '', content: { 'application/json': { example } } } } } } })
  const fn = {
    request: { method: 'GET', path: '/pets' },
    response: { output: '/pets' },
    output: { type: 'array', items: { type: 'string' } },
  }

  it('is read by the function', async () => {
    expect((await check(fn, {}, vendor({ pets: ['Mia'] }))).examples).toEqual(['run'])
    expect(await problemsOf(fn, {}, vendor({ pets: ['Mia'] }))).toEqual([])
    expect(await problemsOf(fn, {}, vendor({ dogs: ['Mia'] }))).toEqual(['example: the response has no /pets'])
    expect(await problemsOf(fn, {}, vendor({ pets: {} }))).toEqual(['example: the output is no list'])
    expect((await check(fn)).examples).toEqual([])
  })
})

describe('a discovery document', () => {
  const method = {
    httpMethod: 'POST',
    path: 'pets/{+petId}',
    flatPath: 'pets/{petId}',
    scopes: ['pets.write', 'pets'],
    parameters: {
      petId: { type: 'string', location: 'path', required: true },
      tags: { type: 'string', location: 'query', repeated: true },
    },
    request: { $ref: 'Pet' },
    response: { $ref: 'Pet' },
    mediaUpload: { protocols: { simple: { path: '/upload/v1/pets/{petId}' } } },
  }
  const vendor = {
    rootUrl: 'https://api.desk.example/',
    servicePath: 'v1/',
    parameters: { fields: { type: 'string', location: 'query' } },
    schemas: { Pet: { type: 'object', properties: { name: { type: 'string' }, mother: { $ref: 'Pet' }, any: { type: 'any' } } } },
    resources: { pets: { methods: { save: method } } },
  }
  const save = (body: unknown, more: Parts = {}) => ({
    parameters: { properties: { id: string, tags: { type: 'array', description: 'Tags.', items: { type: 'string' } } }, required: ['id'] },
    request: { method: 'POST', path: '/pets/{id}', query: { tags: '{tags*}', fields: 'name' }, body },
    ...more,
  })

  it('is compared like an OpenAPI document', async () => {
    const source = { kind: 'discovery' } as const
    const output = { type: 'object', properties: { name: { type: 'string' } } }
    const found = await check(save({ name: 'Mia', mother: { name: 'Eva' } }, { output, scopes: ['pets'] }), {}, vendor, source)
    expect(found).toMatchObject({ findings: [], outputs: 1, fields: 2, scopes: { run: [['pets.write'], ['pets']] } })
    expect(await problemsOf(save({ color: 'red', mother: 'Eva' }), {}, vendor, source)).toEqual([
      'body.color: the operation has no such field',
      'body.mother: is string, but object in the document',
    ])
  })

  it('has a path of its own for uploads', async () => {
    const upload = {
      parameters: { properties: { id: string }, required: ['id'] },
      request: { method: 'POST', host: 'api.desk.example', path: '/upload/v1/pets/{id}', body: { name: 'Mia' } },
    }
    expect(await problemsOf(upload, { hosts: ['api.desk.example'] }, vendor, { kind: 'discovery' })).toEqual([])
  })
})

describe('a GraphQL schema', () => {
  const schema = `
    enum Size { SMALL LARGE }
    input NewPet { name: String!, age: Int, size: Size = SMALL, color: String @deprecated(reason: "gone") }
    type Pet { id: ID!, name: String, tags: [String!], old: String @deprecated(reason: "gone") }
    type Query { pets(first: Int, after: String): [Pet!]!, me: Pet }
    type Mutation { addPet(input: NewPet!): Pet }
  `
  const add = (input: unknown, graphql = 'mutation ($input: NewPet!) { addPet(input: $input) { id tags } }', more: Parts = {}) => ({
    type: 'ACTION',
    parameters: { properties: { name: string, age: integer, size: { ...string, enum: ['SMALL', 'HUGE'] } }, required: ['name'] },
    request: { method: 'POST', path: '/graphql', graphql, variables: { input } },
    ...more,
  })
  const problems = (fn: Parts) => problemsOf(fn, {}, schema, { kind: 'graphql' })

  it('validates documents and compares variables and outputs', async () => {
    const output = { type: 'object', properties: { id: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } } }
    expect(await problems(add({ name: '{name}', age: '{age}' }, undefined, { output, response: { output: '/data/addPet' } }))).toEqual([])
    expect(await problems(add({ name: '{name}', size: '{size}', color: 'red' }))).toEqual([
      'body.input.size: offers HUGE, but the document has SMALL, LARGE',
      'body.input.color: is deprecated',
    ])
    expect(await problems(add({ age: '{name}' }))).toEqual([
      'body.input.age: is string, but integer in the document',
      'body.input.name: is required and is not sent',
    ])
    expect(await problems(add({ name: '{name}' }, undefined, { output: { type: 'array' }, response: { output: '/data/addPet' } }))).toEqual(
      ['output: is array, but object in the document'],
    )
  })

  it('reports documents that are invalid or use what is deprecated', async () => {
    expect(await problems(add({ name: '{name}' }, 'mutation ($input: NewPet!) { addPet(input: $input) { weight } }'))).toEqual([
      'graphql: Cannot query field "weight" on type "Pet".',
    ])
    expect(await problems(add({ name: '{name}' }, 'mutation ($input: NewPet!) { addPet(input: $input) { old } }'))).toEqual([
      'graphql: The field Pet.old is deprecated. gone',
    ])
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
      const { outputs, fields } = await check(returns(object({ name: { type: 'string' }, age: { type: 'integer' } })), {}, response(schema))
      return { outputs, fields }
    }
    expect(await counts(pet)).toEqual({ outputs: 1, fields: 3 })
    expect(await counts({ type: 'object' })).toEqual({ outputs: 0, fields: 0 })
  })
})

describe('the sources', () => {
  it('are an error when a listed document describes no function, or is not there', async () => {
    const fn = { request: { method: 'GET', path: '/shops' } }
    const documents = [...OPENAPI.documents, 'https://desk.example/more.json']
    await expect(check(fn, {}, document, { documents })).rejects.toThrow('more.json: no such file')
    await writeFile(join(folder, 'desk', 'more.json'), JSON.stringify(swagger({ '/dogs': { get: {} } })))
    expect((await check(fn, {}, document, { documents })).findings).toEqual([
      { function: 'desk', problem: 'https://desk.example/more.json describes none of its functions' },
    ])
  })

  it('need a kind, a version and a day', async () => {
    const read = async (source: Parts) => {
      await writeFile(join(folder, 'sources.yaml'), JSON.stringify({ desk: [source] }))
      return await readSources(join(folder, 'sources.yaml'))
    }
    expect([...(await read(OPENAPI))]).toEqual([['desk', [OPENAPI]]])
    await expect(read({ ...OPENAPI, kind: 'guess' })).rejects.toThrow('desk: needs kind, documents, version and checked')
    await expect(read({ ...OPENAPI, checked: 'today' })).rejects.toThrow('desk: needs kind, documents, version and checked')
    await expect(read({ ...OPENAPI, verison: '1' })).rejects.toThrow('desk: unknown key verison')
  })
})

function openApi(paths: Parts, parts: Parts = {}): Parts {
  return { openapi: '3.1.0', info: { title: 'Desk', version: '1' }, servers: [{ url: 'https://api.desk.example/v1' }], paths, ...parts }
}

function swagger(paths: Parts): Parts {
  return { swagger: '2.0', info: { title: 'Desk', version: '1' }, host: 'api.desk.example', basePath: '/v1', schemes: ['https'], paths }
}
