import { openAssignmentTokens } from '@onward/access'
import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { ADMIN_TOKEN, useFunctions } from '../support/support.ts'

const onward = useFunctions()

describe('the admin API', () => {
  const endpoints: ['get' | 'put' | 'post' | 'delete', string][] = [
    ['get', '/admin/applications'],
    ['put', '/admin/applications/app-x'],
    ['post', '/admin/applications/app-1/rotate-secret'],
    ['post', '/admin/applications/app-1/connected-accounts'],
    ['get', '/admin/applications/app-1/connected-accounts'],
    ['delete', '/admin/applications/app-1/connected-accounts/1'],
    ['delete', '/admin/applications/app-1'],
    ['delete', '/admin/applications/app-1/past-prompts'],
    ['get', '/admin/calls'],
    ['get', '/admin/nowhere'],
  ]

  it.each(endpoints)('answers 401 to %s %s without the admin token', async (method, path) => {
    const wrong = [undefined, '', 'Bearer', 'Bearer ', `Bearer ${ADMIN_TOKEN}x`, ADMIN_TOKEN, `Basic ${ADMIN_TOKEN}`]
    for (const authorization of wrong) {
      const sent = request(onward.internalUrl)[method](path).set('content-type', 'application/json')
      const { body } = await (authorization === undefined ? sent : sent.set('authorization', authorization)).expect(401)
      expect(body).toEqual({
        error: 'send the admin token as Authorization: Bearer',
        error_details: [],
        code: 'unauthenticated',
        request_id: expect.any(String),
      })
    }
  })

  it('does not accept the token as a query parameter, nor the credentials of an application', async () => {
    await request(onward.internalUrl).get(`/admin/applications?token=${ADMIN_TOKEN}`).expect(401)
    await request(onward.internalUrl).get('/admin/applications').set(onward.user('joe').headers).expect(401)
  })

  it('answers 404 for an unknown path, and 405 for an unknown method', async () => {
    expect((await onward.admin('get', '/admin/nowhere').expect(404)).body.code).toBe('not_found')
    const { body, headers } = await onward.admin('post', '/admin/applications/app-1').expect(405)
    expect([body.code, headers.allow]).toEqual(['method_not_allowed', 'PUT, DELETE'])
  })
})

describe('PUT /admin/applications/:app_key', () => {
  const put = (appKey: string, body: object) => onward.admin('put', `/admin/applications/${appKey}`, body)

  it('creates an application and returns its secret only once', async () => {
    const { body } = await put('made', { workspace_id: 'w1', name: 'Made' }).expect(200)
    expect(body).toEqual({
      app_key: 'made',
      workspace_id: 'w1',
      name: 'Made',
      confirm_accounts: true,
      created: true,
      assignment: expect.any(String),
      app_secret: expect.stringMatching(/^onw_sk_[A-Za-z0-9]{49}$/),
    })
    await onward.user('joe', { appKey: 'made', secret: body.app_secret }).post('/apps/list').expect(200)
    const again = await put('made', { workspace_id: 'w1', name: 'Made' }).expect(200)
    const { app_secret, ...shown } = body
    expect(again.body).toEqual({ ...shown, created: false, assignment: expect.any(String) })
    expect(await openAssignmentTokens(ADMIN_TOKEN).verify(again.body.assignment)).toEqual({ appKey: 'made', workspaceId: 'w1' })
    const listed = await onward.admin('get', '/admin/applications').expect(200)
    expect(JSON.stringify(listed.body)).not.toContain(body.app_secret)
  })

  it.each<[object, boolean]>([
    [{}, true],
    [{ client_profile: 'standard' }, true],
    [{ client_profile: 'published' }, false],
    [{ confirm_accounts: false }, false],
    [{ client_profile: 'published', confirm_accounts: true }, true],
  ])('creates an application with %j, so that accounts must be confirmed: %j', async (settings, expected) => {
    const appKey = `confirming-${Object.values(settings).join('-')}`
    const body = { workspace_id: 'w-confirming', name: 'Confirming' }
    expect((await put(appKey, { ...body, ...settings }).expect(200)).body.confirm_accounts).toBe(expected)
    const listed = await onward.admin('get', '/admin/applications?workspace_id=w-confirming').expect(200)
    expect(listed.body.applications).toContainEqual(expect.objectContaining({ app_key: appKey, confirm_accounts: expected }))
    for (const client_profile of ['published', 'standard']) {
      expect((await put(appKey, { ...body, client_profile }).expect(200)).body.confirm_accounts).toBe(expected)
    }
  })

  it('keeps the value of an application that existed before', async () => {
    const body = { workspace_id: 'w-confirming', name: 'Earlier' }
    await put('earlier', body).expect(200)
    await onward.db.updateTable('application').set({ confirm_accounts: false }).where('app_key', '=', 'earlier').execute()
    expect((await put('earlier', body).expect(200)).body).toMatchObject({ created: false, confirm_accounts: false })
  })

  it('keeps the secret when it renames an application', async () => {
    const made = await onward.makeApplication('renamed', 'w1')
    await put('renamed', { workspace_id: 'w1', name: 'Other' }).expect(200)
    await onward.user('joe', made).post('/apps/list').expect(200)
    const { body } = await onward.admin('get', '/admin/applications?workspace_id=w1').expect(200)
    expect(body.applications).toContainEqual({
      app_key: 'renamed',
      workspace_id: 'w1',
      name: 'Other',
      allowed_origins: [],
      allowed_redirects: [],
      learn_from_use: true,
      share_learning: false,
      use_model: true,
      connect_pages: {},
      confirm_accounts: false,
      client_profile: 'standard',
      rate_limit: 60_000,
      user_rate_limit: 1_200,
      predict_rate_limit: 6_000,
      user_predict_rate_limit: 120,
      created_at: expect.any(String),
      previous_secret_valid_until: null,
      masked_secret: expect.stringMatching(/^onw_sk_…\w{4}$/),
      masked_previous_secret: null,
    })
  })

  it('records the values that it replaced, and only those', async () => {
    await put('audited', { workspace_id: 'w1', name: 'Before' }).expect(200)
    await put('audited', { workspace_id: 'w1', name: 'After', user_rate_limit: 5 }).expect(200)
    const { body } = await onward.admin('get', '/admin/audit?action=application.change&page_size=2').expect(200)
    expect(body.entries).toMatchObject([
      { before: { workspace_id: 'w1', name: 'Before', user_rate_limit: 1_200 }, after: { name: 'After', user_rate_limit: 5 } },
      { before: null, after: { workspace_id: 'w1', name: 'Before' } },
    ])
    expect(body.entries[0].before).not.toHaveProperty('client_profile')
    await put('audited', { workspace_id: 'w1', name: 'After', share_learning: true }).expect(200)
    const shared = await onward.admin('get', '/admin/audit?action=application.change&page_size=1').expect(200)
    expect(shared.body.entries).toMatchObject([{ before: { share_learning: false }, after: { share_learning: true } }])
  })

  it('creates one application when ten requests arrive together', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => put('raced', { workspace_id: 'w1', name: 'Raced' }).expect(200)))
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
  })

  it('creates at most 1,000 in a workspace, with those that were deleted in the last 24 hours', async () => {
    await sql`
      insert into application (app_key, workspace_id, name, sealed_secret, deleted_at)
      select 'many-' || n, 'w-many', 'Many', '', case when n % 2 = 0 then now() - interval '23 hours' end
      from generate_series(1, 998) n`.execute(onward.db)
    const create = (n: number) => put(`more-${n}`, { workspace_id: 'w-many', name: 'More' })
    const statuses = (await Promise.all(Array.from({ length: 10 }, (_, n) => create(n)))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 200, ...Array(8).fill(409)])
    expect((await create(99)).body.code).toBe('too_many_applications')
    await put('many-1', { workspace_id: 'w-many', name: 'Renamed' }).expect(200)
    await put('elsewhere', { workspace_id: 'w-few', name: 'Few' }).expect(200)
    await sql`update application set deleted_at = now() - interval '25 hours' where app_key = 'many-2'`.execute(onward.db)
    await create(99).expect(200)
  })

  it('refuses to take over an application of another workspace with 409', async () => {
    await put('owned', { workspace_id: 'w1', name: 'Owned' }).expect(200)
    const { body } = await put('owned', { workspace_id: 'w2', name: 'Stolen' }).expect(409)
    expect(body).toEqual({
      error: 'this App-Key belongs to another workspace',
      error_details: [],
      code: 'belongs_to_other_workspace',
      request_id: expect.any(String),
    })
    const listed = await onward.admin('get', '/admin/applications?workspace_id=w2').expect(200)
    expect(listed.body).toEqual({ applications: [] })
  })

  it.each<[string, object, RegExp]>([
    ['ok', {}, /^workspace_id: is required/],
    ['ok', { workspace_id: 'w1' }, /^name: is required/],
    ['ok', { workspace_id: 'w1', name: '' }, /^name: must not be empty/],
    ['ok', { workspace_id: 'w1', name: 5 }, /^name: must be text/],
    ['ok', { workspace_id: 'w1', name: 'a\u0000' }, /^name: /],
    ['ok', { workspace_id: 'w 1', name: 'a' }, /^workspace_id: /],
    ['ok', { workspace_id: 'w1', name: 'a', app_secret: 'mine' }, /^app_secret: is not known here/],
    ['with%20blank', { workspace_id: 'w1', name: 'a' }, /^app_key: /],
    ['nul%00', { workspace_id: 'w1', name: 'a' }, /^app_key: /],
    ['a'.repeat(101), { workspace_id: 'w1', name: 'a' }, /^app_key: /],
    ['-', { workspace_id: 'w1', name: 'a' }, /^app_key: /],
  ])('refuses the App-Key %s with the body %j', async (appKey, sent, problem) => {
    const { body } = await put(appKey, sent).expect(400)
    expect(body.code).toBe('invalid_parameters')
    expect(body.error_details.some((detail: string) => problem.test(detail))).toBe(true)
  })
})

describe('DELETE /admin/applications/:app_key/previous-secret', () => {
  it('makes only the previous secret invalid, at once', async () => {
    const old = await onward.makeApplication('overlap', 'w-overlap')
    const { body } = await onward.admin('post', '/admin/applications/overlap/rotate-secret').expect(200)
    const shown = async () => (await onward.admin('get', '/admin/applications?workspace_id=w-overlap').expect(200)).body.applications[0]
    const validUntil = async () => (await shown()).previous_secret_valid_until
    const masked = ({ app_secret: secret }: { app_secret: string }) => `onw_sk_…${secret.slice(-4)}`
    expect(await shown()).toMatchObject({
      masked_secret: masked(body),
      masked_previous_secret: masked({ app_secret: old.secret }),
    })
    expect(await validUntil()).toBe(body.previous_valid_until)
    await onward.user('joe', old).post('/apps/list').expect(200)
    await onward.admin('delete', '/admin/applications/overlap/previous-secret').expect(200, { success: true })
    await onward.user('joe', old).post('/apps/list').expect(401)
    await onward.user('joe', { appKey: 'overlap', secret: body.app_secret }).post('/apps/list').expect(200)
    expect(await validUntil()).toBeNull()
    expect((await shown()).masked_previous_secret).toBeNull()
    await onward.admin('delete', '/admin/applications/overlap/previous-secret').expect(200)
    await onward.admin('delete', '/admin/applications/nobody/previous-secret').expect(404)
  })
})

describe('POST /admin/applications/:app_key/rotate-secret', () => {
  const rotate = (appKey: string, body?: object) => onward.admin('post', `/admin/applications/${appKey}/rotate-secret`, body)
  const status = async (appKey: string, secret: string) => (await onward.user('joe', { appKey, secret }).post('/apps/list')).status

  it('creates a new secret, and accepts both secrets until the old one expires', async () => {
    const old = await onward.makeApplication('rotated')
    const { body } = await rotate('rotated').expect(200)
    expect(body).toEqual({ app_key: 'rotated', app_secret: expect.stringMatching(/^onw_sk_/), previous_valid_until: expect.any(String) })
    expect(Date.parse(body.previous_valid_until) - Date.now()).toBeGreaterThan(23 * 3_600_000)
    expect(body.app_secret).not.toBe(old.secret)
    expect(await status('rotated', old.secret)).toBe(200)
    expect(await status('rotated', body.app_secret)).toBe(200)
    await onward.db
      .updateTable('application')
      .set({ previous_valid_until: new Date(Date.now() - 1_000) })
      .where('app_key', '=', 'rotated')
      .execute()
    // The process learns of this change by a notification.
    await eventually(async () => expect(await status('rotated', old.secret)).toBe(401))
    expect(await status('rotated', body.app_secret)).toBe(200)
  })

  it('revokes the old secret at once when keep_previous_hours is 0', async () => {
    const old = await onward.makeApplication('leaked')
    const { body } = await rotate('leaked', { keep_previous_hours: 0 }).expect(200)
    expect(await status('leaked', old.secret)).toBe(401)
    expect(await status('leaked', body.app_secret)).toBe(200)
  })

  it('accepts at most two secrets at a time', async () => {
    const first = await onward.makeApplication('twice')
    const second = (await rotate('twice').expect(200)).body.app_secret
    const third = (await rotate('twice', { keep_previous_hours: 0.5 }).expect(200)).body.app_secret
    expect(await Promise.all([first.secret, second, third].map((secret) => status('twice', secret)))).toEqual([401, 200, 200])
  })

  it.each([[{ keep_previous_hours: -1 }], [{ keep_previous_hours: 169 }], [{ keep_previous_hours: '1' }], [{ hours: 1 }]])(
    'refuses %j with 400',
    async (sent) => {
      expect((await rotate('app-1', sent).expect(400)).body.code).toBe('invalid_parameters')
    },
  )

  it('answers 404 for an unknown application and 400 for an invalid App-Key', async () => {
    expect((await rotate('nobody').expect(404)).body.code).toBe('application_not_found')
    expect((await rotate('nul%00').expect(400)).body.code).toBe('invalid_parameters')
  })
})

describe('DELETE /admin/applications/:app_key', () => {
  const remove = (appKey: string) => onward.admin('delete', `/admin/applications/${appKey}`)
  const rowsOf = async (table: 'connected_account' | 'oauth_client' | 'idempotency_record' | 'call_log', appKey: string) =>
    (await onward.db.selectFrom(table).select('app_key').where('app_key', '=', appKey).execute()).length

  it('deletes the accounts and OAuth clients, keeps the calls log, and refuses requests at once', async () => {
    const doomed = await onward.makeApplication('doomed')
    const kept = await onward.makeApplication('kept')
    onward.third.respond((_received, response) => sendJson(response, 201, {}))
    for (const application of [doomed, kept]) {
      const user = onward.user('joe', application)
      await user.connect('desk')
      await user.post('/mcp/tokens', { mode: 'direct' }).expect(200)
      await onward.db
        .insertInto('oauth_client')
        .values({ app_key: application.appKey, app: 'desk', client_id: 'c', sealed_client_secret: Buffer.alloc(1) })
        .execute()
      await user.call('desk-create-ticket', { subject: 'Printer' }).set('Idempotency-Key', 'k').expect(200)
    }
    expect((await remove('doomed').expect(200)).body).toEqual({
      app_key: 'doomed',
      deleted: {
        mcp_client: 0,
        mcp_sign_in_setting: 0,
        mcp_sign_in: 0,
        mcp_authorization: 0,
        mcp_token: 1,
        connect_session: 0,
        connect_link: 0,
        pending_account: 0,
        connected_account: 1,
        oauth_client: 1,
        idempotency_record: 1,
        answer_quota: 2,
        approval: 0,
        body_quota: 1,
        suspension: 0,
      },
    })
    await onward.user('joe', doomed).post('/apps/list').expect(401)
    await onward.user('joe', kept).post('/apps/list').expect(200)
    const tables = ['connected_account', 'oauth_client', 'idempotency_record', 'call_log'] as const
    expect(await Promise.all(tables.map((table) => rowsOf(table, 'doomed')))).toEqual([0, 0, 0, 1])
    expect(await Promise.all(tables.map((table) => rowsOf(table, 'kept')))).toEqual([1, 1, 1, 1])
  })

  it('can be repeated, and reserves the App-Key', async () => {
    const old = await onward.makeApplication('gone', 'w1')
    await remove('gone').expect(200)
    expect((await remove('gone').expect(200)).body.deleted).toMatchObject({ connected_account: 0 })
    const again = await onward.admin('put', '/admin/applications/gone', { workspace_id: 'w1', name: 'Again' }).expect(409)
    expect(again.body.code).toBe('already_deleted')
    for (const [method, path, body] of [
      ['post', 'rotate-secret', { keep_previous_hours: 1 }],
      ['get', 'connected-accounts', undefined],
      ['get', 'oauth-clients', undefined],
    ] as const) {
      expect((await onward.admin(method, `/admin/applications/gone/${path}`, body).expect(404)).body.code).toBe('application_not_found')
    }
    const { applications } = (await onward.admin('get', '/admin/applications').expect(200)).body
    expect(applications.map(({ app_key }: { app_key: string }) => app_key)).not.toContain('gone')
    await onward.user('joe', old).post('/apps/list').expect(401)
  })

  it('answers 404 for an unknown application', async () => {
    expect((await remove('nobody').expect(404)).body.code).toBe('application_not_found')
  })
})
