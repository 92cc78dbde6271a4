import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TASK_QUEUE } from '@onward/contract'
import { ADMIN_TOKEN, eventually } from '@onward/testbed'
import { openBothAreas } from './both-areas.ts'
import { dumpDatabase, dumpQueues, formsOf, openCanaries } from './canaries.ts'
import { appFile, canaryApps, ECHOES, openThirdParty, type ThirdParty } from './canary-apps.ts'
import { forAll, type Message, type ReceivedResponse, send, sendUntilReady, withoutTables } from './canary-requests.ts'

/** The number of accounts of each app. */
const ACCOUNTS = 50
const USER = 'header-0'

const canaries = openCanaries()
const { make, add } = canaries
const admin = { authorization: `Bearer ${add('admin token', ADMIN_TOKEN)}` }

let third: ThirdParty
let folder: string
let onward: Awaited<ReturnType<typeof openBothAreas>>
let functions: { readonly url: string; readonly internalUrl: string }
let insights: { readonly url: string; readonly internalUrl: string }
let accounts: Account[]
let appSecret: string
/** Everything that the services answered, except answers whose purpose is to show a new secret. */
const answers: string[] = []
const found: Record<string, string> = {}

type Shown = Partial<Record<string, string>>
type Account = { readonly app: string; readonly n: number; readonly userId: string; readonly credentials: Readonly<Record<string, string>> }

/** Sends a request whose response must not contain a secret. */
async function ask(url: string, message: Message, ...expected: number[]): Promise<ReceivedResponse> {
  const response = await sendUntilReady(url, message, expected)
  answers.push(response.text, ...[...response.headers].flat())
  return response
}

/** Sends a request whose response shows a new secret. Returns the response. */
async function create(url: string, body: object, { method = 'POST', headers = admin }: Message = {}): Promise<Shown> {
  return JSON.parse((await sendUntilReady(url, { method, headers, body }, [200])).text)
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

function as(userId: string): Record<string, string> {
  return { 'App-Key': 'nest', 'User-ID': userId, Hash: createHmac('sha256', appSecret).update(userId).digest('hex') }
}

async function connect({ app, n, userId, credentials }: Account, ...expected: number[]): Promise<void> {
  const body = { user_id: userId, app, credentials, test: n % 5 === 0 }
  await ask(`${functions.internalUrl}/admin/applications/nest/connected-accounts`, { headers: admin, body }, ...expected)
}

/**
 * Calls the app of an account, which sends back what it receives. The arguments contain the credentials, too, except credentials that no
 * app receives: private keys only sign, and expired tokens are replaced before the call.
 */
async function call({ app, n, userId, credentials }: Account, ...expected: number[]): Promise<void> {
  const echo = Object.keys(ECHOES)[n % Object.keys(ECHOES).length]
  const body = { url: `/echo/${echo}`, method: 'POST', body: { given: ['robot', 'expired'].includes(app) ? {} : credentials } }
  const headers = { ...as(userId), 'Idempotency-Key': `call-${n}` }
  await ask(`${functions.url}/functions/${app}-passthrough-request/call`, { headers, body }, ...expected)
}

/** Signs in at the app `oauth` in a browser, as far as the third party allows it. */
async function signIn(userId: string, ...expected: number[]): Promise<void> {
  const { login_url: url = '' } = await create(`${functions.url}/apps/oauth/get`, {}, { headers: as(userId) })
  add('login link', url.split('/').at(-1) ?? '')
  const page = await send(url, { method: 'GET' })
  const cookies = page.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  for (const cookie of cookies) add('cookie', cookie.slice(cookie.indexOf('=') + 1))
  const session = add('session', /name="_session" value="([\w-]+)"/.exec(page.text)?.[1] ?? '')
  const headers = { cookie: cookies.join('; '), 'content-type': 'application/x-www-form-urlencoded' }
  const sent = await send(url, { headers, body: `_session=${session}` })
  const state = add('state', new URL(sent.headers.get('location') ?? '').searchParams.get('state') ?? '')
  const query = new URLSearchParams({ state, code: make('authorization code') })
  await ask(`${functions.url}/connect/callback?${query}`, { method: 'GET', headers }, ...expected)
}

async function open(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'onward-canaries-'))
  third = await openThirdParty(canaries)
  for (const [name, { auth }] of Object.entries(canaryApps(canaries, third.url))) {
    await writeFile(join(folder, `${name}.yaml`), JSON.stringify(appFile(name, third.url, auth)))
  }
  // Nothing listens there.
  await writeFile(join(folder, 'gone.yaml'), JSON.stringify(appFile('gone', 'http://127.0.0.1:1', { type: 'bearer' })))
  onward = await openBothAreas(1, { LOG_LEVEL: 'trace', LOG_FILE: join(folder, 'log'), APPS_PATH: folder, CALL_BODIES: 'all' })
  functions = onward.functions[0] as typeof functions
  insights = onward.insights
  const nest = { workspace_id: 'w', name: 'Nest', confirm_accounts: false }
  const made = await create(`${functions.internalUrl}/admin/applications/nest`, nest, { method: 'PUT' })
  appSecret = add('application secret', made.app_secret ?? '')
  await ask(`${insights.internalUrl}/admin/applications/nest`, { method: 'PUT', headers: admin, body: { workspace_id: 'w' } }, 200)
}

/** Connects accounts of all kinds, and calls apps that send back everything that they receive. */
async function useAccounts(): Promise<void> {
  for (const app of ['oauth', 'expired']) {
    const body = { client_id: `id-of-${app}`, client_secret: make(`client secret of ${app}`) }
    await ask(`${functions.internalUrl}/admin/applications/nest/oauth-clients/${app}`, { method: 'PUT', headers: admin, body }, 200)
  }
  const apps = { ...canaryApps(canaries, third.url), gone: { account: () => ({ token: make('token of an app that is gone') }) } }
  const accountOf = (app: string, n: number, account: () => Account['credentials']) =>
    ({ app, n, userId: `${app}-${n}`, credentials: account() }) as const
  const all = Object.entries(apps)
  accounts = all.flatMap(([app, { account }]) => numbers(app === 'gone' ? 5 : ACCOUNTS).map((n) => accountOf(app, n, account)))
  await forAll(accounts, async (account) => await connect(account, ...(account.app === 'gone' ? [502, 200] : [200])))
  const isLater = ({ app, n }: Account) => app === 'expired' && n % 2 === 1
  await forAll(
    accounts.filter((account) => !isLater(account)),
    async (account) => await call(account, 200, 502, ...(account.app === 'gone' ? [400] : [])),
  )
  for (const n of numbers(10)) await signIn(`oauth-${n}`, 200)

  third.refusesTokens = true
  await forAll(accounts.filter(isLater), async (account) => await call(account, 400, 502, 503))
  const refused = all.filter(([app]) => ['post', 'client', 'robot'].includes(app))
  await forAll(
    refused.flatMap(([app, { account }]) => numbers(20).map((n) => accountOf(app, n, account))),
    async (account) => await connect(account, 400, 502),
  )
  for (const n of numbers(10)) await signIn(`oauth-${n}`, 400, 502)
  third.refusesTokens = false
}

/** Sends secrets in the wrong way or to the wrong place. */
async function sendWrongly(): Promise<void> {
  const accountsUrl = `${functions.internalUrl}/admin/applications/nest/connected-accounts`
  const malformed: ((secret: string) => object | string)[] = [
    (secret) => ({ user_id: 'joe', app: 'bearer', credentials: { token: `${secret}\r\n` } }),
    (secret) => ({ user_id: 'joe', app: 'bearer', credentials: { tokn: secret } }),
    (secret) => ({ user_id: 'joe', app: 'bearer', credentials: { token: { secret } } }),
    (secret) => ({ user_id: 'joe', app: 'nowhere', credentials: { token: secret } }),
    (secret) => ({ user_id: 'joe', app: 'bearer', credentials: secret }),
    (secret) => ({ user_id: 'joe', app: 'robot', credentials: { issuer: 'robot', private_key: secret } }),
    (secret) => ({ user_id: 'joe', app: 'oauth', credentials: { access_token: secret, expires_at: secret } }),
    (secret) => ({ user_id: 'joe\u0000', app: 'bearer', credentials: { token: secret } }),
    (secret) => `{"user_id": "joe", "credentials": {"token": ${JSON.stringify(secret)}`,
    (secret) => `{"token": ${secret}}`,
  ]
  const bodies = malformed.flatMap((bodyOf) => numbers(6).map(() => bodyOf(make('malformed credentials'))))
  await forAll(bodies, async (body) => await ask(accountsUrl, { headers: admin, body }, 400, 404))

  const partners = `${insights.url}/partners/api/insights`
  await forAll(numbers(10), async () => {
    const secret = make('secret in a wrong place')
    const encoded = encodeURIComponent(secret)
    await ask(accountsUrl, { headers: { authorization: `Bearer ${secret}` }, body: {} }, 401)
    await ask(`${insights.internalUrl}/admin/workspaces?token=${encoded}`, { method: 'GET' }, 401)
    await ask(`${functions.url}/apps/list?hash=${encoded}&app_key=nest`, { headers: { ...as(USER), Hash: secret } }, 401)
    await ask(`${functions.url}/${encoded}`, { headers: as(USER), body: { secret } }, 404)
    await ask(`${functions.url}/connect/${encoded}`, { method: 'GET' }, 400, 403, 404, 410)
    await ask(`${functions.url}/connected-accounts/1/confirm`, { headers: as(USER), body: { confirmation: secret } }, 400, 404)
    await ask(`${partners}/subscriptions/?api-key=${encoded}`, { method: 'GET' }, 401)
    await ask(`${partners}/subscriptions/`, { method: 'GET', headers: { 'api-key': secret } }, 401)
    const body = { events: ['user_tasks_limit_100'], callback_url: `https://user:${encoded}@example.com/` }
    await ask(`${partners}/subscriptions/`, { headers: await onward.partner.credentials(), body }, 400)
    await ask(`${partners}/subscriptions/`, { headers: await onward.partner.credentials(), body: `{"${secret}` }, 400)
    const prompt = `get my profile of header with sk_live_${secret} as the password`
    await ask(`${functions.url}/functions/predict`, { headers: as(USER), body: { prompt } }, 200)
    await ask(`${functions.url}/functions/header-get-profile/call`, { headers: as(USER), body: {} }, 200)
  })
}

/** Makes workspaces, applications and subscriptions, and changes their secrets. The webhooks of one user are sent. */
async function useWorkspaces(): Promise<void> {
  const partner = await onward.partner.credentials()
  const events = ['user_tasks_limit_100']
  const subscribe = async (headers: Readonly<Record<string, string>>, callback_url: string) => {
    const url = `${insights.url}/partners/api/insights/subscriptions/`
    const { subscription_id, signing_secret = '' } = await create(url, { events, callback_url }, { headers })
    add('signing secret', signing_secret)
    const rotated = await create(`${url}${subscription_id}/rotate-secret/`, {}, { headers })
    const key = add('signing secret', rotated.signing_secret ?? '').slice('whsec_'.length)
    for (const encoding of ['base64', 'hex', 'latin1'] as const)
      add('key of a signing secret', Buffer.from(key, 'base64').toString(encoding))
  }
  for (const echo of ['text', 'failed']) await subscribe(partner, `${third.url}/hook/echo/${echo}`)
  await forAll(numbers(20), async (n) => {
    const put = { method: 'PUT', headers: admin }
    const workspace = await create(`${insights.internalUrl}/admin/workspaces/w-${n}`, { name: 'W' }, put)
    const apiKey = add('API key', workspace.partner_api_key ?? '')
    const application = await create(`${functions.internalUrl}/admin/applications/app-${n}`, { workspace_id: 'w', name: 'A' }, put)
    add('application secret', application.app_secret ?? '')
    const rotated = await create(`${functions.internalUrl}/admin/applications/app-${n}/rotate-secret`, {})
    add('application secret', rotated.app_secret ?? '')
    await subscribe({ 'api-key': apiKey }, `${third.url}/hook`)
    await ask(`${insights.url}/partners/api/insights/subscriptions/?api-key=${apiKey}`, { method: 'GET' }, 401)
    const key = await create(`${insights.internalUrl}/admin/workspaces/w-${n}/rotate-key`, {})
    add('API key', key.partner_api_key ?? '')
  })
  const limits = [{ user_id: USER, allowed_tasks: 1 }]
  await ask(`${insights.url}/partners/api/insights/users/tasks/?app_key=nest`, { headers: partner, body: limits }, 200)
  await eventually(() => {
    for (const echo of ['text', 'failed']) expect(third.received.map(({ url }) => url)).toContain(`/hook/echo/${echo}`)
  })
}

/** Sends secrets while both services cannot use their tables. */
async function fail(): Promise<void> {
  await withoutTables(onward.functionsDatabaseUrl, ['connected_account', 'oauth_client'], async () => {
    for (const { app, userId, credentials } of accounts.filter(({ n }) => n === 1)) {
      const body = { user_id: userId, app, credentials }
      await ask(`${functions.internalUrl}/admin/applications/nest/connected-accounts`, { headers: admin, body }, 500)
    }
    const body = { client_id: 'id', client_secret: make('client secret that is not stored') }
    await ask(`${functions.internalUrl}/admin/applications/nest/oauth-clients/oauth`, { method: 'PUT', headers: admin, body }, 500)
    // An account that is not held in memory.
    await ask(`${functions.url}/functions/header-get-profile/call?connected_account_id=999999`, { headers: as(USER), body: {} }, 500)
  })
  await withoutTables(onward.insightsDatabaseUrl, ['subscription', 'workspace_key'], async () => {
    await ask(`${insights.url}/partners/api/insights/subscriptions/`, { method: 'GET', headers: { 'api-key': make('API key') } }, 500)
  })
}

/** Reads everything that shows what the services store. */
async function dump(): Promise<void> {
  const partner = await onward.partner.credentials()
  const page = { page_size: 200 }
  for (const { userId } of accounts.filter(({ n }) => n < 12))
    await ask(`${functions.url}/calls/list`, { headers: as(userId), body: page }, 200)
  for (const path of ['calls?page_size=200', 'applications', 'applications/nest/connected-accounts', 'applications/nest/oauth-clients']) {
    await ask(`${functions.internalUrl}/admin/${path}`, { method: 'GET', headers: admin }, 200)
  }
  await ask(`${insights.url}/partners/api/insights/subscriptions/`, { method: 'GET', headers: partner }, 200)
  await ask(`${insights.internalUrl}/admin/workspaces`, { method: 'GET', headers: admin }, 200)
  const metrics = await Promise.all([functions, insights].map(({ internalUrl }) => send(`${internalUrl}/metrics`, { method: 'GET' })))
  found.metrics = metrics.map(({ text }) => text).join('\n')
  found['tables of functions'] = await dumpDatabase(onward.functionsDatabaseUrl)
  found['tables of insights'] = await dumpDatabase(onward.insightsDatabaseUrl)
  found.queues = await dumpQueues(onward.queues)
  found.answers = answers.join('\n')
}

beforeAll(async () => {
  await open()
  try {
    await useAccounts()
    await sendWrongly()
    await useWorkspaces()
    await fail()
    await dump()
  } finally {
    // The log is complete only after the services have stopped.
    await onward.close()
  }
  found.log = await readFile(join(folder, 'log'), 'utf8')
}, 300_000)
afterAll(async () => {
  await third.close()
  await rm(folder, { recursive: true })
})

describe('a thousand secrets of all kinds', () => {
  it('are used: the third parties receive them', () => {
    expect(canaries.size).toBeGreaterThanOrEqual(1_000)
    const received = third.received.flatMap(({ url, headers, body }) => [url, ...Object.values(headers), body]).join('\n')
    const sent = [
      ...['API key as it is', 'API key in a query in a URL', 'bearer token as it is', 'password in base64 after 1 bytes'],
      ...['user name without a password in base64 after 0 bytes', 'field in a header as it is', 'field in a query in a URL'],
      ...['field in a path in a URL', 'access token as it is', 'used refresh token in a form', 'issued access token as it is'],
      ...['client secret in a body in a form', 'client secret of oauth in a form', 'authorization code in a form'],
    ]
    const seen = canaries.find(received)
    expect(sent.filter((kind) => !seen.includes(kind))).toEqual([])
  })

  it.each([
    ['tables of functions', ['connected_account', '[redacted]', 'header-passthrough-request']],
    ['tables of insights', ['subscription', 'user_tasks_limit_100']],
    ['queues', [TASK_QUEUE, 'header-passthrough-request']],
    ['log', ['a request failed', 'an access token could not be renewed']],
    ['answers', ['[redacted]', 'invalid_grant', 'the service failed']],
    ['metrics', ['onward_functions_', 'onward_insights_']],
  ])('do not appear in the %s', (place, parts) => {
    const text = found[place] ?? ''
    for (const part of parts) expect(text).toContain(part)
    expect(canaries.find(text)).toEqual([])
  })
})

describe('the search for secrets', () => {
  it('finds them in every form', () => {
    const { make: makeOne, find } = openCanaries()
    for (const [name, form] of formsOf(makeOne('secret'))) expect(find(`before ${form} after`)).toContain(`secret ${name}`)
  })
})
