import type { Cursor } from '../src/index.ts'
import { build, problems, sampleFunction } from './sample-app.ts'

const output = { response: { output: '/items' } }
const v2 = { base_url: 'https://api.example.com/v2' }
const request = { method: 'GET', path: '/run', query: { size: 5 } }

describe('paging by the whole next URL', () => {
  const paging = { style: 'next_url', next: '/next' }
  const fn = sampleFunction({ ...output, paging, request: { ...request, headers: { Tag: '1' } } }, v2)
  const nextOf = (next: unknown, current: Cursor | null = null) => fn.readResponse(200, { items: [1], next }, current).cursor
  const responseOf = (next: unknown) => {
    const { url } = build(fn, {})
    return { origin: new URL(url).origin, answered: fn.readResponse(200, { items: [1], next }, null, {}, {}, url) }
  }
  const NO_URL = '/next is not the URL of a page'
  const BELOW = "/next is not below the path of the app's own address"

  it.each([
    ['https://api.example.com/v2/run?page=2', '/v2/run?page=2'],
    ['/v2/run?page=2#top', '/v2/run?page=2'],
    ['HTTPS://API.EXAMPLE.COM:443/v2/other?q=a%20b&q=+', '/v2/other?q=a%20b&q=+'],
    ['https://api.example.com/v2', '/v2'],
    ['/v2/a/../b', '/v2/b'],
    ['/v2/a%2Fb?x=../../y', '/v2/a%2Fb?x=../../y'],
    ['https://user:pass@api.example.com/v2/x', '/v2/x'],
  ])('turns %s into the cursor %s and sends the next request there', (next, cursor) => {
    expect(nextOf(next)).toBe(cursor)
    expect(fn.checkCursor(cursor)).toEqual([])
    const headers = { tag: '1', 'x-key': 'key-123' }
    expect(build(fn, {}, undefined, cursor)).toEqual({ method: 'GET', url: `https://api.example.com${cursor}`, headers })
  })

  it.each([
    ['http://api.example.com/v2/run?page=2', '/v2/run?page=2'],
    ['https://api.example.com:8443/v2/run?page=2', '/v2/run?page=2'],
    ['http://backend.internal:8000/v2/run?page=2', '/v2/run?page=2'],
    ['//backend.internal/v2/run?page=2', '/v2/run?page=2'],
    ['/\\backend.internal/v2/run', '/v2/run'],
    ['https://api.example.com@backend.internal/v2/run', '/v2/run'],
    ['?page=2', '/v2/run?page=2'],
    ['other?page=2', '/v2/other?page=2'],
    ['./run?page=2', '/v2/run?page=2'],
    ['', null],
    [null, null],
    [false, null],
    [undefined, null],
  ])('follows %j by path and query at the own server of the account: %s', (next, cursor) => {
    const { origin, answered } = responseOf(next)
    expect(answered).toEqual({ output: [1], cursor })
    if (cursor !== null) expect(new URL(build(fn, {}, undefined, cursor).url).origin).toBe(origin)
  })

  it.each([
    ['https://api.example.com/v1/run', BELOW],
    ['https://api.example.com/v2x/run', BELOW],
    ['https://api.example.com/v2/../admin', BELOW],
    ['https://api.example.com/v2/%2e%2e/admin', BELOW],
    ['https://api.example.com/v2/..%2fadmin', NO_URL],
    ['https://api.example.com/v2/x%2f..%2f..%2fadmin', NO_URL],
    ['https://api.example.com/v2/..%5cadmin', NO_URL],
    ['https://api.example.com/v2/%252e%252e%252fadmin', NO_URL],
    ['javascript:alert(1)', NO_URL],
    ['https://', NO_URL],
    [7, NO_URL],
    [true, NO_URL],
    [{ a: 1 }, NO_URL],
  ])('says why it does not follow %j', (next, nextPageProblem) => {
    expect(responseOf(next).answered).toEqual({ output: [1], cursor: null, nextPageProblem })
  })

  it.each<Cursor>([
    '//evil.example/v2/run',
    '/\\evil.example/v2/run',
    'https://api.example.com/v2/run',
    '/v2/../admin',
    '/v2/%2E%2e/admin',
    '/v2/..%2fadmin',
    '/v2/%252e%252e%252fadmin',
    '/v2/a b',
    '/v2/a\r\nb',
    '/v2/run#x',
    'v2/run',
    '',
    5,
    { path: '/v2/run' },
  ])('refuses the cursor %j', (cursor) => {
    expect(fn.checkCursor(cursor)).toEqual(['_cursor: must be the path and query of an earlier response'])
    expect(problems(fn, {}, undefined, cursor)).toEqual(fn.checkCursor(cursor))
  })

  it.each(['/v1/run', '/v2x', '/'])('refuses a cursor above the path of base_url: %s', (cursor) => {
    expect(problems(fn, {}, undefined, cursor)).toEqual(["_cursor: must be below the path of the app's own address"])
  })

  it('ends at an empty page that names itself, and says so when a page with items does', () => {
    const page = '/v2/run?page=2'
    expect(fn.readResponse(200, { items: [], next: page }, page)).toEqual({ output: [], cursor: null })
    expect(fn.readResponse(200, { items: [1], next: page }, page)).toEqual({
      output: [1],
      cursor: null,
      nextPageProblem: 'the app names the page itself as its next page',
    })
    expect(fn.readResponse(200, { items: [], next: '/v2/run?page=3' }, page).cursor).toBe('/v2/run?page=3')
  })

  it('keeps the API key out of cursors and sends it once', () => {
    const keyed = sampleFunction({ ...output, paging, request }, { auth: { type: 'api_key', in: 'query', name: 'key' } })
    const { cursor } = keyed.readResponse(200, { items: [1], next: 'https://api.example.com/run?key=key-123&page=2' }, null)
    expect(cursor).toBe('/run?page=2')
    expect(build(keyed, {}, undefined, String(cursor)).url).toBe('https://api.example.com/run?page=2&key=key-123')
    expect(keyed.checkCursor('/run?%6bey=1')).toHaveLength(1)
  })

  it('leaves the rest of the query as the app wrote it when it takes the API key out', () => {
    const keyed = sampleFunction({ ...output, paging, request }, { auth: { type: 'api_key', in: 'query', name: 'key' } })
    const rest = "q=%E9&a=b%20c&d=(x)~'&flag&list[]=1&&"
    for (const query of [`key=key-123&${rest}`, `${rest}&%6bey=1&key`]) {
      const { cursor } = keyed.readResponse(200, { items: [1], next: `https://api.example.com/run?${query}` }, null)
      expect(cursor).toBe(`/run?${rest.replaceAll("'", '%27')}`)
    }
  })

  it("recognises the account's own server by its credentials", () => {
    const account_settings = { url: { title: 'URL', description: 'Server.' } }
    const own = sampleFunction({ ...output, paging, request }, { account_settings, base_url: '{account.url}' })
    const account = { api_key: 'k', url: 'http://10.0.0.5:8080/app/' }
    const next = (url: string, credentials?: Record<string, string>) =>
      own.readResponse(200, { items: [1], next: url }, null, {}, credentials).cursor
    expect(next('http://10.0.0.5:8080/app/run?page=2', account)).toBe('/app/run?page=2')
    expect(next('http://10.0.0.6:8080/app/run?page=2', account)).toBe('/app/run?page=2')
    expect(next('/other/run?page=2', account)).toBeNull()
    expect(build(own, {}, account, '/app/run?page=2').url).toBe('http://10.0.0.5:8080/app/run?page=2')
  })

  it('keeps method and body', () => {
    const post = sampleFunction({ ...output, paging, request: { method: 'POST', path: '/run', body: { a: 1 } } })
    expect(build(post, {}, undefined, '/run?c=1')).toMatchObject({
      method: 'POST',
      url: 'https://api.example.com/run?c=1',
      body: '{"a":1}',
    })
  })

  it('stays on the other host that the request names', () => {
    const app = { ...v2, hosts: ['files.example.com'] }
    const elsewhere = sampleFunction({ ...output, paging, request: { ...request, host: 'files.example.com' } }, app)
    const next = (url: string) => elsewhere.readResponse(200, { items: [1], next: url }, null).cursor
    expect([next('https://files.example.com/a'), next('https://api.example.com/v2/a')]).toEqual(['/a', '/v2/a'])
    expect(build(elsewhere, {}, undefined, '/a').url).toBe('https://files.example.com/a')
  })
})

describe('paging by the Link header', () => {
  const fn = sampleFunction({ paging: { style: 'link', parameters: ['page', 'per'] }, request }, v2)
  const nextOf = (link?: string) => fn.readResponse(200, [1], null, link === undefined ? {} : { link }).cursor

  it.each<[string, Cursor | null]>([
    ['<https://api.example.com/run?page=2&per=5>; rel="next"', { page: '2', per: '5' }],
    ['<https://api.example.com/run?page=2>; rel=next', { page: '2' }],
    ['<?page=1>; rel="prev", <?page=3>; rel="next", <?page=9>; rel="last"', { page: '3' }],
    ['<?page=1>; rel="prev last" , <?page=3>;REL = "Last NEXT"', { page: '3' }],
    ['<?page=2>; title="a, \\"b\\"; rel=prev <?page=9>"; rel="next"', { page: '2' }],
    ['<?page=2&per=a,b;c>; rel="next"', { page: '2', per: 'a,b;c' }],
    ['<https://evil.example/x?page=2>; rel="next"', { page: '2' }],
    ['<?page=2>; rel="prev"; rel="next"', null],
    ['<?page=2>; rel="nextpage"', null],
    ['<?page=2>; rel="next"; anchor="#other"', null],
    ['<?page=2>; title="rel=next"', null],
    ['<?other=2>; rel="next"', null],
    ['<?page=2>', null],
    ['', null],
    ['?page=2; rel="next"', null],
    ['<?page=2>; rel="next', null],
    [`<?page=2>; a="${'\\"'.repeat(5_000)}`, null],
  ])('reads the Link header %j', (link, cursor) => {
    expect(nextOf(link)).toEqual(cursor)
  })

  it.each([
    ['<?other=2>; rel="next"', 'the next page in the Link header has none of the parameters page, per'],
    ['<?page=1>; rel="prev", <?page=2>; rel="next', 'the Link header is not valid'],
    ['<?page=1>; rel="prev", <?page=2>; x', undefined],
    ['?page=2; rel="next"', 'the Link header is not valid'],
    ['<?page=2&page=3>; rel="next"', 'the next page in the Link header has the parameter page more than once'],
    ['<?page=1>; rel="prev"', undefined],
  ])('says why it does not follow the Link header %j', (link, problem) => {
    expect(fn.readResponse(200, [1], null, { link }).nextPageProblem).toBe(problem)
  })

  it('sends the parameters in the next request', () => {
    expect(nextOf()).toBeNull()
    expect(build(fn, {}, undefined, { page: '2' }).url).toBe('https://api.example.com/v2/run?size=5&page=2')
    expect(fn.checkCursor({ other: '2' })).toEqual(['_cursor: must be an object of page, per'])
  })
})
