import { randomUUID } from 'node:crypto'
import { openEmbedTokens, openSessionTokens } from '@onward/access'
import { ENDED_RIGHTS_QUEUE, type EndedRightsJob, type MemberRole } from '@onward/contract'
import { openLog, openQueues } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import request from 'supertest'
import { actionOf, loginUrlOf, openBrowser } from '../support/connecting.ts'
import { createToken, sendMessage } from '../support/mcp-support.ts'
import { ADMIN_TOKEN, hashOf, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/learning-apps' } })
const sessions = openSessionTokens(ADMIN_TOKEN)
const embeds = openEmbedTokens(ADMIN_TOKEN)
const WORKSPACE = 'events'
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

type Application = { readonly appKey: string; readonly secret: string }

/** Signs in a person who made nothing in other applications, so that each application has its own endings. */
async function personHeaders(role: MemberRole, kind: 'person' | 'token' = 'person', appKey = 'any'): Promise<{ authorization: string }> {
  const claims = { sub: personOf(appKey), sid: sessionOf(kind, appKey), name: 'p@example.com', kind, operator: false } as const
  return { authorization: `Bearer ${(await sessions.sign({ ...claims, roles: { [WORKSPACE]: role } })).token}` }
}

const personOf = (appKey: string) => `person-${appKey}`
const sessionOf = (kind: 'person' | 'token' | 'page', appKey: string) => `session-of-${kind}-${appKey}`
const pathOf = ({ appKey }: Application, path: string) => `/console/api/functions/admin/applications/${appKey}/users/joe${path}`
const statusOfMcp = async (token: string) => (await sendMessage(onward.url, { authorization: `Bearer ${token}` }, LIST)).status

async function makeAtConsole(application: Application, role: MemberRole = 'owner'): Promise<{ id: string; token: string; role: string }> {
  const sent = request(onward.url).post(pathOf(application, '/mcp/tokens'))
  return (await sent.set(await personHeaders(role, 'person', application.appKey)).send({ mode: 'direct' })).body
}

/** A credential: a function that returns the status of a request with it, 200 if it works, and how it is revoked and expires. */
type Made = { use(): Promise<number>; revoke?(): Promise<unknown>; expire?(): Promise<unknown> }

const mcpToken = ({ appKey }: Application, { id, token }: { readonly id: string; readonly token: string }): Made => ({
  use: () => statusOfMcp(token),
  revoke: () => onward.admin('delete', `/admin/applications/${appKey}/mcp-tokens/${id}`).expect(200),
  expire: () => onward.db.updateTable('mcp_token').set({ expires_at: new Date() }).where('id', '=', id).execute(),
})

const expireLinks = ({ appKey }: Application) =>
  onward.db.updateTable('connect_link').set({ expires_at: new Date() }).where('app_key', '=', appKey).execute()

async function linkOf(application: Application, made: request.Test, body: object = { manage: true }): Promise<Made> {
  const { url } = (await made.send(body).expect(200)).body
  const browser = openBrowser()
  return { use: async () => (await browser.open(url)).status, expire: () => expireLinks(application) }
}

async function embedHeaders(appKey: string): Promise<{ authorization: string }> {
  const sessionId = sessionOf('page', appKey)
  return {
    authorization: `Bearer ${(await embeds.sign({ workspaceId: WORKSPACE, appKey, userId: 'joe', views: ['accounts'], sessionId })).token}`,
  }
}

/** Each credential of area A. */
const CREDENTIALS = {
  'the hash': async (application) => {
    const user = onward.user('joe', application)
    return { use: async () => (await user.post('/apps/list')).status }
  },
  'an MCP token made with the hash': async (application) => mcpToken(application, await createToken(onward.user('joe', application))),
  'an MCP token made at the console': async (application) => mcpToken(application, await makeAtConsole(application)),
  'a login_url': async (application) => {
    const { body } = await onward.user('joe', application).post('/apps/desk/get').expect(200)
    return { use: async () => (await request(body.login_url).get('').set({ accept: 'text/html' })).status }
  },
  'a link of a connect session made with the hash': (application) =>
    linkOf(application, onward.user('joe', application).post('/connect/session')),
  'a link of a connect session made at the console': async (application) => {
    const headers = await personHeaders('owner', 'person', application.appKey)
    return await linkOf(application, request(onward.url).post(pathOf(application, '/connect/session')).set(headers))
  },
  'an open page to connect an account': async (application) => {
    const browser = openBrowser()
    const page = await browser.open(await loginUrlOf(onward.user('joe', application), 'desk'))
    // The form is shown again, because it is empty.
    const use = async () => (actionOf(await browser.submit(page)) === actionOf(page) ? 200 : 410)
    const { appKey } = application
    return {
      use,
      expire: () => onward.db.updateTable('connect_session').set({ expires_at: new Date() }).where('app_key', '=', appKey).execute(),
    }
  },
  'the token of an embedded page': async ({ appKey }) => {
    const headers = await embedHeaders(appKey)
    return { use: async () => (await request(onward.url).get('/embed/api/functions/accounts').set(headers)).status }
  },
  'a link of an embedded page': async (application) =>
    linkOf(
      application,
      request(onward.url)
        .post('/embed/api/functions/connect')
        .set(await embedHeaders(application.appKey)),
      {},
    ),
  'a session of the console': (application) => atConsole(application, 'person'),
  'a personal token of the console': (application) => atConsole(application, 'token'),
} satisfies Record<string, (application: Application) => Promise<Made>>

async function atConsole(application: Application, kind: 'person' | 'token'): Promise<Made> {
  const headers = await personHeaders('owner', kind, application.appKey)
  return { use: async () => (await request(onward.url).post(pathOf(application, '/apps/list')).set(headers).send({})).status }
}

type Credential = keyof typeof CREDENTIALS

const rotate = async ({ appKey }: Application, hours: number) =>
  (await onward.admin('post', `/admin/applications/${appKey}/rotate-secret`, { keep_previous_hours: hours }).expect(200)).body

/** Sends what insights tells functions about ended rights, and waits until it is stored. */
async function publish(...messages: EndedRightsJob[]): Promise<void> {
  const { QUEUE_URL = '', QUEUE_PREFIX = '' } = onward.environment
  const queues = await openQueues(QUEUE_URL, QUEUE_PREFIX, openLog('test', 'silent'))
  const queue = queues.queue<EndedRightsJob>(ENDED_RIGHTS_QUEUE)
  for (const data of messages) {
    const id = randomUUID()
    await queue.add({ id, data })
    await eventually(async () => expect(await queue.state(id)).toBe('completed'))
  }
  await queues.close()
}

const loseRights = ({ appKey }: Application, role: MemberRole | null) =>
  publish({ id: personOf(appKey), rights: { version: 1, workspace_id: WORKSPACE, role } })

type All = readonly (readonly [Credential, Made])[]

const EVENTS = {
  'the secret is replaced with 0 hours': (application) => rotate(application, 0),
  'the secret is replaced with an overlap': (application) => rotate(application, 1),
  'the previous secret is deleted': async (application) => {
    await rotate(application, 1)
    await onward.admin('delete', `/admin/applications/${application.appKey}/previous-secret`).expect(200)
  },
  'the overlap ends': async (application) => {
    await rotate(application, 1)
    await onward.db.updateTable('application').set({ previous_valid_until: new Date() }).where('app_key', '=', application.appKey).execute()
  },
  'the application is deleted': ({ appKey }) => onward.admin('delete', `/admin/applications/${appKey}`).expect(200),
  'the person is removed': (application) => loseRights(application, null),
  'the person becomes a viewer': (application) => loseRights(application, 'viewer'),
  'the person becomes a developer': (application) => loseRights(application, 'developer'),
  'the session and the token of the person are ended': ({ appKey }) =>
    publish({ id: sessionOf('person', appKey) }, { id: sessionOf('token', appKey) }),
  'the embedded page is ended': ({ appKey }) => publish({ id: sessionOf('page', appKey) }),
  'it is revoked': async (_application, all) => {
    for (const [, { revoke }] of all) await revoke?.()
  },
  'it expires': async (_application, all) => {
    for (const [, { expire }] of all) await expire?.()
  },
} satisfies Record<string, (application: Application, all: All) => Promise<unknown>>

type Event = keyof typeof EVENTS

const names = Object.keys(CREDENTIALS) as Credential[]
const without = (...ended: readonly Credential[]) => names.filter((name) => !ended.includes(name))
const OF_THE_SECRET = ['the hash', 'an MCP token made with the hash'] as const
const OF_THE_CONSOLE = ['a session of the console', 'a personal token of the console'] as const
const MADE_AT_CONSOLE = ['an MCP token made at the console', 'a link of a connect session made at the console'] as const

/** Which credentials still work after each event. */
const TABLE: Record<Event, readonly Credential[]> = {
  'the secret is replaced with 0 hours': without(...OF_THE_SECRET),
  'the secret is replaced with an overlap': names,
  'the previous secret is deleted': without(...OF_THE_SECRET),
  'the overlap ends': without(...OF_THE_SECRET),
  'the application is deleted': [],
  'the person is removed': without(...MADE_AT_CONSOLE, ...OF_THE_CONSOLE),
  'the person becomes a viewer': without(...MADE_AT_CONSOLE, ...OF_THE_CONSOLE),
  // A developer may make links. The sessions get the lower role when they are renewed.
  'the person becomes a developer': without('an MCP token made at the console', ...OF_THE_CONSOLE),
  // What a person made does not end with the session in which it was made.
  'the session and the token of the person are ended': without(...OF_THE_CONSOLE),
  // The page can be read for 45 seconds.
  'the embedded page is ended': without('a link of an embedded page'),
  'it is revoked': [],
  'it expires': [],
}

const IN_INSIGHTS = 'insights ends it: the table there has it. Here it lasts 45 seconds'
const NO_ID = 'has no id to revoke it by: it lasts 10 minutes, and 30 once it was opened'

/** Why an event does not apply to a credential. */
const DOES_NOT_APPLY: { readonly [E in Event]?: { readonly [C in Credential]?: string } } = {
  'it is revoked': {
    'the hash': 'the secret is replaced',
    'a login_url': 'has no id to revoke it by: it lasts 30 minutes',
    'a link of a connect session made with the hash': NO_ID,
    'a link of a connect session made at the console': NO_ID,
    'a link of an embedded page': 'it ends with the page',
    'an open page to connect an account': 'it lasts 15 minutes, and works once',
    'the token of an embedded page': IN_INSIGHTS,
    'a session of the console': IN_INSIGHTS,
    'a personal token of the console': IN_INSIGHTS,
  },
  'it expires': {
    'the hash': 'the secret is valid until it is replaced',
    'a login_url': 'its time is sealed in it: connect-hostile.test.ts',
    'the token of an embedded page': 'its time is signed in it: embed-tokens.test.ts',
    'a session of the console': 'its time is signed in it: session-tokens.test.ts',
    'a personal token of the console': 'its time is signed in it: session-tokens.test.ts',
  },
}

describe.each(Object.keys(EVENTS) as Event[])('when %s', (event) => {
  let application: Application
  const made = new Map<Credential, Made>()
  beforeAll(async () => {
    application = await onward.makeApplication(`app-${Object.keys(EVENTS).indexOf(event)}-events`, WORKSPACE)
    for (const name of names) {
      const credential = await CREDENTIALS[name](application)
      expect([name, await credential.use()]).toEqual([name, 200])
      made.set(name, credential)
    }
    await EVENTS[event](application, [...made])
  })

  it.each(names.filter((name) => DOES_NOT_APPLY[event]?.[name] === undefined))('%s works or ends, as the table says', async (name) => {
    const works = TABLE[event].includes(name)
    // A request that exceeds a rate limit says nothing about the credential.
    await eventually(async () => expect(works ? [200] : [401, 403, 404, 410]).toContain(await made.get(name)?.use()))
  })

  it('the tokens that ended are not listed', async () => {
    const { status, body } = await onward.admin('get', `/admin/applications/${application.appKey}/mcp-tokens`)
    const roles = status === 200 ? body.tokens.map(({ role }: { role: string }) => role) : []
    expect(roles.includes('owner')).toBe(TABLE[event].includes('an MCP token made at the console'))
    expect(roles.includes('application')).toBe(TABLE[event].includes('an MCP token made with the hash'))
  })
})

describe('a token of an earlier version', () => {
  it('ends with the secret that was valid at the next rotation', async () => {
    const application = await onward.makeApplication('earlier', WORKSPACE)
    const { id, token } = await createToken(onward.user('joe', application))
    await onward.db.updateTable('mcp_token').set({ secret_digest: null }).where('id', '=', id).execute()
    expect(await statusOfMcp(token)).toBe(200)
    await rotate(application, 1)
    expect(await statusOfMcp(token)).toBe(200)
    await onward.admin('delete', '/admin/applications/earlier/previous-secret').expect(200)
    await eventually(async () => expect(await statusOfMcp(token)).toBe(401))
  })
})

describe('the MCP tokens of an application', () => {
  it('are listed and revoked for all users, by members of its workspace', async () => {
    const application = await onward.makeApplication('many', WORKSPACE)
    const other = await onward.makeApplication('others', 'another-workspace')
    const joe = await createToken(onward.user('joe', application), { name: 'first' })
    const eve = await createToken(onward.user('eve', application), { name: 'second' })
    const foreign = await createToken(onward.user('joe', other))
    const at = (appKey: string, rest = '') => `/console/api/functions/admin/applications/${appKey}/mcp-tokens${rest}`
    const list = async (rest: string) =>
      (
        await request(onward.url)
          .get(at('many', rest))
          .set(await personHeaders('viewer'))
      ).body
    const first = await list('?page_size=1')
    expect(first.tokens).toMatchObject([{ id: eve.id, user_id: 'eve', name: 'second', role: 'application' }])
    expect((await list(`?page_size=1&_cursor=${first._cursor}`)).tokens).toMatchObject([{ id: joe.id, user_id: 'joe' }])
    expect((await list('?user_id=joe')).tokens).toMatchObject([{ id: joe.id }])
    const revoke = async (role: MemberRole, appKey: string, id: string) =>
      (
        await request(onward.url)
          .delete(at(appKey, `/${id}`))
          .set(await personHeaders(role))
      ).status
    expect(await revoke('viewer', 'many', joe.id)).toBe(403)
    expect(await revoke('developer', 'many', foreign.id)).toBe(404)
    expect(await revoke('developer', 'others', foreign.id)).toBe(404)
    expect(await revoke('developer', 'many', joe.id)).toBe(200)
    expect([await statusOfMcp(joe.token), await statusOfMcp(eve.token), await statusOfMcp(foreign.token)]).toEqual([401, 200, 200])
  })

  it('cannot be created by a page, or by the access token of a program', async () => {
    const application = await onward.makeApplication('page', WORKSPACE, { allowed_origins: ['https://page.example'] })
    const headers = { 'App-Key': 'page', 'User-ID': 'joe', Hash: hashOf(application.secret, 'joe'), origin: 'https://page.example' }
    const { body } = await request(onward.url).post('/mcp/tokens').set(headers).send({ mode: 'search' }).expect(403)
    expect(body.code).toBe('origin_not_allowed')
    const program = request(onward.url).post(pathOf(application, '/mcp/tokens'))
    const refused = await program.set(await personHeaders('owner', 'token')).send({ mode: 'search' })
    expect([refused.status, refused.body.code]).toEqual([403, 'role_required'])
  })
})

describe('an MCP token made at the console', () => {
  const destroy = 'orchard-fell-tree'
  const UNKNOWN = 'there is no tool'
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: destroy, arguments: {} } }
  const responseOf = async (token: string, message: object) =>
    await (await sendMessage(onward.url, { authorization: `Bearer ${token}` }, message)).text()

  it('allows destructive functions if its maker is an owner, not if a developer', async () => {
    const application = await onward.makeApplication('roles', WORKSPACE)
    const account = { user_id: 'joe', app: 'orchard', credentials: { url: onward.third.url, token: 'orchard-token-0123' } }
    await onward.admin('post', '/admin/applications/roles/connected-accounts', account).expect(200)
    const developer = await makeAtConsole(application, 'developer')
    const owner = await makeAtConsole(application, 'owner')
    const own = await createToken(onward.user('joe', application))
    expect([developer.role, owner.role]).toEqual(['developer', 'owner'])
    for (const [{ token }, allowed] of [
      [developer, false],
      [owner, true],
      [own, true],
    ] as const) {
      expect((await responseOf(token, LIST)).includes(destroy)).toBe(allowed)
      expect((await responseOf(token, call)).includes(UNKNOWN)).toBe(!allowed)
    }
  })
})
