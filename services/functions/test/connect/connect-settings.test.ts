import { createHash } from 'node:crypto'
import { openSealer } from '@onward/runtime'
import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import request from 'supertest'
import { accountRow } from '../../src/db/connected-accounts.ts'
import { callback } from '../support/authorization-server.ts'
import { accountsOf, connectedId, headingOf, loginUrlOf, openBrowser, type Page } from '../support/connecting.ts'
import { appFile, type OAuthFunctions, openWithApps } from '../support/oauth-support.ts'

const BOT = 'bot-token-0123456789'
const USER = 'user-token-0123456789'
const SECRET = 'client-secret-0123456789'

/** The credentials of an account whose token must be renewed before a call. */
const EXPIRED = {
  access_token: BOT,
  refresh_token: 'refresh-token-0123456789',
  expires_at: '2020-01-01T00:00:00Z',
  site: 'acme',
  cloud_id: 'c-2',
}

const setting = (more: object = {}) => ({ title: 'A setting', description: 'A setting.', ...more })

let provider: ScriptedServer
let onward: OAuthFunctions
let sites: unknown
let sitesStatus: number
let answer: Record<string, unknown>

/** The provider has two sites, each with an id, and issues a token for the application and one for the user. */
beforeAll(async () => {
  provider = await openScriptedServer()
  const { url } = provider
  const oauth2 = {
    type: 'oauth2',
    authorization_url: `${url}/auth`,
    token_url: `${url}/{account.realm}/token`,
    revocation_url: `${url}/revoke`,
    pkce: false,
    base_url: `${url}/ex/{account.cloud_id}`,
    settings: { cloud_id: { request: { url: `${url}/sites`, where: { '/url': 'https://{account.site}.example.net' }, value: '/id' } } },
    other_tokens: { user_token: '/authed_user/access_token' },
  }
  const account_settings = { site: setting(), cloud_id: setting(), realm: setting({ default: 'main', pattern: '^[a-z]+$' }) }
  const base = appFile('elder', `${url}/plain/{account.site}`, [oauth2, { type: 'bearer' }], {
    account_settings,
    identity: { function: 'get-me', name: '/name', id: '/id' },
  }) as { functions: Record<string, object> }
  base.functions.search = {
    title: 'Search',
    description: 'Searches.',
    type: 'QUERY',
    request: { method: 'GET', path: '/search', token: 'user_token' },
  }
  const ivy = appFile('ivy', url, { type: 'bearer' }, { identity: { function: 'get-me', name: '/name', id: '/id' } })
  onward = await openWithApps([base, ivy], { PUBLIC_URL: 'https://onward.example' })
  await onward.setClient('elder', 'elder-client', SECRET).expect(200)
})
afterAll(() => provider.close())

beforeEach(() => {
  provider.received.length = 0
  sites = [
    { id: 'c-1', url: 'https://other.example.net' },
    { id: 'c-2', url: 'https://acme.example.net' },
  ]
  sitesStatus = 200
  answer = { access_token: BOT, authed_user: { id: 'U1', access_token: USER } }
  provider.respond(({ url, headers }, response) => {
    if (url?.endsWith('/token')) return sendJson(response, 200, answer)
    if (url === '/sites') return sendJson(response, sitesStatus, sites)
    if (url === '/revoke') return sendJson(response, 200, {})
    sendJson(response, 200, { id: 'U1', name: 'Ada', path: url, seen: headers.authorization, twice: `${BOT} ${USER}` })
  })
})

type Connected = { readonly end: Page; readonly page: Page; readonly location: string }

async function connect(userId: string, fields: Readonly<Record<string, string>>): Promise<Connected> {
  const browser = openBrowser(onward)
  const page = await browser.open(`${await loginUrlOf(onward.user(userId), 'elder')}?scheme=oauth2`)
  const sent = await browser.submit(page, fields)
  const location = sent.headers.location ?? ''
  if (location === '') return { end: sent, page, location }
  const state = new URL(location).searchParams.get('state') ?? ''
  return { end: await browser.open(callback({ code: 'code-0123456789', state })), page, location }
}

async function credentialsOf(userId: string): Promise<Record<string, string>> {
  const [row] = (await accountsOf(onward)).filter(({ user_id }) => user_id === userId)
  if (!row) throw new Error(`${userId} has no account`)
  expect(row.sealed_credentials.toString('latin1')).not.toMatch(/(bot|user)-token/)
  return JSON.parse(openSealer(onward.config.sealingKeys).open(row.sealed_credentials, accountRow(Number(row.id))))
}

async function externalIdOf(userId: string): Promise<string | null | undefined> {
  return (await accountsOf(onward)).find(({ user_id }) => user_id === userId)?.external_id
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const sent = (path: string) => provider.received.filter(({ url }) => url === path)

describe('a setting that is requested after the sign-in', () => {
  it('is taken from the item that matches what the user entered, and leads the calls', async () => {
    const { end } = await connect('ada', { site: 'Acme' })
    expect(headingOf(end)).toBe('Elder is connected')
    expect(sent('/sites').map(({ headers }) => headers.authorization)).toEqual([`Bearer ${BOT}`])
    expect(await credentialsOf('ada')).toMatchObject({ site: 'Acme', cloud_id: 'c-2' })
    const { body } = await onward.user('ada').call('elder-get-me').expect(200)
    expect(body.output.path).toBe('/ex/c-2/me')
  })

  it.each<[string, number, unknown, number, string]>([
    ['has no such item', 200, [{ id: 'c-1', url: 'https://acme.example.net' }], 400, 'has no access to https://nowhere.example.net'],
    ['has an item without the value', 200, [{ url: 'https://nowhere.example.net' }], 400, 'has no access to'],
    ['is an empty list', 200, [], 400, 'has no access to'],
    ['is not a list', 200, 'sites', 400, 'has no access to'],
    ['is a refusal', 403, {}, 400, 'answered 403'],
    ['is an error', 503, {}, 502, 'answered 503'],
  ])('refuses the account when the answer %s', async (name, answered, list, status, text) => {
    sitesStatus = answered
    sites = list
    const { end } = await connect(`refused, ${name}`, { site: 'nowhere' })
    expect([end.status, headingOf(end)]).toEqual([status, 'Elder was not connected'])
    expect(end.text).toContain(text)
    expect(end.text).not.toContain(BOT)
    expect((await accountsOf(onward)).filter(({ user_id }) => user_id === `refused, ${name}`)).toEqual([])
  })
})

describe('another token of the token response', () => {
  it('is stored sealed, used where a function names it, and redacted', async () => {
    await connect('bea', { site: 'acme' })
    expect(await credentialsOf('bea')).toMatchObject({ access_token: BOT, user_token: USER })
    provider.received.length = 0
    const bea = onward.user('bea')
    const { text } = await bea.call('elder-search').expect(200)
    const { text: usual } = await bea.call('elder-get-me').expect(200)
    expect(provider.received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/ex/c-2/search', `Bearer ${USER}`],
      ['/ex/c-2/me', `Bearer ${BOT}`],
    ])
    expect(text + usual).not.toMatch(/(bot|user)-token/)
    expect(text).toContain('[redacted] [redacted]')
    const { text: log } = await bea.post('/calls/list', {}).expect(200)
    expect(log).not.toMatch(/(bot|user)-token/)
  })

  it.each([
    ['kept when a renewal brings none', { access_token: `${BOT}-2` }, USER],
    ['replaced when a renewal brings one', { access_token: `${BOT}-2`, authed_user: { access_token: `${USER}-2` } }, `${USER}-2`],
  ])('is %s', async (userId, renewed, expected) => {
    answer = renewed
    await onward.connect(userId, 'elder', { ...EXPIRED, user_token: USER }).expect(200)
    await onward.user(userId).call('elder-get-me').expect(200)
    await onward.user(userId).call('elder-search').expect(200)
    expect(sent('/ex/c-2/search')[0]?.headers.authorization).toBe(`Bearer ${expected}`)
    expect(await credentialsOf(userId)).toMatchObject({ access_token: `${BOT}-2`, user_token: expected, cloud_id: 'c-2' })
  })

  it('is revoked with the account', async () => {
    const { end } = await connect('dan', { site: 'acme' })
    const { headers } = onward.user('dan')
    await request(onward.url)
      .delete(`/connected-accounts/${connectedId(end)}`)
      .set(headers)
      .expect(200)
    const tokens = sent('/revoke').map(({ body }) => new URLSearchParams(body).get('token'))
    expect(tokens).toEqual([USER, BOT])
  })

  it('is missed only by the functions that need it', async () => {
    answer = { access_token: BOT }
    await connect('eve', { site: 'acme' })
    await onward.user('eve').call('elder-get-me').expect(200)
    const { text } = await onward.user('eve').call('elder-search')
    expect(text).toContain('user_token')
    expect(sent('/ex/c-2/search')).toEqual([])
  })
})

describe('a setting with a default', () => {
  it('is behind "More settings" with its default', async () => {
    const { page } = await connect('fay', { site: 'acme' })
    const [, details = ''] = /<details>(.*?)<\/details>/s.exec(page.text) ?? []
    expect(details).toMatch(/<input type="text"[^>]* name="realm"[^>]* value="main">/)
    expect(details).not.toContain('name="site"')
  })

  it.each([
    [{ site: 'acme' }, 'main'],
    [{ site: 'acme', realm: '' }, 'main'],
    [{ site: 'acme', realm: 'test' }, 'test'],
  ])('is stored for the fields %j as %s', async (fields, realm) => {
    const userId = `realm ${JSON.stringify(fields)}`
    const { end } = await connect(userId, fields)
    expect(headingOf(end)).toBe('Elder is connected')
    expect(sent(`/${realm}/token`)).toHaveLength(1)
    expect(await credentialsOf(userId)).toMatchObject({ realm })
  })

  it('shows an invalid value again, open', async () => {
    const { end } = await connect('gil', { site: 'acme', realm: 'No' })
    expect(end.status).toBe(400)
    expect(end.text).toMatch(/<details open>.*A setting must match/s)
  })

  it('completes accounts that were stored without it', async () => {
    await onward.connect('hal', 'elder', EXPIRED).expect(200)
    await onward.user('hal').call('elder-get-me').expect(200)
    expect(sent('/main/token')).toHaveLength(1)
  })

  it('does not make a second account when the owner connects again', async () => {
    const first = connectedId((await connect('ida', { site: 'acme' })).end)
    // Neither a new version of Onward nor a further setting with a default may change what identifies the account.
    expect(await externalIdOf('ida')).toBe(sha256('["U1","acme","c-2"]'))
    expect(connectedId((await connect('ida', { site: 'acme', realm: 'main' })).end)).toBe(first)
    expect(connectedId((await connect('ida', { site: 'acme', realm: 'test' })).end)).not.toBe(first)
  })
})

describe('the id of an account at an app without settings', () => {
  it.each([
    ['is stored', 'U1', 'U1'],
    ['is stored when it has 200 characters', 'U'.repeat(200), 'U'.repeat(200)],
    ['is replaced by its digest when it is longer', 'U'.repeat(201), sha256('U'.repeat(201))],
    ['is unknown when it is empty', '', null],
  ])('%s', async (_what, id, stored) => {
    provider.respond((_received, response) => sendJson(response, 200, { id, name: 'Ada' }))
    const userId = `id of ${id.length}`
    const browser = openBrowser(onward)
    const page = await browser.open(await loginUrlOf(onward.user(userId), 'ivy'))
    expect(headingOf(await browser.submit(page, { token: 'ivy-token-0123456789' }))).toBe('Ivy is connected')
    expect(await externalIdOf(userId)).toBe(stored)
  })
})

describe('the base_url of a scheme', () => {
  it('is that of its own accounts only', async () => {
    await onward.connect('jon', 'elder', { token: 'pasted-token-0123456789', site: 'acme' }).expect(200)
    const { body } = await onward.user('jon').call('elder-search').expect(200)
    expect(body.output.path).toBe('/plain/acme/search')
    expect(provider.received.at(-1)?.headers.authorization).toBe('Bearer pasted-token-0123456789')
  })
})
