import { importDocument, importOne, openApi, sent, swagger, wire } from './import-document.ts'

type Parts = Readonly<Record<string, unknown>>

const list = { type: 'array', items: { type: 'string' } }
const get = (path: string, parameters: unknown[]) => openApi({ [path]: { get: { operationId: 'findPets', parameters } } })
const query = (parameter: Parts) => get('/pets', [{ name: 'tags', in: 'query', ...parameter }])
const old = (parameter: Parts) =>
  swagger({
    '/pets': {
      get: { operationId: 'findPets', parameters: [{ name: 'tags', in: 'query', type: 'array', items: { type: 'string' }, ...parameter }] },
    },
  })

describe('a parameter of the query', () => {
  it.each<[string, Parts, unknown, string]>([
    ['of style form', query({ schema: list }), ['a', 'b'], 'tags=a&tags=b'],
    ['of style form without explode', query({ schema: list, explode: false }), ['a', 'b'], 'tags=a,b'],
    [
      'of style deepObject',
      query({ schema: { type: 'object', properties: { x: { type: 'string' } } }, style: 'deepObject' }),
      { x: 'a' },
      'tags[x]=a',
    ],
    ['that is a list of style deepObject', query({ schema: list, style: 'deepObject' }), ['a', 'b'], 'tags[]=a&tags[]=b'],
    ['of style spaceDelimited', query({ schema: list, style: 'spaceDelimited' }), 'a b', 'tags=a b'],
    ['of style pipeDelimited', query({ schema: list, style: 'pipeDelimited' }), 'a|b', 'tags=a|b'],
    ['of style pipeDelimited with explode', query({ schema: list, style: 'pipeDelimited', explode: true }), ['a', 'b'], 'tags=a&tags=b'],
    [
      'that is JSON',
      query({ content: { 'application/json': { schema: { type: 'object', properties: { x: {} } } } } }),
      '{"x":1}',
      'tags={"x":1}',
    ],
    ['that is an object without explode', query({ schema: { type: 'object', properties: { x: {} } }, explode: false }), 'x,1', 'tags=x,1'],
    ['that is a number', query({ schema: { type: 'integer' } }), 7, 'tags=7'],
    ['that is a list in OpenAPI 2.0', old({}), ['a', 'b'], 'tags=a,b'],
    ['of collectionFormat multi', old({ collectionFormat: 'multi' }), ['a', 'b'], 'tags=a&tags=b'],
    ['of collectionFormat pipes', old({ collectionFormat: 'pipes' }), 'a|b', 'tags=a|b'],
    ['of collectionFormat ssv', old({ collectionFormat: 'ssv' }), 'a b', 'tags=a b'],
    ['of collectionFormat tsv', old({ collectionFormat: 'tsv' }), 'a\tb', 'tags=a\tb'],
  ])('%s goes out as the document has it', async (_, document, value, expected) => {
    expect(wire(await importOne(document), { tags: value })).toBe(`GET /v1/pets?${expected}`)
  })

  it('that is an object of style form becomes a parameter for each of its fields', async () => {
    const schema = { type: 'object', properties: { min: { type: 'integer' }, max: { type: 'integer' } }, required: ['min'] }
    const fn = await importOne(query({ schema, required: true }))
    expect(wire(fn, { min: 1, max: 2 })).toBe('GET /v1/pets?min=1&max=2')
    expect(fn.parameters.required).toEqual(['min'])
  })

  it('that is a list given as text says how, and what values there are', async () => {
    const { parameters } = await importOne(
      query({ schema: { type: 'array', items: { enum: ['cat', 'dog'] } }, style: 'pipeDelimited', description: 'Kinds' }),
    )
    expect(parameters.properties.tags).toEqual({
      type: 'string',
      description: 'Kinds. Several values are separated by |. Values: cat, dog.',
    })
  })

  it('gets a name that models take, and is sent under its own', async () => {
    const parameters = ['filter[status]', 'X-Kind', '2nd', 'größe', '_cursor', 'constructor', 'StartTime>', '$top'].map((name) => ({
      name,
      in: 'query',
      schema: { type: 'string' },
    }))
    const fn = await importOne(get('/pets', parameters))
    const names = Object.keys(fn.parameters.properties)
    expect(names).toEqual(
      ['filter_status', 'X_Kind', '_2nd', 'große', 'query__cursor', 'query_constructor', 'StartTime_after', 'top'].map((name) =>
        name.replace('ß', '_'),
      ),
    )
    const args = Object.fromEntries(names.map((name, index) => [name, String(index)]))
    expect(wire(fn, args)).toBe('GET /v1/pets?filter[status]=0&X-Kind=1&2nd=2&größe=3&_cursor=4&constructor=5&StartTime>=6&$top=7')
  })
})

describe('a parameter of the path', () => {
  const path = (text: string, parameters: unknown[] = []) => importOne(get(text, parameters))

  it('may stand in the middle of a segment, and more than one in it', async () => {
    expect(wire(await path('/pets/{id}.json'), { id: 'a/b' })).toBe('GET /v1/pets/a%2Fb.json')
    expect(wire(await path('/pets/{from}...{to}'), { from: 'x', to: 'y' })).toBe('GET /v1/pets/x...y')
  })

  it('that is not declared is text, and one that the path lacks is not there', async () => {
    const { parameters } = await path('/pets/{pet-id}', [{ name: 'other', in: 'path', required: true, schema: { type: 'integer' } }])
    expect(parameters).toEqual({ type: 'object', properties: { pet_id: { type: 'string', description: 'Pet id.' } }, required: ['pet_id'] })
  })

  it('that is a list is given as text', async () => {
    const fn = await path('/pets/{ids}', [{ name: 'ids', in: 'path', required: true, schema: list }])
    expect(fn.parameters.properties).toMatchObject({ ids: { type: 'string' } })
  })

  it('in the forms of RFC 6570 goes by its name', async () => {
    expect(wire(await path('/pets/{+name}', [{ name: 'name', in: 'path', schema: { type: 'integer' } }]), { name: 3 })).toBe(
      'GET /v1/pets/3',
    )
  })

  it('beside a fixed query, or a mark after #, is found', async () => {
    expect(wire(await path('/pets/{id}?action=feed'), { id: '1' })).toBe('GET /v1/pets/1?action=feed')
    expect(wire(await path('/pets/{id}#feed'), { id: '1' })).toBe('GET /v1/pets/1')
  })

  it('in braces that do not fit costs the operation', async () => {
    const { report } = await importDocument(openApi({ '/pets/{id': { get: {} }, pets: { get: {} }, '/pets/../x': { get: {} } }))
    expect(report.skipped.map(({ operation }) => operation)).toEqual(['GET /pets/../x', 'GET /pets/{id', 'GET pets'])
  })
})

describe('a header', () => {
  it('is a parameter unless the request brings it along', async () => {
    const names = ['X-Trace', 'Accept', 'content-type', 'Authorization', 'User-Agent', 'Host']
    const fn = await importOne(
      get(
        '/pets',
        names.map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } })),
      ),
    )
    expect(Object.keys(fn.parameters.properties)).toEqual(['X_Trace'])
    expect(sent(fn, { X_Trace: 'a' }).headers).toMatchObject({ 'x-trace': 'a' })
  })

  it('of one possible value is sent by itself', async () => {
    const version = { name: 'Desk-Version', in: 'header', required: true, schema: { type: 'string', enum: ['2025-01'] } }
    const fn = await importOne(
      get('/pets', [version, { name: 'Lang', in: 'header', required: true, schema: { type: 'string', default: 'en' } }]),
    )
    expect(fn.parameters.properties).toEqual({})
    expect(sent(fn, {}).headers).toMatchObject({ 'desk-version': '2025-01', lang: 'en' })
  })

  it('that is a list is joined', async () => {
    const fn = await importOne(get('/pets', [{ name: 'X-Ids', in: 'header', schema: list }]))
    expect(sent(fn, { X_Ids: ['a', 'b'] }).headers).toMatchObject({ 'x-ids': 'a,b' })
  })
})

describe('a cookie', () => {
  it('costs an operation that needs it, and no other', async () => {
    const cookie = (required: boolean) => ({
      get: { parameters: [{ name: 'session', in: 'cookie', required, schema: { type: 'string' } }] },
    })
    const { report } = await importDocument(openApi({ '/a': cookie(true), '/b': cookie(false) }))
    expect(report.skipped).toEqual([{ operation: 'GET /a', reasons: ['needs the cookie session'] }])
    expect(report.functions).toMatchObject([{ path: '/b', parameters: [] }])
  })
})

describe('parameters of one name', () => {
  it('in several places get the place before their names', async () => {
    const schema = { type: 'object', properties: { id: { type: 'string' }, kind: { type: 'string' } } }
    const parameters = ['path', 'query', 'header'].map((place) => ({ name: 'id', in: place, required: true, schema: { type: 'string' } }))
    const put = { operationId: 'savePet', parameters, requestBody: { content: { 'application/json': { schema } } } }
    const fn = await importOne(openApi({ '/pets/{id}': { put } }))
    expect(Object.keys(fn.parameters.properties)).toEqual(['id', 'query_id', 'header_id', 'body_id', 'kind'])
    expect(wire(fn, { id: 'p', query_id: 'q', header_id: 'h', body_id: 'b', kind: 'k' })).toBe('PUT /v1/pets/p?id=q {"id":"b","kind":"k"}')
  })

  it('at the path and at the operation are one, the operation’s', async () => {
    const shared = [
      { name: 'size', in: 'query', schema: { type: 'string' } },
      { name: 'kind', in: 'query', schema: { type: 'string' } },
    ]
    const own = [{ name: 'size', in: 'query', schema: { type: 'integer' } }]
    const { report } = await importDocument(openApi({ '/pets': { parameters: shared, get: { operationId: 'findPets', parameters: own } } }))
    expect(report.functions[0]?.parameters).toEqual([
      { name: 'size', type: 'integer', required: false },
      { name: 'kind', type: 'string', required: false },
    ])
  })

  it('as the one that auth sets are not the function’s', async () => {
    const parameters = ['key', 'access_token', 'size'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }))
    const parts = { security: [{ key: [] }], components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } } }
    const fn = await importOne(openApi({ '/pets': { get: { operationId: 'findPets', parameters } } }, parts))
    expect(Object.keys(fn.parameters.properties)).toEqual(['size'])
  })
})
