import { gzipSync } from 'node:zlib'
import { errorBody } from '@onward/contract'
import { compileCheck } from '@onward/runtime'
import request from 'supertest'
import { hashOf, latin1, type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User
let ann: User
/** Accounts of joe for another app, and of ann. */
let joesCrm: number
let annsDesk: number
let otherUsersCursor: string

beforeAll(async () => {
  joe = onward.user('joe')
  ann = onward.user('ann')
  await joe.connect('desk')
  await joe.connect('notes')
  joesCrm = await joe.connect('crm')
  annsDesk = await ann.connect('desk')
  for (let calls = 0; calls < 2; calls++) await ann.call('desk-list-labels').expect(200)
  otherUsersCursor = (await ann.post('/calls/list', { page_size: 1 }).expect(200)).body._cursor
})

const fitsError = compileCheck(errorBody, 'strict')

type Row = readonly [what: string, send: () => request.Test, status: number, code: string]

/** Sends a request to `/apps/list` with joe's credentials, some of them changed. */
const withHeaders = (change: Record<string, string | string[]>) => () => {
  let sent = request(onward.url).post('/apps/list')
  for (const [name, value] of Object.entries({ ...joe.headers, ...change })) if (value !== '') sent = sent.set(name, value as string)
  return sent
}
const withQuery = (query: Record<string, string>) => () => request(onward.url).post(`/apps/list?${new URLSearchParams(query)}`)
/** Credentials of a user in the query, where every character can be written. */
const asUser = (user_id: string) => withQuery({ app_key: 'app-1', user_id, hash: hashOf(onward.application.secret, user_id) })
const bytes =
  (text: string | Buffer, type = 'application/json', encoding = 'identity') =>
  () =>
    request(onward.url)
      .post('/functions/notes-add-note/call')
      .set({ ...joe.headers, 'content-type': type, 'content-encoding': encoding })
      .serialize((body) => body)
      .send(Buffer.from(text))
const call =
  (name: string, body: string | object, query = '') =>
  () =>
    joe.call(name, body, query)
const get = (name: string) => () => joe.post(`/functions/${encodeURIComponent(name)}/get`, {})

const FORM = 'application/x-www-form-urlencoded'
const TICKET = 'desk-get-ticket'

const CREDENTIALS: Row[] = [
  ...['App-Key', 'User-ID', 'Hash'].flatMap((name): Row[] => [
    [`no ${name}`, withHeaders({ [name]: '' }), 401, 'unauthenticated'],
    [`${name} twice`, () => withHeaders({ [name]: [String(joe.headers[name as 'Hash']), 'x'] })(), 401, 'unauthenticated'],
    [`a truncated ${name}`, () => withHeaders({ [name]: String(joe.headers[name as 'Hash']).slice(0, -1) })(), 401, 'unauthenticated'],
    [`a ${name} that is not ASCII`, withHeaders({ [name]: latin1('日本') }), 401, 'unauthenticated'],
  ]),
  ['a Hash that is not hexadecimal', withHeaders({ Hash: 'z'.repeat(64) }), 401, 'unauthenticated'],
  ["another user's Hash", () => withHeaders({ Hash: ann.headers.Hash })(), 401, 'unauthenticated'],
  ['an unknown App-Key', withHeaders({ 'App-Key': 'nobody' }), 401, 'unauthenticated'],
  ['a User-ID with NUL', () => asUser('jo\0e')(), 400, 'invalid_user_id'],
  ['a User-ID with a line break', () => asUser('jo\ne')(), 400, 'invalid_user_id'],
  ['a User-ID of 10 kB', () => asUser('j'.repeat(10_000))(), 400, 'invalid_user_id'],
  ['the User-ID ..', () => asUser('..')(), 400, 'invalid_user_id'],
  [
    'the hash of a decomposed User-ID',
    () => withHeaders({ 'User-ID': latin1('zo\u00eb'), Hash: onward.user('zoe\u0308').headers.Hash })(),
    401,
    'unauthenticated',
  ],
]

const ACCOUNTS: Row[] = [
  ['the account of another user', () => call('desk-list-labels', {}, `?connected_account_id=${annsDesk}`)(), 400, 'account_not_found'],
  ['an account of another app', () => call('desk-list-labels', {}, `?connected_account_id=${joesCrm}`)(), 400, 'account_not_found'],
  ...['-1', '1e309', '9007199254740993', '1.5', 'first', '0x1'].map(
    (id): Row => [`the account ${id}`, call('desk-list-labels', {}, `?connected_account_id=${id}`), 400, 'account_not_found'],
  ),
  ['an array of accounts', call('desk-list-labels', {}, '?connected_account_id=1&connected_account_id=2'), 400, 'invalid_parameters'],
]

const NAMES: Row[] = [
  ...['../', '%2e%2e', '__proto__', 'constructor', 'toString', '.', 'desk-', 'Ω'].map(
    (name): Row => [`the function ${name}`, get(name), 404, 'function_not_found'],
  ),
  ['a function name of 10 kB', get('x'.repeat(10_000)), 404, 'function_not_found'],
  ...['headers', 'url', 'auth', 'proxy', 'socketPath', 'baseURL', 'transformRequest'].map(
    (name): Row => [`the parameter ${name}`, call('notes-read-notes', { [name]: 'x' }), 400, 'invalid_parameters'],
  ),
  ['the parameter __proto__', bytes('{"note":{},"__proto__":{"admin":true}}'), 400, 'invalid_body'],
]

const VALUES: Row[] = [
  ['a path parameter of two dots', call(TICKET, { ticket_id: '..' }), 400, 'invalid_parameters'],
  ['a header parameter with CR LF', call(TICKET, { ticket_id: '1', trace: 'a\r\nX-Admin: 1' }), 400, 'invalid_parameters'],
  ['a variable that does not exist', call(TICKET, { ticket_id: '{__proto__}', _variables: {} }), 400, 'invalid_parameters'],
  [
    '10,000 unknown tags',
    call(TICKET, { ticket_id: Array.from({ length: 10_000 }, (_, n) => `{t${n}}`).join(''), _variables: {} }),
    400,
    'invalid_parameters',
  ],
  ["another user's cursor", () => joe.post('/calls/list', { _cursor: `${otherUsersCursor}x` }), 400, 'invalid_parameters'],
  ["another function's cursor", call('notes-read-notes', { _cursor: { after_name: 'x' } }), 400, 'invalid_parameters'],
]

const QUERIES: Row[] = [
  ['a misspelt filter of apps', () => joe.post('/apps/list?conected_only=true'), 400, 'invalid_parameters'],
  ['a misspelt filter of functions', () => joe.post('/functions/list?apps=desk'), 400, 'invalid_parameters'],
  ['a misspelt option of a prediction', () => joe.post('/functions/predict?topk=3', { prompt: 'x' }), 400, 'invalid_parameters'],
  ['a misspelt account', () => call('desk-list-labels', {}, `?connected_acount_id=${annsDesk}`)(), 400, 'invalid_parameters'],
  ['a cursor without its underscore', call('desk-list-labels', {}, '?cursor=x'), 400, 'invalid_parameters'],
]

const BODIES: Row[] = [
  ['JSON nested 10,000 levels deep', bytes('['.repeat(10_000)), 400, 'invalid_body'],
  [
    'a JSON object of a million keys',
    bytes(`{${Array.from({ length: 1_000_000 }, (_, n) => `"${n}":1`).join(',')}}`),
    413,
    'body_too_large',
  ],
  ['a JSON object of 80,000 keys', bytes(`{${Array.from({ length: 80_000 }, (_, n) => `"${n}":1`).join(',')}}`), 400, 'invalid_body'],
  ['a body of 2 MiB', bytes(`{"note":{"text":"${'x'.repeat(2_097_152)}"}}`), 413, 'body_too_large'],
  ['a form nested 100 levels deep', bytes(`note${'[a]'.repeat(100)}=1`, FORM), 400, 'invalid_body'],
  ['a form of 10,000 fields', bytes('a=1&'.repeat(10_000), FORM), 413, 'body_too_large'],
  ['text as a body', bytes('{"note":{}}', 'text/plain'), 415, 'unsupported_media_type'],
  ['a body without a Content-Type', bytes('{"note":{}}', ''), 415, 'unsupported_media_type'],
  ['the charset utf-7', bytes('{"note":{}}', 'application/json; charset=utf-7'), 415, 'unsupported_media_type'],
  ['a gzip bomb', bytes(gzipSync(Buffer.alloc(50_000_000, ' ')), 'application/json', 'gzip'), 413, 'body_too_large'],
  ['text after the end of the JSON', bytes('{"note":{}} x'), 400, 'invalid_body'],
  ['a byte order mark', bytes('\uFEFF{"note":{}}'), 400, 'invalid_body'],
  ['the same key twice', bytes('{"note":{},"note":{}}'), 400, 'invalid_body'],
]

describe.each<[string, Row[]]>([
  ['credentials', CREDENTIALS],
  ['accounts', ACCOUNTS],
  ['names', NAMES],
  ['values', VALUES],
  ['queries', QUERIES],
  ['bodies', BODIES],
])('bad %s', (_group, rows) => {
  it.each(rows)('get their own answer, and nothing is called: %s', async (_what, send, status, code) => {
    const before = [await onward.rows(), onward.third.received.length]
    const { body } = await send().expect(status)
    expect(fitsError(body)).toEqual([])
    expect(body.code).toBe(code)
    expect([await onward.rows(), onward.third.received.length]).toEqual(before)
  })
})

describe('an unknown App-Key', () => {
  it('gets exactly the answer of a wrong hash', async () => {
    const unknown = await withHeaders({ 'App-Key': 'nobody' })().expect(401)
    const wrong = await withHeaders({ Hash: '0'.repeat(64) })().expect(401)
    expect(unknown.body).toEqual({ ...wrong.body, request_id: unknown.headers['x-request-id'] })
  })
})

describe('an old secret', () => {
  it('is refused at once when it is rotated without an overlap', async () => {
    const { appKey, secret } = await onward.makeApplication('rotated')
    const user = onward.user('joe', { appKey, secret })
    await user.post('/apps/list').expect(200)
    await onward.admin('post', `/admin/applications/${appKey}/rotate-secret`, { keep_previous_hours: 0 }).expect(200)
    expect((await user.post('/apps/list').expect(401)).body.code).toBe('unauthenticated')
  })
})

describe('a path parameter with special characters', () => {
  it.each(['a/b', 'a?b', 'a#b', 'a%2fb', '../admin', 'a\r\nb', '//evil.example', 'a\\b', 'ä'])(
    'stays one encoded segment of the same origin: %j',
    async (ticket_id) => {
      await joe.call(TICKET, { ticket_id }).expect(200)
      const { url, headers } = onward.third.received.at(-1) ?? { url: '', headers: {} }
      expect(url).toBe(`/tickets/${encodeURIComponent(ticket_id)}`)
      expect(headers.host).toBe(new URL(onward.third.url).host)
    },
  )
})
