import { randomUUID } from 'node:crypto'
import { openEmbedTokens, openSessionTokens } from '@onward/access'
import { ENDED_RIGHTS_QUEUE } from '@onward/contract'
import { openLog, openQueues } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { ADMIN_TOKEN, useFunctions } from '../support/support.ts'

const onward = useFunctions()
const tokens = openEmbedTokens(ADMIN_TOKEN)
const holder = { sessionId: 's', workspaceId: 'workspace-1', appKey: 'app-1', userId: 'joe', views: ['accounts'] } as const

const bearer = async (change: object = {}) => `Bearer ${(await tokens.sign({ ...holder, ...change })).token}`
const list = async (change?: object) =>
  await request(onward.url)
    .get('/embed/api/functions/accounts')
    .set('authorization', await bearer(change))
const connect = async (body: object, change?: object) =>
  await request(onward.url)
    .post('/embed/api/functions/connect')
    .set('authorization', await bearer(change))
    .send(body)

let ids: { joe: number; ann: number; foreign: number }
beforeAll(async () => {
  const other = await onward.makeApplication('app-2', 'workspace-2')
  const [joe, ann, foreign] = [onward.user('joe'), onward.user('ann'), onward.user('joe', other)]
  ids = { joe: await joe.connect('desk'), ann: await ann.connect('desk'), foreign: await foreign.connect('desk') }
})

describe('GET /embed/api/functions/accounts', () => {
  it('lists the accounts of the own user in the own application', async () => {
    const { status, body, headers } = await list()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      application: 'app-1',
      accounts: [{ id: ids.joe, status: 'active', app_title: 'Desk', can_reconnect: true }],
    })
    expect(body.accounts).toHaveLength(1)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['ratelimit-policy']).toBe('"application";q=60000;w=60, "user";q=1200;w=60')
    expect((await list({ userId: 'nobody' })).body.accounts).toEqual([])
  })

  it('lists the newest 100 accounts, and says that there are more', async () => {
    const oldest = await onward.user('rich').connect('desk')
    expect((await list({ userId: 'rich' })).body).toMatchObject({ accounts: [{ id: oldest }], more: false })
    const { rows } = await sql<{ id: string }>`
      insert into connected_account (app_key, user_id, app, display_name, sealed_credentials)
      select app_key, user_id, app, display_name, sealed_credentials from connected_account, generate_series(1, 100) where id = ${oldest}
      returning id`.execute(onward.db)
    const others = rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
    const { body } = await list({ userId: 'rich' })
    expect(body.accounts.map(({ id }: { id: number }) => id)).toEqual(others.reverse())
    expect(body.more).toBe(true)
  })

  it('shows an account whose app no longer exists, which cannot be connected again', async () => {
    const id = await onward.user('max').connect('desk')
    await sql`update connected_account set app = 'gone' where id = ${id}`.execute(onward.db)
    expect((await list({ userId: 'max' })).body.accounts).toMatchObject([{ id, app_title: 'gone', app_icon: null, can_reconnect: false }])
  })

  it.each([
    ['without the view', { views: ['usage'] }, 401, 'unauthenticated'],
    ['for an unknown application', { appKey: 'unknown' }, 404, 'application_not_found'],
    ['of a workspace that does not own the application', { workspaceId: 'workspace-2' }, 404, 'application_not_found'],
    ['for a user that cannot exist', { userId: '..' }, 400, 'invalid_user_id'],
  ])('refuses a token %s', async (_what, change, status, code) => {
    for (const response of [await list(change), await connect({}, change)])
      expect([response.status, response.body.code]).toEqual([status, code])
  })

  it('refuses all other credentials', async () => {
    const claims = { sub: 'p', sid: 's', name: 'p@example.com', kind: 'person', operator: true, roles: {} } as const
    const { token } = await openSessionTokens(ADMIN_TOKEN).sign(claims)
    for (const headers of [
      {},
      onward.user('joe').headers,
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${ADMIN_TOKEN}` },
    ]) {
      const response = await request(onward.url).get('/embed/api/functions/accounts').set(headers).expect(401)
      expect(response.headers['ratelimit-policy']).toBe('"address";q=600;w=60')
    }
  })
})

describe('GET /embed/api/functions/look', () => {
  it('returns the accent, the theme and the limit URL of the application to every embedded page', async () => {
    const look = async () =>
      await request(onward.url)
        .get('/embed/api/functions/look')
        .set('authorization', await bearer({ views: ['usage'] }))
        .expect(200)
    expect((await look()).body).toEqual({ theme: 'reader' })
    const settings = {
      workspace_id: 'workspace-1',
      name: 'app-1',
      connect_pages: { accent: '#0f7b4f', theme: 'dark', limit_url: 'https://acme.example/plan' },
    }
    await onward.admin('put', '/admin/applications/app-1', settings).expect(200)
    expect((await look()).body).toEqual({ accent: '#0f7b4f', theme: 'dark', limit_url: 'https://acme.example/plan' })
    await request(onward.url).get('/embed/api/functions/look').expect(401)
  })
})

describe('POST /embed/api/functions/connect', () => {
  it('makes a link to the page of all accounts, to the page of all apps, or to the page that connects one again', async () => {
    const all = await connect({})
    const page = await request(all.body.url).get('').expect(200)
    expect(page.text).toContain('Your connected accounts')
    const { body: picking } = await connect({ pick: true })
    expect((await request(picking.url).get('').expect(200)).text).toContain('<h1>Connect an app</h1>')
    const again = await connect({ account_id: ids.joe })
    const { headers } = await request(again.body.url).get('').expect(303)
    const form = await request(String(headers.location)).get('').expect(200)
    expect(form.text).toContain('Desk')
  })

  it('makes no more links once the session has ended, and those that it made end', async () => {
    const [ended, other] = [{ sessionId: 'ended' }, { sessionId: 'other' }]
    const urls = { ended: (await connect({}, ended)).body.url, other: (await connect({}, other)).body.url }
    const { QUEUE_URL = '', QUEUE_PREFIX = '' } = onward.environment
    const queues = await openQueues(QUEUE_URL, QUEUE_PREFIX, openLog('test', 'silent'))
    await queues.queue<unknown>(ENDED_RIGHTS_QUEUE).add({ id: randomUUID(), data: { id: 'ended' } })
    await eventually(async () => expect((await connect({}, ended)).status).toBe(401))
    await eventually(async () => expect((await request(urls.ended).get('')).status).toBe(410))
    await queues.close()
    expect((await connect({}, other)).status).toBe(200)
    await request(urls.other).get('').expect(200)
  })

  it('does not know accounts of other users and applications', async () => {
    for (const account_id of [ids.ann, ids.foreign, 999_999]) {
      const { status, body } = await connect({ account_id })
      expect([status, body.code]).toEqual([404, 'connected_account_not_found'])
    }
  })
})

describe('the token of an embedded page', () => {
  it('works at no other endpoint', async () => {
    const authorization = await bearer()
    await request(onward.url).post('/connected-accounts/list').set({ authorization }).send({}).expect(401)
    await request(onward.url).delete(`/connected-accounts/${ids.joe}`).set({ authorization }).expect(401)
    await request(onward.url).post('/mcp').set({ authorization }).send({}).expect(401)
    await request(onward.url).get('/console/api/functions/admin/applications').set({ authorization }).expect(401)
    await request(onward.internalUrl).get('/admin/applications').set({ authorization }).expect(401)
    await request(onward.url).get('/embed/api/functions/other').set({ authorization }).expect(404)
  })
})
