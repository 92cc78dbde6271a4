import type { MemberRole } from '@onward/contract'
import { openEmbedTokens, openSessionTokens } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import request from 'supertest'
import { createToken, sendMessage } from './mcp-support.ts'
import { ADMIN_TOKEN, hashOf, useFunctions } from './support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/learning-apps' } })
const sessions = openSessionTokens(ADMIN_TOKEN)
const embeds = openEmbedTokens(ADMIN_TOKEN)
const WORKSPACE = 'events'
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

type Application = { readonly appKey: string; readonly secret: string }

async function personHeaders(role: MemberRole, kind: 'person' | 'token' = 'person'): Promise<{ authorization: string }> {
  const claims = { sub: `person-${role}`, sid: 's', name: 'p@example.com', kind, operator: false, roles: { [WORKSPACE]: role } } as const
  return { authorization: `Bearer ${(await sessions.sign(claims)).token}` }
}

const door = ({ appKey }: Application, path: string) => `/console/api/functions/admin/applications/${appKey}/users/joe${path}`
const statusOfMcp = async (token: string) => (await sendMessage(onward.url, { authorization: `Bearer ${token}` }, LIST)).status

async function makeAtConsole(application: Application, role: MemberRole = 'owner'): Promise<{ id: string; token: string; role: string }> {
  const sent = request(onward.url).post(door(application, '/mcp/tokens'))
  return (await sent.set(await personHeaders(role)).send({ mode: 'direct' })).body
}

/** Each credential of area A: makes it, and returns a function that returns the status of a request with it. */
const CREDENTIALS: Record<string, (application: Application) => Promise<() => Promise<number>>> = {
  'the hash': async (application) => {
    const user = onward.user('joe', application)
    return async () => (await user.post('/apps/list')).status
  },
  'an MCP token made with the hash': async (application) => {
    const { token } = await createToken(onward.user('joe', application))
    return () => statusOfMcp(token)
  },
  'an MCP token made at the console': async (application) => {
    const { token } = await makeAtConsole(application)
    return () => statusOfMcp(token)
  },
  'a link to connect an account': async (application) => {
    const { body } = await onward.user('joe', application).post('/apps/desk/get').expect(200)
    return async () => (await request(body.login_url).get('').set({ accept: 'text/html' })).status
  },
  'the token of an embedded page': async ({ appKey }) => {
    const claims = { workspaceId: WORKSPACE, appKey, userId: 'joe', views: ['accounts'], sessionId: 'e' }
    const { token } = await embeds.sign(claims as never)
    return async () =>
      (
        await request(onward.url)
          .get('/embed/api/functions/accounts')
          .set({ authorization: `Bearer ${token}` })
      ).status
  },
  'a session of the console': async (application) => {
    const headers = await personHeaders('viewer')
    return async () => (await request(onward.url).post(door(application, '/apps/list')).set(headers).send({})).status
  },
}

const rotate = async ({ appKey }: Application, hours: number) =>
  (await onward.admin('post', `/admin/applications/${appKey}/rotate-secret`, { keep_previous_hours: hours }).expect(200)).body

const EVENTS: Record<string, (application: Application) => Promise<unknown>> = {
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
}

/** Which credentials still work after each event. */
const TABLE: Record<string, readonly string[]> = {
  'the secret is replaced with 0 hours': [
    'an MCP token made at the console',
    'a link to connect an account',
    'the token of an embedded page',
    'a session of the console',
  ],
  'the secret is replaced with an overlap': Object.keys(CREDENTIALS),
  'the previous secret is deleted': [
    'an MCP token made at the console',
    'a link to connect an account',
    'the token of an embedded page',
    'a session of the console',
  ],
  'the overlap ends': [
    'an MCP token made at the console',
    'a link to connect an account',
    'the token of an embedded page',
    'a session of the console',
  ],
  'the application is deleted': [],
}

describe.each(Object.entries(EVENTS))('when %s', (event, happen) => {
  let application: Application
  const uses: Record<string, () => Promise<number>> = {}
  beforeAll(async () => {
    application = await onward.makeApplication(`app-${Object.keys(EVENTS).indexOf(event)}-events`, WORKSPACE)
    for (const [name, make] of Object.entries(CREDENTIALS)) {
      const use = await make(application)
      expect([name, await use()]).toEqual([name, 200])
      uses[name] = use
    }
    await happen(application)
  })

  it.each(Object.keys(CREDENTIALS))('%s works or ends, as the table says', async (name) => {
    const works = TABLE[event]?.includes(name) === true
    await eventually(async () => expect([name, (await uses[name]?.()) === 200]).toEqual([name, works]))
  })

  it('the tokens that ended are not listed', async () => {
    const { status, body } = await onward.admin('get', `/admin/applications/${application.appKey}/mcp-tokens`)
    const roles = status === 200 ? body.tokens.map(({ role }: { role: string }) => role) : []
    const works = (name: string) => TABLE[event]?.includes(name) === true
    expect(roles.includes('owner')).toBe(works('an MCP token made at the console'))
    expect(roles.includes('application')).toBe(works('an MCP token made with the hash'))
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
    const program = request(onward.url).post(door(application, '/mcp/tokens'))
    const refused = await program.set(await personHeaders('owner', 'token')).send({ mode: 'search' })
    expect([refused.status, refused.body.code]).toEqual([403, 'role_required'])
  })
})

describe('an MCP token made at the console', () => {
  const destroy = 'orchard-fell-tree'
  const UNKNOWN = 'there is no tool'
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: destroy, arguments: {} } }
  const answerOf = async (token: string, message: object) =>
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
      expect((await answerOf(token, LIST)).includes(destroy)).toBe(allowed)
      expect((await answerOf(token, call)).includes(UNKNOWN)).toBe(!allowed)
    }
  })
})
