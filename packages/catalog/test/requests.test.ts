import { build, parameters, problems, problemsOf, required, sampleFunction, sampleText } from './sample-app.ts'

function post(body: unknown, types: Record<string, string>, more: object = {}) {
  return sampleFunction({ ...parameters(types), request: { method: 'POST', path: '/run', body, ...more } })
}

function get(query: object, types: Record<string, string>) {
  return sampleFunction({ ...parameters(types), request: { method: 'GET', path: '/run', query } })
}

describe('the path of a request', () => {
  const fn = sampleFunction({ ...required({ id: 'string' }), request: { method: 'GET', path: '/items/{id}/parts' } })

  it.each([
    ['42', '/items/42/parts'],
    ['a/b', '/items/a%2Fb/parts'],
    ['../x', '/items/..%2Fx/parts'],
    ['%2e%2e', '/items/%252e%252e/parts'],
    ['a\\b?c#d', '/items/a%5Cb%3Fc%23d/parts'],
    ['a b\r\nc', '/items/a%20b%0D%0Ac/parts'],
    ['ü', '/items/%C3%BC/parts'],
    ['@evil.example', '/items/%40evil.example/parts'],
    ['...', '/items/.../parts'],
  ])('encodes %j as one segment', (id, path) => {
    expect(build(fn, { id }).url).toBe(`https://api.example.com${path}`)
  })

  it.each(['', '.', '..'])('refuses %j', (id) => {
    expect(problems(fn, { id })).toEqual(['id: must not be empty, "." or ".."'])
  })

  it('refuses half of a surrogate pair', () => {
    expect(problems(fn, { id: 'a\ud800' })).toEqual(['id: is not well-formed text'])
  })

  it('keeps the path of base_url', () => {
    expect(build(sampleFunction({}, { base_url: 'https://api.example.com/v2/' })).url).toBe('https://api.example.com/v2/run')
  })
})

describe('the query of a request', () => {
  it.each<[object, string, Record<string, unknown>, string]>([
    [{ q: '{a}' }, 'string', { a: 'x&y=z +ü' }, '?q=x%26y%3Dz%20%2B%C3%BC'],
    [{ q: '{a}' }, 'string', {}, ''],
    [{ q: '{a}' }, 'string', { a: '' }, '?q='],
    [{ q: '{a}' }, 'boolean', { a: false }, '?q=false'],
    [{ q: '{a}' }, 'integer', { a: 0 }, '?q=0'],
    [{ q: 'name:{a}!' }, 'string', { a: 'x' }, '?q=name%3Ax!'],
    [{ q: 'name:{a}!' }, 'string', {}, ''],
    [{ q: '{a}' }, 'array', { a: ['x', 'y'] }, '?q=x%2Cy'],
    [{ q: '{a*}' }, 'array', { a: ['x', 'y'] }, '?q=x&q=y'],
    [{ q: '{a*}' }, 'array', {}, ''],
    [{ 'created[gte]': '{a}', fixed: 1, flag: true }, 'integer', { a: 5 }, '?created%5Bgte%5D=5&fixed=1&flag=true'],
    [{ q: '{ not a tag } {a}' }, 'string', { a: 'x' }, '?q=%7B%20not%20a%20tag%20%7D%20x'],
  ])('turns %j with a %s and the value %j into %s', (query, type, args, expected) => {
    expect(build(get(query, { a: type }), args).url).toBe(`https://api.example.com/run${expected}`)
  })

  it('writes an object with brackets', () => {
    const a = { type: 'object', description: 'x', additionalProperties: true }
    const fn = sampleFunction({ parameters: { properties: { a } }, request: { method: 'GET', path: '/run', query: { a: '{a}' } } })
    expect(build(fn, { a: { b: 1, c: [true] } }).url).toMatch(/\?a%5Bb%5D=1&a%5Bc%5D%5B0%5D=true$/)
  })

  it('makes a key of each field of an object with *, but none that the request sets', () => {
    const a = { type: 'object', description: 'x', additionalProperties: true }
    const paging = { style: 'cursor', parameter: 'next', next: '/next' }
    const fn = sampleFunction({
      parameters: { properties: { a } },
      request: { method: 'GET', path: '/run', query: { a: '{a*}', fixed: 1 } },
      paging,
    })
    expect(new URL(build(fn, { a: { b: 1, c: ['x', 'y'], a: null } }).url).search).toBe('?b=1&c=x&c=y&a=&fixed=1')
    expect(new URL(build(fn, {}).url).search).toBe('?fixed=1')
    expect(problems(fn, { a: { fixed: 2, next: 'c' } })).toEqual([
      'a.fixed: is another key of the query',
      'a.next: is another key of the query',
    ])
  })

  it('sends the default of an absent parameter', () => {
    const size = { type: 'integer', default: 25, description: 'x' }
    const fn = sampleFunction({ parameters: { properties: { size } }, request: { method: 'GET', path: '/run', query: { size: '{size}' } } })
    expect([build(fn).url, build(fn, { size: 0 }).url].map((url) => new URL(url).search)).toEqual(['?size=25', '?size=0'])
  })
})

describe('a list with a separator', () => {
  const list = (more: object) => sampleFunction({ ...required({ a: 'array' }), request: { method: 'POST', path: '/run', ...more } })

  it.each<[string, object, string]>([
    ['the query', { query: { q: '{a}' }, separators: { a: '|' } }, '/run?q=x%7Cy%2Fz'],
    ['the path', { path: '/run;id={a}', separators: { a: ';id=' } }, '/run;id=x;id=y%2Fz'],
    ['the path', { path: '/run/{a}', separators: { a: ' ' } }, '/run/x%20y%2Fz'],
  ])('is one text in %s', (_, request, expected) => {
    expect(build(list(request), { a: ['x', 'y/z'] }).url).toBe(`https://api.example.com${expected}`)
  })

  it('may be an object, whose keys and values it separates', () => {
    const a = { type: 'object', description: 'x', additionalProperties: true }
    const request = { method: 'GET', path: '/run/{a}', query: { q: '{a}' }, separators: { a: ',' } }
    const fn = sampleFunction({ parameters: { properties: { a }, required: ['a'] }, request })
    expect(build(fn, { a: { r: 1, g: 'x/y' } }).url).toBe('https://api.example.com/run/r,1,g,x%2Fy?q=r%2C1%2Cg%2Cx%2Fy')
  })

  it('is one text in a body', () => {
    expect(build(list({ body: { a: '{a}' }, separators: { a: '; ' } }), { a: ['x', 'y'] }).body).toBe('{"a":"x; y"}')
  })

  it('must be a list of plain values, and must not add a segment to a path', () => {
    const separators = { a: '/' }
    const text = (types: Record<string, string>, request: object) => problemsOf(sampleText({}, { ...required(types), request })).join()
    expect(text({ a: 'string' }, { method: 'GET', path: '/run', query: { q: '{a}' }, separators })).toContain(
      'separators.a: is neither a list',
    )
    expect(text({ a: 'array' }, { method: 'GET', path: '/run/{a}', separators })).toContain('{a} must not have a separator with /')
  })
})

describe('a parameter in base64', () => {
  it('is sent encoded, and is left out when absent', () => {
    const fn = post({ c: '{text}' }, { text: 'string' }, { base64: ['text'] })
    expect([build(fn, { text: 'ü\n' }).body, build(fn, {}).body]).toEqual(['{"c":"w7wK"}', '{}'])
  })

  it('must be a text', () => {
    const request = { method: 'POST', path: '/run', body: { c: '{n}' }, base64: ['n'] }
    expect(problemsOf(sampleText({}, { ...parameters({ n: 'integer' }), request })).join()).toContain('base64.n: is no text')
  })
})

describe('the body of a request', () => {
  it.each<[unknown, Record<string, unknown>, unknown]>([
    [
      { x: '{n}', y: '{flag}', z: '{list}' },
      { n: 1.5, flag: false, list: ['a'] },
      { x: 1.5, y: false, z: ['a'] },
    ],
    [{ x: 'is {n}' }, { n: 3 }, { x: 'is 3' }],
    [{ x: '{text}', y: 1 }, { text: '{n}' }, { x: '{n}', y: 1 }],
    [{ x: '{n}', y: 1 }, {}, { y: 1 }],
    [{ x: 'is {n}', y: null }, {}, { y: null }],
    [{ list: ['{n}', '{text}', 'c'] }, { text: 'b' }, { list: ['b', 'c'] }],
    [{ filter: { property: 'object', value: '{text}' }, y: 1 }, {}, { y: 1 }],
    [{ groups: [{ filters: [{ name: 'email', value: '{text}' }] }], y: '{n}' }, { n: 1 }, { y: 1 }],
    [{ fixed: { a: [] }, x: '{n}' }, {}, { fixed: { a: [] } }],
    [{ x: '{n}' }, {}, {}],
    ['{list}', { list: ['a'] }, ['a']],
    [['{n}', 2], { n: 1 }, [1, 2]],
    [{ query: '{ issues { id } }' }, {}, { query: '{ issues { id } }' }],
  ])('turns %j with %j into %j', (body, args, expected) => {
    const types = { n: 'number', text: 'string', flag: 'boolean', list: 'array' }
    const used = Object.fromEntries(Object.entries(types).filter(([name]) => JSON.stringify(body).includes(`{${name}}`)))
    const request = build(post(body, used), args)
    expect(JSON.parse(String(request.body))).toEqual(expected)
    expect(request.headers['content-type']).toBe('application/json')
  })

  it('has no content and no content type when the file has none', () => {
    const request = build(sampleFunction({ request: { method: 'POST', path: '/run' } }))
    expect(request).toEqual({ method: 'POST', url: 'https://api.example.com/run', headers: { 'x-key': 'key-123' } })
  })

  it('is written as a form with bracketed names', () => {
    const fn = post(
      { email: '{text}', address: { city: '{n}' }, tags: '{list}' },
      { text: 'string', n: 'number', list: 'array' },
      { body_type: 'form' },
    )
    const request = build(fn, { text: 'a+b@c.d', n: 1, list: ['x', 'y'] })
    expect(request.body).toBe('email=a%2Bb%40c.d&address%5Bcity%5D=1&tags%5B0%5D=x&tags%5B1%5D=y')
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded')
  })

  it('keeps the content type of the file', () => {
    const headers = { 'Content-Type': 'application/vnd.api+json' }
    expect(build(post({}, {}, { headers })).headers['content-type']).toBe('application/vnd.api+json')
  })

  it('does not read arguments from the prototype', () => {
    const args = Object.create({ n: 1 })
    expect(build(post({ x: '{n}' }, { n: 'number' }), args).body).toBe('{}')
  })
})

describe('an empty list or object', () => {
  const EMPTY = 'is empty, and a query or a form has no empty list or object; leave it out'
  const types = { list: 'array', more: 'array', filter: 'object', free: 'object', one: 'array' }
  const tags = { list: '{list}', more: '{more*}', filter: '{filter}' }
  const separators = { one: '|' }
  const inQuery = sampleFunction({
    ...parameters(types),
    request: { method: 'GET', path: '/run', query: { ...tags, free: '{free*}', one: '{one}' }, separators },
  })
  const request = { method: 'POST', path: '/run', body_type: 'form', body: { ...tags, one: '{one}' }, separators }
  const { free: _, ...formTypes } = types
  const inForm = sampleFunction({ ...parameters(formTypes), request })

  it.each<[object, string]>([
    [{ more: [] }, 'more'],
    [{ more: [[]] }, 'more[0]'],
    [{ filter: {} }, 'filter'],
    [{ filter: { a: { b: [] } } }, 'filter.a.b'],
    [{ free: { a: [], b: 1 } }, 'free.a'],
  ])('is refused in a query: %j', (args, path) => {
    expect(problems(inQuery, { ...args })).toEqual([`${path}: ${EMPTY}`])
  })

  it('is an empty text in a query where a list is one text, and nothing where an object is all the keys', () => {
    expect(build(inQuery, { list: [], one: [], free: {} }).url).toBe('https://api.example.com/run?list=&one=')
  })

  it.each<[object, string]>([
    [{ list: [] }, 'list'],
    [{ list: ['a', {}] }, 'list[1]'],
    [{ more: [] }, 'more'],
    [{ filter: {} }, 'filter'],
    [{ filter: { a: [] } }, 'filter.a'],
  ])('is refused in a form: %j', (args, path) => {
    expect(problems(inForm, { ...args })).toEqual([`${path}: ${EMPTY}`])
  })

  it('is a list without parts in a multipart body and so refused; an object is a part', () => {
    const body = { meta: { list: '{list}' }, filter: '{filter}', fixed: [] }
    const multipart = (more: object) =>
      sampleFunction({
        ...parameters({ list: 'array', filter: 'object' }),
        request: { method: 'POST', path: '/run', body_type: 'multipart', body: { ...body, ...more } },
      })
    const args = { list: [], filter: {} }
    expect(problems(multipart({ list: '{list}' }), args)).toEqual([`list: ${EMPTY}`])
    const sent = String(build(multipart({}), args).body)
    for (const part of ['{"list":[]}', '{}']) expect(sent).toContain(`\r\n\r\n${part}\r\n`)
  })

  it('is left out when it is the default of the parameter', () => {
    const list = { type: 'array', items: { type: 'string' }, description: 'x', default: [] }
    for (const request of [
      { method: 'GET', path: '/run', query: { list: '{list*}' } },
      { method: 'POST', path: '/run', body_type: 'form', body: { list: '{list}' } },
      { method: 'POST', path: '/run', body_type: 'multipart', body: { list: '{list}' } },
    ]) {
      const fn = sampleFunction({ parameters: { properties: { list } }, request })
      expect(problems(fn, { list: [] })).toEqual([])
      expect(build(fn, { list: [] }).url).toBe('https://api.example.com/run')
    }
  })
})

describe('the headers of a request', () => {
  const fn = sampleFunction(
    { ...parameters({ tag: 'string' }), request: { method: 'GET', path: '/run', headers: { 'X-Tag': '{tag}', Version: '3' } } },
    { headers: { Version: '2', Accept: 'text/csv' } },
  )

  it("come from the app and the function in lower case, and the function's override the app's", () => {
    expect(build(fn, { tag: 'ä' }).headers).toEqual({ 'x-key': 'key-123', version: '3', accept: 'text/csv', 'x-tag': 'ä' })
    expect(build(fn).headers).not.toHaveProperty('x-tag')
  })

  it.each(['a\r\nEvil: 1', 'a\nb', '\u0000', 'a\u007f', '日本'])('refuse the value %j', (tag) => {
    expect(problems(fn, { tag })).toEqual(['tag: has characters that a header cannot carry'])
  })

  it.each([' a', 'a ', 'a\t'])('refuse the value %j, whose ends would be lost', (tag) => {
    expect(problems(fn, { tag })).toEqual(['tag: begins or ends with a blank, which a header cannot carry'])
  })

  it('keep a blank inside a text', () => {
    const inside = sampleFunction({
      ...parameters({ tag: 'string' }),
      request: { method: 'GET', path: '/run', headers: { 'X-Tag': '"{tag}"' } },
    })
    expect(build(inside, { tag: ' a ' }).headers['x-tag']).toBe('" a "')
  })
})
