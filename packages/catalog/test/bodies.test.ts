import type { FileContent, OnwardRequest } from '../src/index.ts'
import { build, find, parameters, problems, problemsOf, sampleApp, sampleFunction, sampleText } from './sample-app.ts'

const file: FileContent = { name: 'a.txt', contentType: 'text/plain', bytes: Buffer.from([0, 255, 13, 10, 45, 45]) }
const files = { file: { description: 'The file to send.' } }

function upload(body: unknown, more: object = {}, types: Record<string, string> = {}) {
  return sampleFunction({ files, ...parameters(types), request: { method: 'POST', path: '/run', body_type: 'multipart', body, ...more } })
}

/** The parts of a multipart body, as latin-1 so that every byte shows; the boundary is X. */
function partsOf(request: OnwardRequest): string {
  const boundary = /^multipart\/form-data; boundary=(onward-[0-9a-f]{36})$/.exec(String(request.headers['content-type']))?.[1]
  expect(boundary).toBeDefined()
  return Buffer.from(request.body as Uint8Array)
    .toString('latin1')
    .replaceAll(String(boundary), 'X')
}

describe('a multipart body', () => {
  const fn = upload({ purpose: '{purpose}', tags: '{tags}', meta: { a: '{n}', b: 1 }, ok: true, none: null, file: '{file}' }, undefined, {
    purpose: 'string',
    tags: 'array',
    n: 'number',
  })

  it('contains texts, one part for each item, JSON and the content of the file', () => {
    const args = { purpose: 'ü', tags: ['x', 'y'], n: 1, file: {} }
    expect(partsOf(build(fn, args, undefined, null, { file }))).toBe(
      [
        '--X\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nÃ¼',
        '--X\r\nContent-Disposition: form-data; name="tags"\r\n\r\nx',
        '--X\r\nContent-Disposition: form-data; name="tags"\r\n\r\ny',
        '--X\r\nContent-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":1,"b":1}',
        '--X\r\nContent-Disposition: form-data; name="ok"\r\n\r\ntrue',
        '--X\r\nContent-Disposition: form-data; name="none"\r\n\r\n',
        '--X\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n\0\xff\r\n--',
        '--X--\r\n',
      ].join('\r\n'),
    )
  })

  it('leaves out absent values', () => {
    expect(partsOf(build(fn))).toBe(
      '--X\r\nContent-Disposition: form-data; name="ok"\r\n\r\ntrue\r\n--X\r\nContent-Disposition: form-data; name="none"\r\n\r\n\r\n--X--\r\n',
    )
  })

  it.each([
    ['a"; name="evil', 'a%22; name=%22evil'],
    ['a\r\nEvil: 1\r\n\r\nx', 'a%0D%0AEvil: 1%0D%0A%0D%0Ax'],
    ['a\u0000b\u007f', 'a%00b%7F'],
    ['日本.png', Buffer.from('日本.png').toString('latin1')],
    ['../a\\b', '../a\\b'],
  ])('writes the file name %j as %j', (name, written) => {
    const parts = partsOf(build(upload({ f: '{file}' }), { file: {} }, undefined, null, { file: { ...file, name } }))
    expect(parts).toContain(`\r\nContent-Disposition: form-data; name="f"; filename="${written}"\r\nContent-Type: text/plain\r\n`)
    expect(parts.split('\r\n\r\n')[0]?.split('\r\n')).toHaveLength(3)
  })

  it('has a different, unpredictable boundary each time', () => {
    const text = upload({ a: '{a}', file: '{file}' }, undefined, { a: 'string' })
    const first = build(text, { a: 'x' })
    const boundary = String(first.headers['content-type']).split('boundary=')[1] ?? ''
    const second = build(text, { a: `x\r\n--${boundary}--\r\n` })
    expect(second.headers['content-type']).not.toBe(first.headers['content-type'])
    expect(partsOf(second)).toContain(`x\r\n--${boundary}--\r\n\r\n--X--\r\n`)
  })

  it('keeps its content type when the app sets a header', () => {
    const request = { method: 'POST', path: '/run', body_type: 'multipart', body: { f: '{file}' } }
    const typed = sampleFunction({ files, request }, { headers: { 'Content-Type': 'application/vnd.api+json' } })
    expect(build(typed, { file: {} }, undefined, null, { file }).headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  })

  it('refuses text that is not well-formed Unicode', () => {
    const text = upload({ a: '{a}', file: '{file}' }, undefined, { a: 'string' })
    expect(problems(text, { a: 'x\ud800' })).toEqual(['a: is not well-formed text'])
    const name = 'x\ud800'
    expect(problems(text, { file: { name } }, undefined, null, { file: { ...file, name } })).toEqual(['file: is not well-formed text'])
  })
})

describe('a parameter with several files', () => {
  const list = { files: { file: { description: 'The files to send.', multiple: true } } }
  const severalFiles = (more: object = {}) =>
    sampleFunction({ ...list, ...more, request: { method: 'POST', path: '/run', body_type: 'multipart', body: { f: '{file}', note: 1 } } })
  const fn = severalFiles()

  it('becomes one part for each file', () => {
    const parts = partsOf(build(fn, { file: [{}, {}] }, undefined, null, { file: [file, { ...file, name: 'b.txt' }] }))
    expect(parts.match(/name="f"; filename="[^"]*"/g)).toEqual(['name="f"; filename="a.txt"', 'name="f"; filename="b.txt"'])
    expect(partsOf(build(fn, { file: [] }, undefined, null, { file: [] }))).not.toContain('filename')
  })

  it('is a list of at most 20 files for callers', () => {
    const one = upload({ f: '{file}' }).parameters.properties.file
    const { description: _, ...items } = one ?? { description: '' }
    expect(fn.parameters.properties.file).toEqual({ type: 'array', description: 'The files to send.', items, maxItems: 20 })
  })

  it('must have a file when it is required, and a valid content type for each', () => {
    const needed = severalFiles({ parameters: { required: ['file'] } })
    expect(problems(needed, { file: [] }, undefined, null, { file: [] })).toEqual(['file: has no content'])
    const odd = { file: [file, { ...file, contentType: 'odd' }] }
    expect(problems(fn, { file: [{}, {}] }, undefined, null, odd)).toEqual(['file[1].content_type: is not a media type'])
  })

  it('cannot be a raw body', () => {
    const request = { method: 'POST', path: '/run', body_type: 'raw', body: '{file}' }
    expect(problemsOf(sampleText({}, { ...list, request })).join()).toContain('{file} is a list of files, which only a multipart body')
  })
})

describe('file parameters', () => {
  const required = { parameters: { required: ['file'] } }

  it('describe to callers how to send a file', () => {
    const fn = upload({ f: '{file}' }, {}, {})
    expect(fn.files).toEqual(['file'])
    expect(fn.parameters.properties.file).toEqual({
      type: 'object',
      description: 'The file to send.',
      properties: {
        url: { type: 'string', format: 'uri', description: expect.any(String) },
        base64: { type: 'string', description: expect.any(String) },
        name: { type: 'string', description: expect.any(String) },
        content_type: { type: 'string', description: expect.any(String) },
      },
      additionalProperties: false,
    })
  })

  it('must have content when they are required or given', () => {
    const request = { method: 'POST', path: '/run', body_type: 'multipart', body: { f: '{file}' } }
    expect(problems(sampleFunction({ files, ...required, request }), {})).toEqual(['file: has no content'])
    expect(problems(upload({ f: '{file}' }), { file: { url: 'https://a.example' } })).toEqual(['file: has no content'])
    expect(problems(upload({ f: '{file}' }), {})).toEqual([])
  })

  it('may be empty', () => {
    const empty = { ...file, bytes: Buffer.alloc(0) }
    expect(partsOf(build(upload({ f: '{file}' }), { file: {} }, undefined, null, { file: empty }))).toContain('text/plain\r\n\r\n\r\n--X--')
  })

  it.each(['text', 'text/plain and more', 'a/b/c', 'text/plain\r\nEvil: 1', 'text/html; a="\u0001"', '', 'text/plain; ü=日'])(
    'may not have the content type %j',
    (contentType) => {
      for (const fn of [upload({ f: '{file}' }), upload('{file}', { body_type: 'raw' })]) {
        const found = problems(fn, { file: {} }, undefined, null, { file: { ...file, contentType } })
        expect(found).toEqual(['file.content_type: is not a media type'])
      }
    },
  )
})

describe('a raw body', () => {
  it("is the content of a file with its own content type or the function's", () => {
    const fn = upload('{file}', { body_type: 'raw' })
    const files = { file: { ...file, contentType: 'image/png; q="1"' } }
    const request = build(fn, { file: {} }, undefined, null, files)
    expect(Buffer.from(request.body as Uint8Array)).toEqual(file.bytes)
    expect(request.headers['content-type']).toBe('image/png; q="1"')
    const fixed = upload('{file}', { body_type: 'raw', content_type: 'application/octet-stream' })
    expect(build(fixed, { file: {} }, undefined, null, files).headers['content-type']).toBe('application/octet-stream')
    expect(build(fn).body).toBeUndefined()
  })

  it.each([
    ['{text}', undefined, { text: 'a,b\r\nü' }, 'a,b\r\nü', 'text/plain; charset=utf-8'],
    ['{text}', 'text/csv', { text: '' }, '', 'text/csv'],
    ['To: {list}\r\n\r\n{text}', 'message/rfc822', { text: 'x', list: ['a', 'b'] }, 'To: a,b\r\n\r\nx', 'message/rfc822'],
  ])('writes %j with the type %s as text', (body, content_type, args, expected, type) => {
    const types: Record<string, string> = body.includes('{list}') ? { text: 'string', list: 'array' } : { text: 'string' }
    const fn = sampleFunction({
      ...parameters(types),
      request: { method: 'PUT', path: '/run', body_type: 'raw', content_type, body },
    })
    const request = build(fn, args)
    expect([request.body, request.headers['content-type']]).toEqual([expected, type])
    expect([build(fn).body, build(fn).headers['content-type']]).toEqual([undefined, undefined])
    expect(problems(fn, { ...args, text: '\udc00' })).toEqual(['text: is not well-formed text'])
  })
})

describe('a header that is not text', () => {
  const headers = { 'Dropbox-API-Arg': { path: '{path}', mode: 'add', deep: { n: '{n}' } }, List: ['{n}'] }
  const fn = sampleFunction({ ...parameters({ path: 'string', n: 'number' }), request: { method: 'GET', path: '/run', headers } })

  it('is sent as JSON in ASCII without absent values', () => {
    const path = '/ü日😀\r\n\u007f"'
    const request = build(fn, { path })
    expect(request.headers['dropbox-api-arg']).toBe('{"path":"/\\u00fc\\u65e5\\ud83d\\ude00\\r\\n\\u007f\\"","mode":"add"}')
    expect(JSON.parse(String(request.headers['dropbox-api-arg']))).toEqual({ path, mode: 'add' })
    expect(request.headers).not.toHaveProperty('list')
    expect(build(fn, { n: 5 }).headers).toMatchObject({ 'dropbox-api-arg': '{"mode":"add","deep":{"n":5}}', list: '[5]' })
    expect(build(fn).headers).toEqual({ 'x-key': 'key-123' })
  })
})

describe('a request to another host', () => {
  it('uses its path as the whole path on that host', () => {
    const app = { hosts: ['content.example.com'], base_url: 'https://api.example.com/v2' }
    const fn = sampleFunction({ request: { method: 'GET', path: '/files', host: 'content.example.com' } }, app)
    expect(build(fn).url).toBe('https://content.example.com/files')
  })
})

describe('the pass-through in an app whose bodies are neither JSON nor forms', () => {
  it.each(['multipart', 'raw'])('writes JSON when the body type of the app is %s', (body_type) => {
    const app = sampleApp({ body_type }, { request: { method: 'GET', path: '/run' } })
    expect(build(find(app, 'passthrough-request'), { url: '/x', method: 'POST', body: { a: 1 } }).body).toBe('{"a":1}')
  })
})
