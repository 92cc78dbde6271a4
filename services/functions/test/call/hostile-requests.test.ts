import { errorBody } from '@onward/contract'
import { compileCheck } from '@onward/runtime'
import request from 'supertest'
import { hashOf, type User, useFunctions, withShortNames } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
  // These tests send more predictions in a minute than a user may by default.
  const rates = { user_rate_limit: 1_000_000, user_predict_rate_limit: 1_000_000 }
  await onward.admin('put', '/admin/applications/app-1', { workspace_id: 'workspace-1', name: 'app-1', ...rates }).expect(200)
  for (const app of ['desk', 'maps', 'crm', 'notes'] as const) await joe.connect(app)
})

/** Texts that commonly break services. */
const TEXTS: string[] = [
  ...['', ' ', '\u0000', '\ud800', '\uffff', '🙂', 'Ω'.repeat(300), 'x'.repeat(20_000)],
  ...['../../etc/passwd', '%2e%2e%2f', '%00', "' or 1=1 --", '"; drop table call_log; --', '\r\nX-Injected: 1', '<script>'],
  ...['{{', '}}', '{', '{}', '{a', '{__proto__}', '{constructor.prototype}', '{a.b.c}', '#{7*7}', '__proto__', 'constructor'],
  ...['null', 'NaN', '1e309', '-1', '9007199254740993', '{"a":1}', '[1]', 'http://169.254.169.254/', 'file:///etc/passwd'],
]

/** JSON values of unexpected types, and some of the texts. */
const VALUES: unknown[] = [
  ...[null, true, 0, -0, 1e308, 1.5, -1],
  ...[[], {}, [[]], [null], { a: null }, { length: 5 }, [{ a: [{}] }]],
  ...TEXTS.slice(0, 10),
]

const fitsError = compileCheck(errorBody, 'strict')

/** Text that would reveal a stack trace, a query or a file path. */
const INSIDES = /\bat \S+ \(|node_modules|\.ts\b|\/src\/|select |insert |syntax error|ECONN|invalid byte|undefined/i

async function expectRefusedOrDone(sent: request.Test): Promise<void> {
  const { status, body, text } = await sent
  expect(status).not.toBe(500)
  expect([200, 400, 401, 404, 405, 413, 415]).toContain(status)
  if (status === 200) return
  expect(fitsError(body)).toEqual([])
  expect(text).not.toMatch(INSIDES)
}

/** Encodes a text for a URL: short enough for Node, and without incomplete characters. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()).slice(0, 10_000).replace(/%.?$/, '')
}

const ENDPOINTS = [
  '/apps/list',
  '/functions/list',
  '/functions/predict',
  '/calls/list',
  '/functions/desk-create-ticket/get',
  '/functions/desk-get-ticket/call',
]

/** Sends each value once and takes the endpoints in turn. */
async function inTurn<T>(values: readonly T[], send: (path: string, value: T) => request.Test): Promise<void> {
  for (const [i, value] of values.entries()) await expectRefusedOrDone(send(ENDPOINTS[i % ENDPOINTS.length] as string, value))
}

describe('a hostile path', () => {
  it.each(withShortNames(TEXTS))('never causes a 500 when a name in it is %s', async (_short, text) => {
    const name = encoded(text)
    for (const path of [`/apps/${name}/get`, `/functions/${name}/get`, `/functions/${name}/call`, `/calls/${name}/get`]) {
      await expectRefusedOrDone(joe.post(path, {}))
    }
  })

  it.each([
    '/%',
    '/%zz',
    '/functions/%/call',
    '/functions/%ff%fe/get',
    '/functions/%c0%ae/call',
    '//',
    '/apps//get',
    '/?',
    '/functions/a/b/call',
    '/apps/list/list',
    '/APPS/LIST/x',
  ])('never causes a 500 when it is %s', async (path) => {
    await expectRefusedOrDone(joe.post(path, {}))
  })

  it.each(['get', 'put', 'patch', 'delete', 'options', 'head', 'trace'] as const)('is answered 405 for the method %s', async (method) => {
    await request(onward.url)[method]('/apps/list').set(joe.headers).expect('Allow', 'POST').expect(405)
  })
})

describe('a hostile query', () => {
  const names = [
    '_cursor',
    'page_size',
    'connected_only',
    'include',
    'app',
    'type',
    'search',
    'predict_arguments',
    'connected_account_id',
    '__proto__',
  ]
  it.each(names)('never causes a 500 for any hostile value of its parameter %s', async (name) => {
    await inTurn(TEXTS, (path, text) => joe.post(`${path}?${name}=${encoded(text)}`, {}))
  })

  it.each(
    withShortNames(['a[b]=c', '__proto__[x]=1', '_cursor[]=1', '_cursor[a]=b', '&&&=&', '?', '%', '_cursor=%', 'a=1&'.repeat(2_000)]),
  )('never causes a 500 when it is %s', async (_short, query) => {
    for (const path of ENDPOINTS) await expectRefusedOrDone(joe.post(`${path}?${query}`, {}))
  })
})

describe('a hostile body', () => {
  const keys = [
    '_cursor',
    'page_size',
    'search',
    'prompt',
    '_variables',
    'predict_arguments',
    'since',
    'outcome',
    'app',
    'ticket_id',
    'fields',
    'trace',
    'headers',
    'url',
  ]
  it.each(keys)('never causes a 500 for any hostile value of its key %s', async (key) => {
    await inTurn(VALUES, (path, value) => joe.post(path, { [key]: value }))
  })

  it.each(withShortNames(TEXTS))('never causes a 500 when each parameter of a call is %s', async (_short, text) => {
    const _variables = { a: text }
    await expectRefusedOrDone(joe.call('desk-create-ticket', { subject: text, text, label: text, customer: { name: text } }))
    await expectRefusedOrDone(joe.call('desk-get-ticket', { ticket_id: text, trace: text, fields: [text] }))
    await expectRefusedOrDone(joe.call('maps-find-place', { address: '{a}', _variables }))
    await expectRefusedOrDone(joe.call('crm-create-contact', { email: 'a@b.example', address: { [text]: text } }))
    await expectRefusedOrDone(joe.call('crm-list-deals', { _cursor: { after_name: text } }))
    await expectRefusedOrDone(joe.call('notes-passthrough-request', { url: `/${text}`, query: { [text]: text }, headers: { 'x-a': text } }))
    await expectRefusedOrDone(
      joe.post('/functions/predict', { prompt: `"${text}" ${text}`, _variables: { [text]: text }, predict_arguments: true }),
    )
  })

  it.each(['headers', 'url', 'auth', 'proxy', 'socketPath', 'baseURL', 'transformRequest', 'maxRedirects', 'method', 'data', 'params'])(
    'is refused with 400 when it has the key %s, which is not a parameter',
    async (key) => {
      const { body } = await joe.call('notes-read-notes', { [key]: 'x' }).expect(400)
      expect(body.error_details).toEqual([expect.stringMatching(new RegExp(`^${key}: is not known here`))])
    },
  )
})

describe('hostile credentials', () => {
  it.each(withShortNames(TEXTS))('never cause a 500 when one of them is %s', async (_short, text) => {
    const value = encoded(text)
    const hash = hashOf(onward.application.secret, text)
    for (const query of [
      `app_key=${value}&user_id=joe&hash=${hash}`,
      `app_key=app-1&user_id=${value}&hash=${hash}`,
      `app_key=app-1&user_id=joe&hash=${value}`,
    ]) {
      await expectRefusedOrDone(request(onward.url).post(`/apps/list?${query}`))
    }
  })
})

describe('the service after all hostile requests', () => {
  it('still answers, has no open attempts and has called only the third party', async () => {
    await joe.post('/apps/list').expect(200)
    expect((await onward.rows()).call_attempt).toBe(0)
    expect(onward.third.received.every(({ headers }) => headers.host === new URL(onward.third.url).host)).toBe(true)
  })
})
