import { errorBody } from '@onward/contract'
import { compileCheck } from '@onward/runtime'
import request from 'supertest'
import { TEXTS, VALUES } from './hostile-values.ts'
import { type Functions, hashOf, openFunctions, type User } from './support.ts'

let onward: Functions
let joe: User

beforeAll(async () => {
  onward = await openFunctions()
  joe = onward.user('joe')
  for (const app of ['desk', 'maps', 'crm', 'notes'] as const) await joe.connect(app)
})

const fitsError = compileCheck(errorBody, 'strict')

/** What a stack, a query or a path of a machine would show. */
const INSIDES = /\bat \S+ \(|node_modules|\.ts\b|\/src\/|select |insert |syntax error|ECONN|invalid byte|undefined/i

async function expectRefusedOrDone(sent: request.Test): Promise<void> {
  const { status, body, text } = await sent
  expect(status).not.toBe(500)
  expect([200, 400, 401, 404, 413, 415]).toContain(status)
  if (status === 200) return
  expect(fitsError(body)).toEqual([])
  expect(text).not.toMatch(INSIDES)
}

/** As a URL carries it: short enough for Node, and without halves of characters. */
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

/** Sends each value once, to one endpoint after the other, and to each endpoint some. */
async function inTurn<T>(values: readonly T[], send: (path: string, value: T) => request.Test): Promise<void> {
  for (const [i, value] of values.entries()) await expectRefusedOrDone(send(ENDPOINTS[i % ENDPOINTS.length] as string, value))
}

describe('the path', () => {
  it.each(TEXTS)('%.30j in it', async (text) => {
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
  ])('%s', async (path) => {
    await expectRefusedOrDone(joe.post(path, {}))
  })

  it.each(['get', 'put', 'patch', 'delete', 'options', 'head', 'trace'] as const)('by %s is 404', async (method) => {
    await request(onward.url)[method]('/apps/list').set(joe.headers).expect(404)
  })
})

describe('the query', () => {
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
  it.each(names)('%s with anything in it', async (name) => {
    await inTurn(TEXTS, (path, text) => joe.post(`${path}?${name}=${encoded(text)}`, {}))
  })

  it.each(['a[b]=c', '__proto__[x]=1', '_cursor[]=1', '_cursor[a]=b', '&&&=&', '?', '%', '_cursor=%', `${'a=1&'.repeat(2_000)}`])(
    '%.30s',
    async (query) => {
      for (const path of ENDPOINTS) await expectRefusedOrDone(joe.post(`${path}?${query}`, {}))
    },
  )
})

describe('the body', () => {
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
  it.each(keys)('%s with anything in it', async (key) => {
    await inTurn(VALUES, (path, value) => joe.post(path, { [key]: value }))
  })

  it.each(TEXTS)('%.30j in every parameter of a call', async (text) => {
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
    'of a call with the key %s, which is no parameter, is refused',
    async (key) => {
      const { body } = await joe.call('notes-read-notes', { [key]: 'x' }).expect(400)
      expect(body.error_details).toEqual([expect.stringMatching(new RegExp(`^${key}: is not known here`))])
    },
  )
})

describe('the credentials', () => {
  it.each(TEXTS)('%.30j in each of them', async (text) => {
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

describe('afterwards', () => {
  it('the service answers as before', async () => {
    await joe.post('/apps/list').expect(200)
    expect((await onward.rows()).call_attempt).toBe(0)
    expect(onward.third.received.every(({ headers }) => headers.host === new URL(onward.third.url).host)).toBe(true)
  })
})
