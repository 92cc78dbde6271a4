import { randomUUID } from 'node:crypto'
import { openAssignmentTokens, openSessionTokens } from '@onward/access'
import { DEFAULT_RATE_LIMITS, ENDED_RIGHTS_QUEUE, type MemberRole, type PolicyRule, rateLimitNames } from '@onward/contract'
import { openLog, openQueues } from '@onward/runtime'
import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { ADMIN_TOKEN, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/learning-apps' } })
const tokens = openSessionTokens(ADMIN_TOKEN)

beforeAll(async () => {
  await onward.admin('put', '/admin/applications/ours', { workspace_id: 'own', name: 'Ours', client_profile: 'published' }).expect(200)
  await onward.admin('put', '/admin/applications/theirs', { workspace_id: 'other', name: 'Theirs' }).expect(200)
  const credentials = { url: onward.third.url, api_key: 'desk-key-0123456789' }
  await onward.admin('post', '/admin/applications/ours/connected-accounts', { user_id: 'joe', app: 'desk', credentials }).expect(200)
})

async function headersOf(role: MemberRole): Promise<Record<string, string>> {
  const claims = { sub: 'p', sid: 's', name: 'p@example.com', kind: 'person', operator: false, roles: { own: role } } as const
  return { authorization: `Bearer ${(await tokens.sign(claims)).token}` }
}

const as = async (role: MemberRole, method: 'get' | 'post' | 'put', path: string, body?: object) =>
  await request(onward.url)
    [method](`/console/api/functions${path}`)
    .set(await headersOf(role))
    .send(body)

const ofJoe = (appKey: string) => `/admin/applications/${appKey}/users/joe`

describe('the API of the console', () => {
  it('shows the applications of the own workspace', async () => {
    const { body } = await as('viewer', 'get', '/admin/applications?workspace_id=own')
    expect(body.applications.map(({ app_key }: { app_key: string }) => app_key)).toEqual(['ours'])
    expect((await as('viewer', 'get', '/admin/applications?workspace_id=other')).status).toBe(404)
    expect((await as('viewer', 'get', '/admin/applications')).status).toBe(403)
  })

  it('changes nothing of another workspace', async () => {
    const sent = { workspace_id: 'own', name: 'Taken' }
    const { body } = await as('owner', 'put', '/admin/applications/theirs', sent)
    expect([body.code, body.assignment]).toEqual(['application_not_found', undefined])
    expect((await as('owner', 'post', '/admin/applications/theirs/rotate-secret', {})).status).toBe(404)
  })
})

describe('an access token whose rights have ended', () => {
  it.each(['session', 'person'])('changes nothing: the %s', async (what) => {
    const ids = { person: `person-of-${what}`, session: `session-of-${what}` }
    const claims = { sub: ids.person, sid: ids.session, name: 'q@example.com', kind: 'person', operator: false } as const
    const holder = async () => (await tokens.sign({ ...claims, roles: { own: 'owner' } })).token
    const statusOf = async (method: 'get' | 'put', path: string, token: string) => {
      const sent = request(onward.url)[method](`/console/api/functions${path}`).set('authorization', `Bearer ${token}`)
      return (await sent.send({ workspace_id: 'own', name: 'Ours' })).status
    }
    const token = await holder()
    const change = (by: string) => statusOf('put', '/admin/applications/ours', by)
    expect(await change(token)).toBe(200)
    const made = request(onward.url)
      .post(`/console/api/functions${ofJoe('ours')}/mcp/tokens`)
      .set('authorization', `Bearer ${token}`)
    const { id } = (await made.send({ mode: 'search' })).body
    const { QUEUE_URL = '', QUEUE_PREFIX = '' } = onward.environment
    const queues = await openQueues(QUEUE_URL, QUEUE_PREFIX, openLog('test', 'silent'))
    const queue = queues.queue<unknown>(ENDED_RIGHTS_QUEUE)
    await queue.add({ data: { id: ids.session, at: 'yesterday' } })
    const rights = { version: 1, workspace_id: null, role: null }
    await queue.add({ data: what === 'person' ? { id: ids.person, rights } : { id: ids.session } })
    await eventually(async () => expect(await change(token)).toBe(401))
    const left = () => onward.db.selectFrom('mcp_token').select('id').where('id', '=', id).execute()
    await eventually(async () => expect(await left()).toHaveLength(what === 'person' ? 0 : 1))
    await queues.close()
    // Reading ends when the token expires.
    expect(await statusOf('get', '/admin/applications?workspace_id=own', token)).toBe(200)
    const renewed = { ...claims, ...(what === 'session' && { sid: 'another' }), rights_version: 1, roles: { own: 'owner' } } as const
    expect(await change((await tokens.sign(renewed)).token)).toBe(200)
  })
})

describe('the MCP tokens of a person', () => {
  const PERSON = 'maker'
  const made = (appKey: string, role: MemberRole, rights_version: number) => ({ appKey, role, rights_version })
  const TOKENS = {
    'by an owner': made('ours', 'owner', 1),
    'by a developer': made('ours', 'developer', 1),
    'by an owner of another workspace': made('theirs', 'owner', 1),
    'with newer rights': made('ours', 'owner', 2),
  }

  async function makeToken({ appKey, role, rights_version }: ReturnType<typeof made>): Promise<request.Response> {
    const { workspace_id = '' } = await onward.db
      .selectFrom('application')
      .select('workspace_id')
      .where('app_key', '=', appKey)
      .executeTakeFirstOrThrow()
    const claims = { sub: PERSON, sid: 's', name: 'q@example.com', kind: 'person', operator: false, rights_version } as const
    const { token } = await tokens.sign({ ...claims, roles: { [workspace_id ?? '']: role } })
    const sent = request(onward.url).post(`/console/api/functions${ofJoe(appKey)}/mcp/tokens`)
    return await sent.set('authorization', `Bearer ${token}`).send({ mode: 'search' })
  }

  async function publish(rights: object): Promise<void> {
    const { QUEUE_URL = '', QUEUE_PREFIX = '' } = onward.environment
    const queues = await openQueues(QUEUE_URL, QUEUE_PREFIX, openLog('test', 'silent'))
    const queue = queues.queue<unknown>(ENDED_RIGHTS_QUEUE)
    const id = randomUUID()
    await queue.add({ id, data: { id: PERSON, rights } })
    await eventually(async () => expect(await queue.state(id)).toBe('completed'))
    await queues.close()
  }

  const forget = () => onward.db.deleteFrom('ended_right').execute()
  beforeEach(async () => void (await forget()))

  it.each<[string, object, (keyof typeof TOKENS)[]]>([
    ['no longer a member', { workspace_id: 'own', role: null }, ['by an owner of another workspace', 'with newer rights']],
    ['a viewer', { workspace_id: 'own', role: 'viewer' }, ['by an owner of another workspace', 'with newer rights']],
    [
      'a developer',
      { workspace_id: 'own', role: 'developer' },
      ['by a developer', 'by an owner of another workspace', 'with newer rights'],
    ],
    ['no longer an operator', { workspace_id: null, role: null }, ['with newer rights']],
  ])('end with the rights that made them, if the person is %s', async (_now, rights, stay) => {
    const ids = new Map<string, string>()
    for (const [name, token] of Object.entries(TOKENS)) ids.set((await makeToken(token)).body.id, name)
    // The same message can come again.
    for (let i = 0; i < 2; i++) await publish({ version: 2, ...rights })
    const rows = await onward.db
      .selectFrom('mcp_token')
      .select('id')
      .where('id', 'in', [...ids.keys()])
      .execute()
    expect(new Set(rows.map(({ id }) => ids.get(id)))).toEqual(new Set(stay))
  })

  it('are not made with rights that end at the same time', async () => {
    const key = JSON.stringify(['mcp_token', 'ours', 'joe'])
    const count = async () => (await onward.db.selectFrom('mcp_token').select('id').execute()).length
    const before = await count()
    let making: Promise<request.Response> | undefined
    await onward.db.transaction().execute(async (tx) => {
      // The token is about to be inserted.
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
      making = makeToken(TOKENS['by an owner'])
      await eventually(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`.execute(onward.db)
        expect(rows).toHaveLength(1)
      })
      await publish({ version: 2, workspace_id: 'own', role: null })
    })
    const { status, body } = (await making) as request.Response
    expect([status, body.code, await count()]).toEqual([401, 'unauthenticated', before])
  })
})

describe('PUT /admin/applications/:app_key', () => {
  it('returns the assignment of an App-Key that the own workspace owns', async () => {
    const { body } = await as('developer', 'put', '/admin/applications/ours', { workspace_id: 'own', name: 'Ours' })
    expect(await openAssignmentTokens(ADMIN_TOKEN).verify(body.assignment)).toEqual({ appKey: 'ours', workspaceId: 'own' })
  })
})

describe('settings that protect an application', () => {
  const settings = { workspace_id: 'own', name: 'Ours' }
  const put = (role: MemberRole, change: object) => as(role, 'put', '/admin/applications/ours', { ...settings, ...change })

  it.each<[string, object, object]>([
    ['confirm_accounts', { confirm_accounts: true }, { confirm_accounts: false }],
    ['allowed_origins', { allowed_origins: [] }, { allowed_origins: ['https://app.example.com'] }],
    ['allowed_redirects', { allowed_redirects: [] }, { allowed_redirects: ['https://app.example.com/done'] }],
  ])('are weakened by owners only: %s', async (name, stronger, weaker) => {
    expect((await put('developer', stronger)).status).toBe(200)
    const { status, body } = await put('developer', weaker)
    expect([status, body.code]).toEqual([403, 'role_required'])
    expect(body.error).toContain(name)
    expect((await put('owner', weaker)).status).toBe(200)
    // What is there already is not added.
    expect((await put('developer', { ...weaker, learn_from_use: true, ...('confirm_accounts' in weaker && stronger) })).status).toBe(200)
    expect((await put('developer', stronger)).status).toBe(200)
  })

  it('are weakened by owners only, also while they are created', async () => {
    const weak = { allowed_origins: ['https://app.example.com'] }
    let racing: Promise<request.Response> | undefined
    await onward.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('application')
        .values({ app_key: 'raced', workspace_id: 'own', name: 'Raced', sealed_secret: Buffer.alloc(1) })
        .execute()
      racing = as('developer', 'put', '/admin/applications/raced', { ...settings, ...weak })
      racing.catch(() => {})
      await eventually(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`.execute(onward.db)
        expect(rows).toHaveLength(1)
      })
    })
    expect((await racing)?.body.code).toBe('role_required')
  })

  it('include the rate limits, which only operators raise further', async () => {
    const limited = (role: MemberRole, change: object) => as(role, 'put', '/admin/applications/limited', { ...settings, ...change })
    expect((await limited('developer', { user_rate_limit: 600 })).status).toBe(200)
    expect((await limited('developer', { user_rate_limit: 1_200 })).status).toBe(200)
    for (const name of rateLimitNames) {
      const { status, body } = await limited('owner', { [name]: DEFAULT_RATE_LIMITS[name] + 1 })
      expect([status, body.code]).toEqual([403, 'role_required'])
      expect(body.error).toContain(name)
    }
    expect((await as('owner', 'put', '/admin/applications/fresh', { ...settings, rate_limit: 60_001 })).status).toBe(403)
    await onward.admin('put', '/admin/applications/limited', { ...settings, user_rate_limit: 2_400 }).expect(200)
    expect((await limited('developer', { user_rate_limit: 2_400, name: 'Renamed' })).status).toBe(200)
    expect((await limited('developer', { user_rate_limit: 2_401 })).status).toBe(403)
    expect((await limited('developer', { user_rate_limit: 2_000 })).status).toBe(200)
    expect((await limited('developer', { user_rate_limit: 2_400 })).status).toBe(403)
  })

  it('include the secret, which only owners rotate', async () => {
    await onward.admin('put', '/admin/applications/rotated', { workspace_id: 'own', name: 'Rotated' }).expect(200)
    expect((await as('developer', 'post', '/admin/applications/rotated/rotate-secret', {})).body.code).toBe('role_required')
    expect((await as('owner', 'post', '/admin/applications/rotated/rotate-secret', {})).status).toBe(200)
  })
})

describe('the endpoints of area A in the admin API', () => {
  it('answer as a user of the own application, and log calls as those of the console', async () => {
    const { body } = await as('viewer', 'post', `${ofJoe('ours')}/connected-accounts/list`, {})
    expect(body.connected_accounts).toMatchObject([{ app: 'desk' }])
    onward.third.respond((_received, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
    const { functions } = (await as('viewer', 'post', `${ofJoe('ours')}/functions/list`, { apps: ['desk'] })).body
    expect(functions).toContainEqual(expect.objectContaining({ name: 'desk-list-labels' }))
    expect((await as('developer', 'post', `${ofJoe('ours')}/functions/desk-list-labels/call`, {})).status).toBe(200)
    const { body: log } = await as('viewer', 'post', `${ofJoe('ours')}/calls/list`, {})
    expect(log.calls).toMatchObject([{ via: 'console' }])
    const [{ id: call_id }] = log.calls
    for (let n = 0; n < 3; n++) expect((await as('viewer', 'post', `${ofJoe('ours')}/calls/${call_id}/get`, {})).status).toBe(200)
    expect((await as('viewer', 'get', `/admin/calls/${call_id}?workspace_id=own`)).status).toBe(200)
    const { entries } = (await onward.admin('get', '/admin/audit?workspace_id=own&action=call.read')).body
    const target = { app_key: 'ours', user_id: 'joe', call_id }
    const targets = entries.map((entry: { target: object }) => entry.target)
    expect(targets).toEqual(expect.arrayContaining([target, { call_id }]))
    expect(targets.length).toBeLessThan(4)
  })

  it('answer 404 for an application of another workspace, a deleted one, and an unknown one', async () => {
    await onward.admin('put', '/admin/applications/gone', { workspace_id: 'own', name: 'Gone' }).expect(200)
    await onward.admin('delete', '/admin/applications/gone').expect(200)
    for (const appKey of ['theirs', 'gone', 'unknown']) {
      const { status, body } = await as('owner', 'post', `${ofJoe(appKey)}/functions/list`, {})
      expect([appKey, status, body.code]).toEqual([appKey, 404, 'application_not_found'])
    }
  })

  it('call functions for developers, and destructive ones for owners only', async () => {
    const call = (role: MemberRole, name: string) => as(role, 'post', `${ofJoe('ours')}/functions/${name}/call`, {})
    expect((await call('viewer', 'orchard-fell-tree')).body.code).toBe('role_required')
    expect((await call('developer', 'orchard-fell-tree')).body.code).toBe('role_required')
    expect((await call('owner', 'orchard-fell-tree')).body.code).not.toBe('role_required')
  })

  it('call functions as the rules for calls of the console say', async () => {
    const CREATE = 'desk-create-ticket'
    const putRules = (...rules: PolicyRule[]) => onward.admin('put', '/admin/applications/ours/policy', { rules }).expect(200)
    const call = async (args: object = { subject: 'a' }) =>
      (await as('developer', 'post', `${ofJoe('ours')}/functions/${CREATE}/call`, args)).body
    onward.third.respond((_received, response) => sendJson(response, 200, {}))
    onward.third.received.length = 0
    const rows = await onward.rows()

    await putRules({ functions: [CREATE], result: 'deny', via: ['console'], message: 'Not by hand.' })
    expect(await call()).toMatchObject({ code: 'denied_by_policy', error: 'Not by hand.' })
    const { functions } = (await as('viewer', 'post', `${ofJoe('ours')}/functions/list`, { apps: ['desk'] })).body
    expect(functions.map(({ name }: { name: string }) => name)).not.toContain(CREATE)
    const { entries } = (await onward.admin('get', '/admin/audit?action=function.call').expect(200)).body
    expect(entries[0]).toMatchObject({ code: 'denied_by_policy', target: { app_key: 'ours', function_name: CREATE, via: 'console' } })

    await putRules({ functions: [CREATE], lock: { priority: 1 }, result: 'ask' })
    expect(await call({ subject: 'a', priority: 2 })).toMatchObject({
      code: 'invalid_parameters',
      error_details: ['priority: is set by a rule; leave it out'],
    })
    const { code, approval_id: id } = await call()
    expect([code, await onward.rows(), onward.third.received]).toEqual(['approval_required', rows, []])
    // The approval shows the locked value, and holds for the console.
    const decided = await as('developer', 'post', `/admin/applications/ours/approvals/${id}/decide`, { result: 'approved' })
    expect([decided.status, JSON.parse(decided.body.request.body), decided.body.via]).toEqual([
      200,
      { subject: 'a', priority: 1 },
      'console',
    ])
    expect(await call()).toMatchObject({ network_code: 200 })
    expect((await call()).code).toBe('approval_required')
    expect(onward.third.received.map(({ body }) => JSON.parse(body))).toEqual([{ subject: 'a', priority: 1 }])

    await putRules({ functions: [CREATE], result: 'deny', via: ['api', 'mcp'] })
    expect(await call()).toMatchObject({ network_code: 200 })
    await putRules()
  })

  it('record who changed what', async () => {
    await as('developer', 'post', `${ofJoe('ours')}/connect/session`, { manage: true })
    const { body } = await onward.admin('get', '/admin/audit?workspace_id=own&action=connect-session.create')
    expect(body.entries).toMatchObject([{ actor: { name: 'p@example.com' }, outcome: 'done', target: { app_key: 'ours', user_id: 'joe' } }])
  })

  it.each<[MemberRole, boolean]>([
    ['viewer', false],
    ['developer', true],
    ['owner', true],
  ])('give a %s a link to connect an account, which the audit log has: %s, and no other link', async (role, given) => {
    const links: string[] = []
    const path = ofJoe('ours')
    for (const [at, body] of [
      ['/apps/list', {}],
      ['/apps/desk/get', {}],
      ['/functions/list?include=meta', {}],
      ['/functions/desk-list-labels/get?include=meta', {}],
      ['/functions/predict?include=meta', { prompt: 'list the labels' }],
    ] as const) {
      const { text } = await as(role, 'post', path + at, body)
      links.push(...[...text.matchAll(/"login_url":"([^"]*)"/g)].map(([, link = '']) => link))
    }
    expect(links.length).toBeGreaterThan(5)
    expect(new Set(links)).toEqual(new Set(['']))
    const { body } = await as(role, 'post', `${path.replace('joe', 'ann')}/functions/desk-list-labels/call`, {})
    expect([body.code, body.login_url]).toEqual([role === 'viewer' ? 'role_required' : 'account_not_connected', undefined])
    expect((await as(role, 'post', `${path}/connect/session`, { app: 'desk' })).status).toBe(given ? 200 : 403)
  })

  it('refuse a User-ID that no user can have', async () => {
    const { body } = await as('viewer', 'post', '/admin/applications/ours/users/a%0Ab/functions/list', {})
    expect(body.code).toBe('invalid_user_id')
  })
})
