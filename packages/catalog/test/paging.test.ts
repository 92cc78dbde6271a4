import type { Cursor } from '../src/index.ts'
import { build, problems, sampleFunction } from './sample-app.ts'

const output = { response: { output: '/items' } }

function paged(paging: object, request: object = { method: 'GET', path: '/run' }) {
  return sampleFunction({ ...output, paging, request })
}

const styles = {
  cursor: { style: 'cursor', parameter: 'after', next: '/next' },
  cursorMore: { style: 'cursor', parameter: 'after', next: '/next', more: '/more' },
  page: { style: 'page', parameter: 'page' },
  zeroPage: { style: 'page', parameter: 'page', first: 0, total_pages: '/pages' },
  pageOf: { style: 'page', parameter: 'page', total_pages: '/pages' },
  pageMore: { style: 'page', parameter: 'page', more: '/more' },
  pageMax: { style: 'page', parameter: 'page', max: 3 },
  offset: { style: 'offset', parameter: 'skip' },
  offsetOf: { style: 'offset', parameter: 'skip', total: '/total' },
  offsetMax: { style: 'offset', parameter: 'skip', max: 4 },
  pageItems: { style: 'page', parameter: 'page', more: '/more', max_items: 5 },
  offsetItems: { style: 'offset', parameter: 'skip', max_items: 5 },
  cursorItems: { style: 'cursor', parameter: 'after', next: '/next', max_items: 5 },
  offsetStep: { style: 'offset', parameter: 'skip', total: '/total', step: '/limit' },
  offsetFrom1: { style: 'offset', parameter: 'start', first: 1, total: '/total' },
  lastId: { style: 'last_id', parameter: 'after', id: '/id' },
  lastIdMore: { style: 'last_id', parameter: 'after', id: '/id', more: '/more' },
  lowestId: { style: 'last_id', parameter: 'before', id: '/id', lowest: true },
  fields: { style: 'fields', parameters: { name: '/next/name', id: '/next/id' } },
  nextUrl: { style: 'next_url', next: '/next', parameters: ['token', 'page'] },
  links: { style: 'next_url', next: '/links', parameters: ['token'] },
  relay: { style: 'relay', connection: '/data/things' },
}

type Style = keyof typeof styles

function pagedBy(style: Style) {
  return paged(styles[style], style === 'relay' ? { method: 'POST', path: '/run', graphql: '{ things { nodes } }' } : undefined)
}

function connection(pageInfo: object): object {
  return { data: { things: { nodes: [1], pageInfo } } }
}

describe('a next page that cannot be requested', () => {
  const more = 'although the app says that there are more pages'
  const noList = 'the output is not a list, so it is not known whether there are more pages'
  const notJson = 'the response is not a JSON object or list, so it is not known whether there are more pages'
  const noPageInfo = 'hasNextPage is missing, so it is not known whether there are more pages'
  it.each<[Style, Cursor | null, unknown, string | undefined]>([
    ['cursor', null, '<html>sign in</html>', notJson],
    ['fields', null, { content_type: 'application/json', base64: '/w==' }, notJson],
    ['nextUrl', null, 'x', notJson],
    ['cursor', null, null, undefined],
    ['page', null, null, undefined],
    ['cursor', 'n', { items: [1], next: { a: 1 } }, '/next is neither a text nor a number'],
    ['cursor', 'n', { items: [1], next: true }, '/next is neither a text nor a number'],
    ['cursor', 'n', { items: [1], next: 'n' }, 'the app names the page itself as its next page'],
    ['cursor', 'n', { items: [], next: 'n' }, undefined],
    ['cursor', 'n', { items: [1], next: false }, undefined],
    ['cursorMore', 'n', { items: [1], more: true }, `/next is missing, ${more}`],
    ['cursorMore', 'n', { items: [1], next: { a: 1 }, more: false }, undefined],
    ['page', 5, { error: 'x' }, noList],
    ['page', 5, { items: [] }, undefined],
    ['pageMore', 2, { items: [], more: true }, `the page is empty, ${more}`],
    ['pageOf', 2, { items: [], pages: 9 }, `the page is empty, ${more}`],
    ['pageMax', 3, { items: [1] }, 'the app has no page after 3, and there may be more items'],
    ['offsetMax', 4, { items: [1] }, 'the app has no offset after 4, and there may be more items'],
    ['pageItems', 2, { items: [1, 2], more: true }, 'the app returns at most 5 items, and there may be more; narrow the search'],
    ['pageItems', 2, { items: [1, 2], more: false }, undefined],
    ['offsetItems', 2, { items: [1, 2] }, 'the app returns at most 5 items, and there may be more; narrow the search'],
    ['cursorItems', '2', { items: [1, 2], next: '4' }, 'the app returns at most 5 items, and there may be more; narrow the search'],
    ['cursorItems', '3', { items: [], next: 5 }, 'the app returns at most 5 items, and there may be more; narrow the search'],
    ['offsetStep', 4, { items: [1], limit: 2, total: 6 }, undefined],
    ['offsetStep', 4, { items: [1], limit: 2, total: 5 }, undefined],
    ['offsetOf', 2, { items: [], total: 4 }, `the page is empty, ${more}`],
    ['offsetOf', 2, { items: [1], total: 3 }, undefined],
    ['lastId', 'b', { items: [{ name: 'x' }] }, 'the items have no id'],
    ['lastId', 'b', { items: 'odd' }, noList],
    ['lastIdMore', 'b', { items: [], more: true }, `the page is empty, ${more}`],
    ['lowestId', 'b', { items: [{}] }, 'the items have no id'],
    ['fields', null, { items: [1], next: { name: ['x'], id: 2 } }, 'the value of name for the next page is not a single value'],
    ['nextUrl', null, { items: [1], next: 'https://x.example/?other=1' }, '/next has none of the parameters token, page'],
    ['nextUrl', null, { items: [1], next: 7 }, '/next is not a URL'],
    ['nextUrl', null, { items: [1], next: null }, undefined],
    ['links', null, { items: [1], links: [{ rel: 'prev', href: '?token=1' }] }, undefined],
    ['links', null, { items: [1], links: [{ rel: 'next', href: '?x=1' }] }, '/links has none of the parameters token'],
    ['links', null, { items: [1], links: [{ rel: 'next', uri: '?token=1' }] }, '/links is not a URL'],
    ['links', null, { items: [1], links: ['?token=1'] }, '/links is not a URL'],
    ['links', null, { items: [1], links: [] }, undefined],
    ['nextUrl', null, { items: [1], next: '?token=%E9' }, 'the value of token for the next page is not valid UTF-8'],
    ['nextUrl', null, { items: [1], next: '?token=a&token=b' }, '/next has the parameter token more than once'],
    ['nextUrl', null, { items: [1], next: '?token=' }, '/next has no value for token'],
    ['relay', null, connection({}), noPageInfo],
    ['relay', null, connection({ hasNextPage: null, endCursor: 'e' }), noPageInfo],
    ['relay', null, { data: { things: { nodes: [1] } } }, noPageInfo],
    ['relay', null, { data: { things: null } }, undefined],
    ['relay', null, connection({ hasNextPage: false, endCursor: 'e' }), undefined],
    ['relay', null, connection({ hasNextPage: 'false', endCursor: 'e' }), undefined],
    ['relay', null, connection({ hasNextPage: true }), `endCursor is missing, ${more}`],
    ['pageOf', 2, { pages: 0 }, undefined],
  ])('is reported in style %s, after %j, for %j', (style, current, body, problem) => {
    const { cursor, nextPageProblem } = pagedBy(style).readResponse(200, body, current)
    expect([cursor, nextPageProblem]).toEqual([null, problem])
  })
})

describe('the next cursor of a response', () => {
  it.each<[Style, Cursor | null, object, Cursor | null]>([
    ['cursor', null, { items: [1], next: 'n' }, 'n'],
    ['cursor', null, { items: [], next: 'n' }, 'n'],
    ['cursor', 'n', { items: [1], next: 7 }, '7'],
    ['cursor', 'n', { items: [1], next: null }, null],
    ['cursor', 'n', { items: [1], next: '' }, null],
    ['cursor', 'n', { items: [1] }, null],
    ['cursor', 'n', { items: [], next: 'm' }, 'm'],
    ['cursor', 'n', { items: [1], next: 'n' }, null],
    ['cursor', 'n', { items: 'odd', next: 'm' }, 'm'],
    ['cursorMore', null, { items: [1], next: 'n', more: true }, 'n'],
    ['cursorMore', null, { items: [1], next: 'n', more: false }, null],
    ['cursorMore', null, { items: [1], next: 'n' }, 'n'],
    ['cursorMore', null, { items: [1], next: 'n', more: null }, 'n'],
    ['cursorMore', null, { items: [1], next: 'n', more: 'false' }, null],
    ['cursorMore', null, { items: [1], next: 'n', more: '0' }, null],
    ['cursorMore', null, { items: [1], next: 'n', more: 'true' }, 'n'],
    ['relay', null, connection({ hasNextPage: true, endCursor: 'e' }), 'e'],
    ['relay', null, connection({ hasNextPage: 'true', endCursor: 7 }), '7'],
    ['relay', null, connection({ hasNextPage: 1, endCursor: 'e' }), 'e'],
    ['pageOf', null, { items: [1], pages: 0 }, 2],
    ['pageOf', 2, { items: [1], pages: -1 }, 3],
    ['pageOf', null, { items: [1], pages: '1' }, null],
    ['pageOf', null, { items: [1], pages: '2' }, 2],
    ['pageMore', 1, { items: [1], more: null }, null],
    ['pageItems', null, { items: [1, 2], more: true }, 2],
    ['pageItems', 4, { items: [1], more: true }, 5],
    ['offsetItems', 1, { items: [1, 2] }, 3],
    ['cursorItems', null, { items: [1, 2], next: '3' }, '3'],
    ['cursorItems', null, { items: [1, 2], next: 'x' }, 'x'],
    ['offsetStep', null, { items: [1], limit: 2, total: 5 }, 2],
    ['offsetStep', 2, { items: [], limit: 2, total: 5 }, 4],
    ['offsetOf', null, { items: [1, 2], total: -1 }, 2],
    ['offsetOf', 2, { items: [1, 2], total: 0 }, 4],
    ['offsetOf', null, { items: [1, 2], total: '2' }, null],
    ['offsetFrom1', null, { items: [1, 2], total: 1 }, 3],
    ['lowestId', null, { items: [{ id: 101 }, { id: 100 }, { id: 99 }] }, '99'],
    ['lowestId', null, { items: [{ id: '1000' }, { id: '998' }] }, '998'],
    ['lowestId', null, { items: [{ id: -5 }, { id: -10 }] }, '-10'],
    ['fields', null, { items: [1], next: { name: '', id: '' } }, null],
    ['fields', null, { items: [1], next: { name: '', id: 3 } }, { name: '', id: 3 }],
    ['page', null, { items: [1] }, 2],
    ['page', 4, { items: [1] }, 5],
    ['page', 5, { items: [] }, null],
    ['page', 5, { error: 'x' }, null],
    ['pageOf', null, { items: [1], pages: 1 }, null],
    ['pageOf', 2, { items: [1], pages: 3 }, 3],
    ['pageOf', 3, { items: [1], pages: 3 }, null],
    ['pageOf', 3, { items: [1] }, 4],
    ['zeroPage', null, { items: [1], pages: 2 }, 1],
    ['zeroPage', 1, { items: [1], pages: 2 }, null],
    ['pageMore', 1, { items: [1], more: true }, 2],
    ['pageMore', 2, { items: [], more: true }, null],
    ['pageOf', 2, { items: [], pages: 9 }, null],
    ['pageMore', 1, { items: [1], more: false }, null],
    ['pageMore', 1, { items: [1] }, 2],
    ['pageMax', 2, { items: [1] }, 3],
    ['pageMax', 3, { items: [1] }, null],
    ['offset', null, { items: [1, 2] }, 2],
    ['offset', 2, { items: [1] }, 3],
    ['offset', 3, { items: [] }, null],
    ['offsetOf', 2, { items: [1], total: 3 }, null],
    ['offsetOf', 2, { items: [1], total: 4 }, 3],
    ['offsetOf', 2, { items: [], total: 4 }, null],
    ['offsetMax', 2, { items: [1, 2] }, 4],
    ['offsetMax', 4, { items: [1] }, null],
    ['offsetFrom1', null, { items: [1, 2] }, 3],
    ['offsetFrom1', null, { items: [1, 2], total: 2 }, null],
    ['offsetFrom1', null, { items: [1, 2], total: 3 }, 3],
    ['offsetFrom1', 3, { items: [1], total: 3 }, null],
    ['lastId', null, { items: [{ id: 'a' }, { id: 'b' }] }, 'b'],
    ['lastId', 'b', { items: [{ id: 9 }] }, '9'],
    ['lastId', 'b', { items: [] }, null],
    ['lastIdMore', 'b', { items: [{ id: 'c' }], more: false }, null],
    ['lastIdMore', 'b', { items: [{ id: 'c' }], more: true }, 'c'],
    ['lastIdMore', 'b', { items: [], more: true }, null],
    ['lowestId', null, { items: [{ id: 'b' }, { id: 'a' }, { id: 'c' }, {}] }, 'a'],
    ['lowestId', 'a', { items: [] }, null],
    ['lowestId', 'a', { items: [{}] }, null],
    ['fields', null, { items: [1], next: { name: 'n', id: 3 } }, { name: 'n', id: 3 }],
    ['fields', null, { items: [1], next: { name: null, id: 3 } }, { id: 3 }],
    ['fields', null, { items: [1], next: null }, null],
    ['fields', { id: 3, name: 'n' }, { items: [1], next: { name: 'n', id: 3 } }, null],
    ['fields', { name: 'n' }, { items: [], next: { name: 'o' } }, { name: 'o' }],
    ['fields', null, { items: [1], next: { name: null } }, null],
    ['nextUrl', null, { items: [1], next: 'https://evil.example/x?token=a%2Bb&other=1&page=2#f' }, { token: 'a+b', page: '2' }],
    ['nextUrl', null, { items: [1], next: '/x' }, null],
    ['nextUrl', null, { items: [1], next: null }, null],
    [
      'links',
      null,
      { items: [1], links: [null, { rel: 'self', href: '/x?token=a' }, { rel: 'next', href: '/x?token=b' }] },
      { token: 'b' },
    ],
    ['links', null, { items: [1], links: [{ rel: 'self', href: '/x?token=a' }] }, null],
    ['links', null, { items: [1], links: [{ rel: 'last NEXT', href: '/x?token=b' }] }, { token: 'b' }],
    ['links', null, { items: [1], links: [{ rel: ['next'], href: '/x?token=b' }] }, { token: 'b' }],
    ['links', null, { items: [1], links: [{ relation: 'next', url: '/x?token=b' }] }, { token: 'b' }],
    ['links', null, { items: [1], links: '/x?token=b' }, { token: 'b' }],
  ])('is in style %s, after %j, for %j: %j', (style, current, body, next) => {
    expect(pagedBy(style).readResponse(200, body, current).cursor).toEqual(next)
  })

  it('is null when the request failed and undefined when the function has no paging', () => {
    const body = { items: [1], next: 'n' }
    expect(paged(styles.cursor).readResponse(500, body, null)).toEqual({ output: body, cursor: null })
    expect(sampleFunction(output).readResponse(200, body, null)).toEqual({ output: [1], cursor: undefined })
    expect(sampleFunction(output).readResponse(404, body, null)).toEqual({ output: body, cursor: undefined })
  })
})

describe('the output of a response', () => {
  it.each<[string, unknown, unknown]>([
    ['', { a: 1 }, { a: 1 }],
    ['', 'text', 'text'],
    ['', undefined, null],
    ['/a/1', { a: [1, 2] }, 2],
    ['/a', { a: null }, null],
    ['/a~1b/m~0n', { 'a/b': { 'm~n': 3 } }, 3],
    ['/a/01', { a: [1, 2] }, { a: [1, 2] }],
    ['/constructor', { ok: false }, { ok: false }],
    ['/channels', { ok: false, error: 'not_allowed' }, { ok: false, error: 'not_allowed' }],
    ['/a', 'text', 'text'],
  ])('at %j of %j is the value %j', (pointer, body, expected) => {
    expect(sampleFunction({ response: { output: pointer } }).readResponse(200, body, null).output).toEqual(expected)
  })
})

it('is null where the output is the first item of an empty list', () => {
  const fn = sampleFunction({ response: { output: '/items/0' } })
  expect(fn.readResponse(200, { items: [] }, null).output).toBeNull()
  expect(fn.readResponse(200, { ok: true }, null).output).toEqual({ ok: true })
})

describe('the optional output of a response', () => {
  it.each([
    [{ list: { items: [1] } }, [1]],
    [{ list: { items: null } }, []],
    [{ list: { count: 0 } }, []],
    [{ list: null }, { list: null }],
    [{ fault: 'x' }, { fault: 'x' }],
  ])('of %j is %j', (body, expected) => {
    const fn = sampleFunction({ response: { output: '/list/items', optional: true } })
    expect(fn.readResponse(200, body, null).output).toEqual(expected)
  })
})

describe('checkCursor', () => {
  it.each<[Style, Cursor, boolean]>([
    ['cursor', 'a', true],
    ['cursor', '', false],
    ['cursor', 1, false],
    ['page', 1, true],
    ['page', 0, false],
    ['page', 1.5, false],
    ['page', '1', false],
    ['zeroPage', 0, true],
    ['offset', 0, true],
    ['offset', -1, false],
    ['offsetFrom1', 0, false],
    ['offsetFrom1', 1, true],
    ['lastId', 'a', true],
    ['lastId', { id: 'a' }, false],
    ['fields', { name: 'a', id: 1 }, true],
    ['fields', { id: 1 }, true],
    ['fields', {}, false],
    ['fields', { other: 1 }, false],
    ['fields', { id: { x: 1 } }, false],
    ['fields', 'a', false],
    ['nextUrl', { token: 'a' }, true],
  ])('accepts in style %s the cursor %j: %s', (style, cursor, fits) => {
    const fn = paged(styles[style])
    expect(fn.checkCursor(cursor)).toEqual(fits ? [] : [expect.stringMatching(/^_cursor: must be /)])
    expect(problems(fn, {}, undefined, cursor)).toEqual(fn.checkCursor(cursor))
  })

  it('refuses every cursor for a function without paging', () => {
    expect(sampleFunction({}).checkCursor('a')).toEqual(['_cursor: the function has no pages'])
    expect(sampleFunction({}).paged).toBe(false)
  })
})

describe('the cursor of a request', () => {
  it.each<[Style, Cursor, string]>([
    ['cursor', 'a&b', '?after=a%26b'],
    ['page', 2, '?page=2'],
    ['offset', 0, '?skip=0'],
    ['lastId', 'x', '?after=x'],
    ['fields', { name: 'ü', id: 3 }, '?name=%C3%BC&id=3'],
    ['nextUrl', { token: 't' }, '?token=t'],
  ])('in style %s, %j, is sent as %s', (style, cursor, search) => {
    const fn = paged(styles[style])
    expect(new URL(build(fn).url).search).toBe('')
    expect(build(fn, {}, undefined, cursor).url).toBe(`https://api.example.com/run${search}`)
  })

  it.each([
    [{ ...styles.page, send_first: true }, 1, 2],
    [{ ...styles.zeroPage, send_first: true }, 0, 1],
    [{ ...styles.page, send_first: false }, null, 2],
  ])('of %j sends %j for the first page', (paging, first, second) => {
    const pageOf = (url: string) => new URL(url).searchParams.get('page')
    const fn = paged(paging)
    expect([pageOf(build(fn).url), pageOf(build(fn, {}, undefined, second).url)]).toEqual([first?.toString() ?? null, `${second}`])
    const inBody = paged({ ...paging, in: 'body' }, { method: 'POST', path: '/run', body: { size: 5 } })
    expect(JSON.parse(String(build(inBody).body))).toEqual({ size: 5, ...(first === null ? {} : { page: first }) })
  })

  it('is sent in place of a tag when the file says so', () => {
    const request = { method: 'POST', path: '/run', query: { q: 'from {start} on' }, body: { size: 5, page: { start: '{start}' } } }
    const numbered = paged({ ...styles.offsetFrom1, in: 'template' }, request)
    expect([build(numbered), build(numbered, {}, undefined, 3)]).toMatchObject([
      { url: 'https://api.example.com/run?q=from%201%20on', body: '{"size":5,"page":{"start":1}}' },
      { url: 'https://api.example.com/run?q=from%203%20on', body: '{"size":5,"page":{"start":3}}' },
    ])
    const marked = paged({ ...styles.cursor, parameter: 'start', in: 'template' }, request)
    expect([build(marked), build(marked, {}, undefined, 'x')]).toMatchObject([
      { url: 'https://api.example.com/run', body: '{"size":5}' },
      { url: 'https://api.example.com/run?q=from%20x%20on', body: '{"size":5,"page":{"start":"x"}}' },
    ])
    expect(numbered.parameters.properties).toEqual({})
  })

  it('is sent with the request of later pages', () => {
    const paging = { ...styles.cursor, in: 'body', request: { path: '/more', body: {} } }
    const fn = paged(paging, { method: 'POST', path: '/run', query: { size: 5 }, body: { name: 'a' } })
    expect([build(fn), build(fn, {}, undefined, 'n')]).toMatchObject([
      { url: 'https://api.example.com/run?size=5', body: '{"name":"a"}' },
      { url: 'https://api.example.com/more?size=5', body: '{"after":"n"}' },
    ])
  })

  it('is sent in the body when the file says so', () => {
    const fn = paged({ ...styles.page, in: 'body' }, { method: 'POST', path: '/run', body: { size: 5 } })
    expect([build(fn).body, build(fn, {}, undefined, 2).body]).toEqual(['{"size":5}', '{"size":5,"page":2}'])
    const bare = paged({ ...styles.cursor, in: 'body' }, { method: 'POST', path: '/run' })
    expect([build(bare).body, build(bare, {}, undefined, 'n').body]).toEqual(['{}', '{"after":"n"}'])
  })
})
