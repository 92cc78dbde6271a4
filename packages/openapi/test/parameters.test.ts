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

describe('a query parameter', () => {
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
    ['of style spaceDelimited', query({ schema: list, style: 'spaceDelimited' }), ['a', 'b'], 'tags=a b'],
    ['of style pipeDelimited', query({ schema: list, style: 'pipeDelimited' }), ['a', 'b'], 'tags=a|b'],
    ['of style pipeDelimited with explode', query({ schema: list, style: 'pipeDelimited', explode: true }), ['a', 'b'], 'tags=a&tags=b'],
    [
      'that is JSON',
      query({ content: { 'application/json': { schema: { type: 'object', properties: { x: {} } } } } }),
      '{"x":1}',
      'tags={"x":1}',
    ],
    [
      'that is an object without explode',
      query({ schema: { type: 'object', properties: { x: {} } }, explode: false }),
      { x: '1', y: 2 },
      'tags=x,1,y,2',
    ],
    ['that is an object of style pipeDelimited', query({ schema: { type: 'object' }, style: 'pipeDelimited' }), { x: 1 }, 'tags=x|1'],
    [
      'that is a free-form object',
      query({ schema: { type: 'object', additionalProperties: { type: 'string' } } }),
      { a: '1', b: ['2', '3'], 'x[y]': 'z' },
      'a=1&b=2&b=3&x[y]=z',
    ],
    ['that is a free-form object of style deepObject', query({ schema: { type: 'object' }, style: 'deepObject' }), { a: 1 }, 'tags[a]=1'],
    ['that is a number', query({ schema: { type: 'integer' } }), 7, 'tags=7'],
    ['that is a list in OpenAPI 2.0', old({}), ['a', 'b'], 'tags=a,b'],
    ['of collectionFormat multi', old({ collectionFormat: 'multi' }), ['a', 'b'], 'tags=a&tags=b'],
    ['of collectionFormat pipes', old({ collectionFormat: 'pipes' }), ['a', 'b'], 'tags=a|b'],
    ['of collectionFormat ssv', old({ collectionFormat: 'ssv' }), ['a', 'b'], 'tags=a b'],
    ['of collectionFormat tsv', old({ collectionFormat: 'tsv' }), ['a', 'b'], 'tags=a\tb'],
  ])('is sent as the document declares it: %s', async (_, document, value, expected) => {
    expect(wire(await importOne(document), { tags: value })).toBe(`GET /v1/pets?${expected}`)
  })

  it('becomes one parameter for each field when it is an object of style form', async () => {
    const schema = { type: 'object', properties: { min: { type: 'integer' }, max: { type: 'integer' } }, required: ['min'] }
    const fn = await importOne(query({ schema, required: true }))
    expect(wire(fn, { min: 1, max: 2 })).toBe('GET /v1/pets?min=1&max=2')
    expect(fn.parameters.required).toEqual(['min'])
  })

  it('stays a list for the caller when it is sent as one text', async () => {
    const { parameters } = await importOne(
      query({ schema: { type: 'array', items: { enum: ['cat', 'dog'] } }, style: 'pipeDelimited', description: 'Kinds' }),
    )
    expect(parameters.properties.tags).toEqual({
      type: 'array',
      description: 'Kinds',
      items: { type: 'string', enum: ['cat', 'dog'] },
    })
  })

  it('takes further fields of an open object beside the described ones, but none that the request sets', async () => {
    const schema = { type: 'object', properties: { min: { type: 'integer' } }, additionalProperties: { type: 'string' } }
    const parameters = [
      { name: 'filter', in: 'query', schema },
      { name: 'sort', in: 'query', schema: { type: 'string' } },
    ]
    const fn = await importOne(
      openApi(
        { '/pets': { get: { operationId: 'findPets', parameters, security: [{ key: [] }] } } },
        { components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } } } },
      ),
    )
    const account = { api_key: 'k' }
    expect(new URL(sent(fn, { min: 1, filter: { a: 'x' } }, account).url).search).toBe('?min=1&a=x&api_key=k')
    expect(fn.request({ filter: { sort: 'x', min: '2', api_key: 'mine' } }, account, null)).toEqual({
      problems: ['sort', 'min', 'api_key'].map((key) => `filter.${key}: is another key of the query`),
    })
  })

  it('gets a name that models accept and is sent under its own name', async () => {
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

describe('a path parameter', () => {
  const path = (text: string, parameters: unknown[] = []) => importOne(get(text, parameters))

  it('may be part of a segment, also several in one segment', async () => {
    expect(wire(await path('/pets/{id}.json'), { id: 'a/b' })).toBe('GET /v1/pets/a%2Fb.json')
    expect(wire(await path('/pets/{from}...{to}'), { from: 'x', to: 'y' })).toBe('GET /v1/pets/x...y')
  })

  it('is text when it is not declared, and is dropped when the path does not contain it', async () => {
    const { parameters } = await path('/pets/{pet-id}', [{ name: 'other', in: 'path', required: true, schema: { type: 'integer' } }])
    expect(parameters).toEqual({ type: 'object', properties: { pet_id: { type: 'string', description: 'Pet id.' } }, required: ['pet_id'] })
  })

  const texts = { type: 'object', properties: { x: { type: 'string' } } }
  it.each<[Parts, unknown, string]>([
    [{ schema: list }, ['a,b', 'c/d', '..x'], 'a%2Cb,c%2Fd,..x'],
    [{ schema: list, style: 'matrix' }, ['1', '2;3'], ';pet-ids=1,2%3B3'],
    [{ schema: list, style: 'matrix', explode: true }, ['1', '2'], ';pet-ids=1;pet-ids=2'],
    [{ schema: { type: 'integer' }, style: 'matrix' }, 5, ';pet-ids=5'],
    [{ schema: list, style: 'label' }, ['1', '2'], '.1,2'],
    [{ schema: list, style: 'label', explode: true }, ['1', '2'], '.1.2'],
    [{ schema: { type: 'integer' }, style: 'label' }, 5, '.5'],
    [{ schema: texts }, { x: '1,2', y: 3 }, 'x,1%2C2,y,3'],
    [{ schema: texts, style: 'matrix' }, { x: '1' }, ';pet-ids=x,1'],
    [{ schema: texts, explode: true }, 'x=1', 'x%3D1'],
  ])('is written in the path as %j declares it', async (parameter, value, expected) => {
    const fn = await path('/pets/x{pet-ids}', [{ name: 'pet-ids', in: 'path', required: true, ...parameter }])
    expect(new URL(sent(fn, { pet_ids: value }).url).pathname).toBe(`/v1/pets/x${expected}`)
  })

  it('refuses an empty list, and empty values of a list', async () => {
    const fn = await path('/pets/{ids}', [{ name: 'ids', in: 'path', required: true, schema: list }])
    for (const ids of [[], ['a', ''], ['..']]) {
      expect(fn.request({ ids }, {}, null)).toEqual({ problems: ['ids: must not be empty, "." or ".."'] })
    }
  })

  it('skips the operation when it is an exploded object of style matrix or label', async () => {
    const parameters = [{ name: 'ids', in: 'path', required: true, schema: texts, style: 'matrix', explode: true }]
    const { report } = await importDocument(get('/pets/{ids}', parameters))
    expect(report.skipped).toEqual([
      { operation: 'GET /pets/{ids}', reasons: ['the object ids in its path has the style matrix with explode'] },
    ])
  })

  it('is matched by name when it is written with an operator of RFC 6570', async () => {
    expect(wire(await path('/pets/{+name}', [{ name: 'name', in: 'path', schema: { type: 'integer' } }]), { name: 3 })).toBe(
      'GET /v1/pets/3',
    )
  })

  it('is found beside a fixed query or a fragment', async () => {
    expect(wire(await path('/pets/{id}?action=feed'), { id: '1' })).toBe('GET /v1/pets/1?action=feed')
    expect(wire(await path('/pets/{id}#feed'), { id: '1' })).toBe('GET /v1/pets/1')
  })

  it('skips the operation when braces do not match', async () => {
    const { report } = await importDocument(openApi({ '/pets/{id': { get: {} }, pets: { get: {} }, '/pets/../x': { get: {} } }))
    expect(report.skipped.map(({ operation }) => operation)).toEqual(['GET /pets/../x', 'GET /pets/{id', 'GET pets'])
  })
})

describe('a header', () => {
  it('becomes a parameter unless the request sets it', async () => {
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

  it('that cannot be sent is left out and reported, and skips only the operation that requires it', async () => {
    const odd = (required: boolean) => ({
      get: {
        parameters: [
          { name: 'X Odd', in: 'header', required, schema: { type: 'string' } },
          { name: 'part', in: 'matrix', schema: { type: 'string' } },
        ],
      },
    })
    const { report } = await importDocument(openApi({ '/a': odd(true), '/b': odd(false) }))
    expect(report.skipped).toEqual([{ operation: 'GET /a', reasons: ['needs the header X Odd, whose name is not valid'] }])
    expect(report.operations.find(({ path }) => path === '/b')).toMatchObject({
      outcome: 'changed',
      reasons: ['the header X Odd, whose name is not valid is not sent', 'the parameter part in matrix is not sent'],
    })
    expect(report.functions).toMatchObject([{ path: '/b', parameters: [] }])
  })

  it('is sent without a parameter when it has only one possible value', async () => {
    const version = { name: 'Desk-Version', in: 'header', required: true, schema: { type: 'string', enum: ['2025-01'] } }
    const fn = await importOne(
      get('/pets', [version, { name: 'Lang', in: 'header', required: true, schema: { type: 'string', default: 'en' } }]),
    )
    expect(fn.parameters.properties).toEqual({})
    expect(sent(fn, {}).headers).toMatchObject({ 'desk-version': '2025-01', lang: 'en' })
  })

  it('joins the keys and values of an object with commas', async () => {
    const fn = await importOne(get('/pets', [{ name: 'X-Ids', in: 'header', schema: { type: 'object' } }]))
    expect(sent(fn, { X_Ids: { a: 1, b: 'c' } }).headers).toMatchObject({ 'x-ids': 'a,1,b,c' })
  })

  it('joins a list with commas', async () => {
    const fn = await importOne(get('/pets', [{ name: 'X-Ids', in: 'header', schema: list }]))
    expect(sent(fn, { X_Ids: ['a', 'b'] }).headers).toMatchObject({ 'x-ids': 'a,b' })
  })
})

describe('a cookie', () => {
  it('skips only the operation that requires it', async () => {
    const cookie = (required: boolean) => ({
      get: { parameters: [{ name: 'session', in: 'cookie', required, schema: { type: 'string' } }] },
    })
    const { report } = await importDocument(openApi({ '/a': cookie(true), '/b': cookie(false) }))
    expect(report.skipped).toEqual([{ operation: 'GET /a', reasons: ['needs the cookie session'] }])
    expect(report.functions).toMatchObject([{ path: '/b', parameters: [] }])
  })
})

describe('parameters with the same name', () => {
  it('get the place as a prefix when they are in different places', async () => {
    const schema = { type: 'object', properties: { id: { type: 'string' }, kind: { type: 'string' } } }
    const parameters = ['path', 'query', 'header'].map((place) => ({ name: 'id', in: place, required: true, schema: { type: 'string' } }))
    const put = { operationId: 'savePet', parameters, requestBody: { content: { 'application/json': { schema } } } }
    const fn = await importOne(openApi({ '/pets/{id}': { put } }))
    expect(Object.keys(fn.parameters.properties)).toEqual(['id', 'query_id', 'header_id', 'body_id', 'kind'])
    expect(wire(fn, { id: 'p', query_id: 'q', header_id: 'h', body_id: 'b', kind: 'k' })).toBe('PUT /v1/pets/p?id=q {"id":"b","kind":"k"}')
  })

  it('are one parameter, the operation’s, when the path and the operation declare them', async () => {
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

  it('are left out when auth sets them', async () => {
    const parameters = ['key', 'access_token', 'size'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }))
    const parts = { security: [{ key: [] }], components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } } }
    const fn = await importOne(openApi({ '/pets': { get: { operationId: 'findPets', parameters } } }, parts))
    expect(Object.keys(fn.parameters.properties)).toEqual(['size'])
  })
})
