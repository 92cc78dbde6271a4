import { functionsOf, importDocument, importOne, openApi, sent, swagger, wire } from './import-document.ts'

type Parts = Readonly<Record<string, unknown>>

const pet = {
  type: 'object',
  properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['name'],
}
const post = (content: Parts, more: Parts = {}) =>
  openApi({ '/pets': { post: { operationId: 'createPet', requestBody: { content, ...more } } } })
const bytes = { name: 'cat.png', contentType: 'image/png', bytes: new TextEncoder().encode('PNG') }

describe('a request body', () => {
  it('is sent as JSON with the given fields only', async () => {
    const fn = await importOne(post({ 'application/json; charset=utf-8': { schema: pet } }))
    expect(wire(fn, { name: 'Mia' })).toBe('POST /v1/pets {"name":"Mia"}')
    expect(sent(fn, { name: 'Mia' }).headers['content-type']).toBe('application/json')
    expect(fn.parameters.required).toEqual(['name'])
  })

  it('keeps a JSON media type other than application/json', async () => {
    const fn = await importOne(post({ 'application/merge-patch+json': { schema: pet } }))
    expect(sent(fn, { name: 'Mia' })).toMatchObject({ body: '{"name":"Mia"}', headers: { 'content-type': 'application/merge-patch+json' } })
  })

  it('is sent as JSON when the operation accepts several types', async () => {
    const content = { 'application/xml': { schema: pet }, 'multipart/form-data': { schema: pet }, 'application/json': { schema: pet } }
    expect(wire(await importOne(post(content)), { name: 'Mia' })).toBe('POST /v1/pets {"name":"Mia"}')
  })

  it('repeats the key of a list in a form unless its encoding says otherwise', async () => {
    const plain = await importOne(post({ 'application/x-www-form-urlencoded': { schema: pet } }))
    expect(wire(plain, { name: 'M & M', tags: ['a', 'b'] })).toBe('POST /v1/pets name=M & M&tags=a&tags=b')
    const deep = await importOne(
      post({ 'application/x-www-form-urlencoded': { schema: pet, encoding: { tags: { style: 'deepObject' } } } }),
    )
    expect(wire(deep, { name: 'Mia', tags: ['a', 'b'] })).toBe('POST /v1/pets name=Mia&tags[0]=a&tags[1]=b')
  })

  it('is read from the form parameters of OpenAPI 2.0, with and without files', async () => {
    const formData = [{ name: 'name', in: 'formData', type: 'string', required: true }]
    const form = await importOne(swagger({ '/pets': { post: { operationId: 'createPet', parameters: formData } } }))
    expect(wire(form, { name: 'Mia' })).toBe('POST /v1/pets name=Mia')
    const upload = { operationId: 'createPet', parameters: [...formData, { name: 'photo', in: 'formData', type: 'file' }] }
    const fn = await importOne(swagger({ '/pets': { post: upload } }))
    expect([fn.files, Object.keys(fn.parameters.properties)]).toEqual([['photo'], expect.arrayContaining(['name'])])
    const built = fn.request({ name: 'Mia' }, {}, null, { photo: bytes })
    expect(built).toMatchObject({ request: { headers: { 'content-type': expect.stringMatching(/^multipart\/form-data/) } } })
  })

  it('is read from a body parameter of OpenAPI 2.0 with any name and takes the media type of the operation or the document', async () => {
    const operation = {
      operationId: 'createPet',
      consumes: ['application/x-www-form-urlencoded'],
      parameters: [{ name: 'payload', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }],
    }
    const fn = await importOne(swagger({ '/pets': { post: operation } }, { definitions: { Pet: pet }, consumes: ['application/json'] }))
    expect(wire(fn, { name: 'Mia' })).toBe('POST /v1/pets name=Mia')
  })

  it('takes the binary parts of a multipart form as files', async () => {
    const properties = {
      note: { type: 'string' },
      photo: { type: 'string', format: 'binary' },
      scan: { contentMediaType: 'image/png', type: 'string' },
    }
    const fn = await importOne(post({ 'multipart/form-data': { schema: { type: 'object', properties, required: ['photo'] } } }))
    expect(fn.files).toEqual(['photo', 'scan'])
    expect(fn.parameters.required).toEqual(['photo'])
    const built = fn.request({ note: 'hi' }, {}, null, { photo: bytes })
    const text = 'request' in built ? new TextDecoder().decode(built.request.body as Uint8Array) : ''
    expect(text).toContain('name="photo"; filename="cat.png"')
    expect(text).toContain('PNG')
    expect(text).toContain('name="note"')
  })

  it('takes a list of binary parts as a list of files', async () => {
    const properties = { files: { type: 'array', description: 'The files.', items: { type: 'string', format: 'binary' } } }
    const schema = { type: 'object', properties, required: ['files'] }
    const document = post({ 'multipart/form-data': { schema } })
    const fn = await importOne(document)
    expect([fn.files, fn.parameters.required]).toEqual([['files'], ['files']])
    expect(fn.parameters.properties.files).toMatchObject({ type: 'array', description: 'The files.', items: { type: 'object' } })
    const built = fn.request({}, {}, null, { files: [bytes, { ...bytes, name: 'dog.png' }] })
    const text = 'request' in built ? new TextDecoder().decode(built.request.body as Uint8Array) : ''
    expect(text.match(/name="files"; filename="[^"]*"/g)).toEqual(['name="files"; filename="cat.png"', 'name="files"; filename="dog.png"'])
    expect((await importDocument(document)).report.functions[0]?.parameters).toEqual([{ name: 'files', type: 'files', required: true }])
  })

  it('is a form when only a form can contain its files, and the report says so', async () => {
    const properties = { files: { type: 'array', items: { type: 'string', format: 'binary' } }, title: { type: 'string' } }
    const schema = { type: 'object', properties }
    const document = post({
      'application/json': { schema },
      'application/x-www-form-urlencoded': { schema },
      'multipart/form-data': { schema },
    })
    expect((await importOne(document)).files).toEqual(['files'])
    expect((await importDocument(document)).report.operations).toMatchObject([
      {
        outcome: 'changed',
        reasons: ['the body is sent as multipart/form-data, because application/json cannot contain its files'],
      },
    ])
  })

  it('reports files that it cannot send, and a multipart type that it changes', async () => {
    const schema = { type: 'object', properties: { photo: { type: 'string', format: 'binary' } } }
    const reasons = async (media: string) => (await importDocument(post({ [media]: { schema } }))).report.operations[0]?.reasons
    expect(await reasons('application/json')).toEqual(['the file photo is given as text, because the body is not a form with files'])
    expect(await reasons('multipart/related')).toEqual(['multipart/related is sent as multipart/form-data'])
    expect(await reasons('multipart/form-data')).toEqual([])
  })

  it.each([
    [undefined, 'tags=a,b'],
    ['multi', 'tags=a&tags=b'],
    ['pipes', 'tags=a|b'],
  ])('writes a list in a form of OpenAPI 2.0 with the collectionFormat %s', async (collectionFormat, expected) => {
    const tags = { name: 'tags', in: 'formData', type: 'array', items: { type: 'string' }, collectionFormat }
    const fn = await importOne(swagger({ '/pets': { post: { operationId: 'createPet', parameters: [tags] } } }))
    expect(wire(fn, { tags: ['a', 'b'] })).toBe(`POST /v1/pets ${expected}`)
  })

  it('is a file for binary data and a text for formats such as XML', async () => {
    const upload = await importOne(post({ 'image/*': { schema: { type: 'string', format: 'binary' } } }))
    expect(upload.files).toEqual(['file'])
    expect(upload.request({}, {}, null, { file: bytes })).toMatchObject({ request: { headers: { 'content-type': 'image/png' } } })
    const xml = await importOne(post({ 'application/xml': { schema: pet } }))
    expect(sent(xml, { body: '<pet/>' })).toMatchObject({ body: '<pet/>', headers: { 'content-type': 'application/xml' } })
  })

  it.each<[string, Parts, unknown]>([
    ['a list', { type: 'array', items: { type: 'string' } }, ['a']],
    ['a text', { type: 'string' }, 'a'],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, { a: 1 }],
    ['anything', {}, { a: [1] }],
  ])('becomes one parameter when it is %s', async (_, schema, value) => {
    const fn = await importOne(post({ 'application/json': { schema } }, { required: true }))
    expect(fn.parameters.required).toEqual(['body'])
    expect(sent(fn, { body: value }).body).toBe(JSON.stringify(value))
  })

  it('is left out of a GET and sent with a DELETE', async () => {
    const requestBody = { content: { 'application/json': { schema: pet } } }
    const fns = functionsOf(
      await importDocument(
        openApi({ '/pets': { get: { operationId: 'findPets', requestBody }, delete: { operationId: 'removePets', requestBody } } }),
      ),
    )
    expect(fns['find-pets']?.parameters.properties).toEqual({})
    expect(wire(fns['remove-pets'] as never, { name: 'Mia' })).toBe('DELETE /v1/pets {"name":"Mia"}')
  })

  it('skips the operation when its form has no described fields', async () => {
    const { report } = await importDocument(post({ 'application/x-www-form-urlencoded': { schema: { type: 'object' } } }))
    expect(report.skipped).toEqual([{ operation: 'POST /pets', reasons: ['its form body has no described fields'] }])
  })

  it('drops a key named __proto__ and keeps the other fields', async () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"string"},"name":{"type":"string"}}}',
    )
    const fn = await importOne(post({ 'application/json': { schema } }))
    expect(Object.keys(fn.parameters.properties)).toEqual(['body_toString', 'name'])
    expect(wire(fn, { body_toString: 'x' })).toBe('POST /v1/pets {"toString":"x"}')
  })
})

describe('a method', () => {
  it('makes a QUERY from GET, an ACTION from other methods, and skips unsupported methods', async () => {
    const methods = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options', 'trace']
    const { report } = await importDocument(openApi({ '/pets': Object.fromEntries(methods.map((method) => [method, {}])) }))
    expect(report.functions.map(({ method, type }) => `${method} ${type}`).sort()).toEqual([
      'DELETE ACTION',
      'GET QUERY',
      'PATCH ACTION',
      'POST ACTION',
      'PUT ACTION',
    ])
    expect(report.skipped).toEqual(
      ['HEAD', 'OPTIONS', 'TRACE'].map((method) => ({ operation: `${method} /pets`, reasons: [`${method} is not supported`] })),
    )
  })
})
