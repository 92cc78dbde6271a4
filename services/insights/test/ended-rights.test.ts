import { ENDED_RIGHTS_QUEUE, type EndedRightsJob } from '@onward/contract'
import { openLog, openQueues, type Queues } from '@onward/runtime'
import { eventually, openStoredQueues } from '@onward/testbed'
import request from 'supertest'
import { codeOf, useEmbedding } from './embedding.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)
const HEADERS: Record<string, string> = { 'x-onward-console': '1' }

/** What functions got, without repetitions. */
const received = new Map<string, EndedRightsJob>()
let queues: Queues
beforeAll(async () => {
  queues = await openQueues(insights.config.queueUrl, insights.config.queuePrefix, openLog('test', 'silent'))
})
afterAll(async () => await queues.close())

const messages = () => insights.db.selectFrom('ended_right').selectAll().execute()
const messagesOf = (id: string) => [...received.values()].filter((message) => message.id === id)

/** Takes messages as functions does. */
function receive(): void {
  queues.worker<EndedRightsJob>(ENDED_RIGHTS_QUEUE, async ({ id, data }) => void received.set(id, data), 1)
}

const members = () => `/admin/workspaces/${workspace.id}/members`
const add = async (email: string, role: string) => (await insights.admin.post(members(), { email, role }).expect(200)).body
const change = (id: string, role: string) =>
  request(insights.internalUrl)
    .patch(`${members()}/${id}`)
    .set('authorization', `Bearer ${insights.config.adminToken}`)
    .send({ role })
    .expect(200)

/** Signs in. Returns the headers of the browser, and the id of its session. */
async function signIn(url: string, before = HEADERS): Promise<{ readonly headers: Record<string, string>; readonly id: string }> {
  const agent = request(insights.url)
  const code = url.slice(url.indexOf('=') + 1)
  const redeemed = await agent.post('/console/api/insights/admin/session/redeem').set(before).send({ code }).expect(200)
  const cookies = redeemed.headers['set-cookie'] as unknown as string[]
  const headers = { ...HEADERS, cookie: cookies.map((each) => each.split(';')[0]).join('; ') }
  const { body } = await agent.get('/console/api/insights/admin/session').set(headers).expect(200)
  return { headers, id: body.session.id }
}

describe('the end of rights', () => {
  it('is published again until functions has stored it, also when the queue lost it', async () => {
    await add('owner@example.com', 'owner')
    const { person_id: id } = await add('member@example.com', 'viewer')
    await insights.admin.delete(`${members()}/${id}`).expect(200)
    const queue = queues.queue(ENDED_RIGHTS_QUEUE)
    const waiting = async () => (await queue.counts()).waiting
    await eventually(async () => expect(await waiting()).toBe(1))
    const { queueUrl: url, queuePrefix: prefix } = insights.config
    const stored = openStoredQueues({ url, prefix })
    await stored.lose(ENDED_RIGHTS_QUEUE)
    await eventually(async () => expect(await waiting()).toBe(1))
    await stored.close()
    expect(await messages()).toHaveLength(1)
    receive()
    await eventually(async () => expect(await messages()).toEqual([]))
    expect(messagesOf(id)).toEqual([{ id, rights: { version: 1, workspace_id: workspace.id, role: null } }])
  })

  it('is published for a lower role and for none, not for a higher one', async () => {
    await add('owner@example.com', 'owner')
    const { person_id: id } = await add('developer@example.com', 'developer')
    await change(id, 'owner')
    await change(id, 'owner')
    await change(id, 'developer')
    // An invitation is sent again with a lower role.
    await add('developer@example.com', 'viewer')
    await add('developer@example.com', 'developer')
    const roles = () => messagesOf(id).map(({ rights }) => [rights?.version, rights?.role])
    await eventually(() => expect(roles()).toHaveLength(2))
    expect(Object.fromEntries(roles())).toEqual({ 1: 'developer', 2: 'viewer' })
  })

  it('is published for a person who is no longer an operator, and for the members of a deleted workspace', async () => {
    const link = (email: string, operator: boolean) => insights.admin.post('/admin/sign-in-links', { email, operator }).expect(200)
    await link('was-operator@example.com', true)
    await link('never-operator@example.com', false)
    await link('never-operator@example.com', false)
    await link('was-operator@example.com', false)
    const idOf = async (email: string) =>
      (await insights.db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
    const { person_id: id } = await add('last@example.com', 'owner')
    await insights.admin.delete(`/admin/applications/${workspace.appKey}`).expect(200)
    await insights.admin.delete(`/admin/workspaces/${workspace.id}`).expect(200)
    const operator = await idOf('was-operator@example.com')
    const rights = { version: 1, workspace_id: null, role: null }
    await eventually(() => {
      expect(messagesOf(operator)).toEqual([{ id: operator, rights }])
      expect(messagesOf(id)).toEqual([{ id, rights: { ...rights, workspace_id: workspace.id } }])
    })
    await eventually(async () => expect(await messages()).toEqual([]))
    expect(messagesOf(await idOf('never-operator@example.com'))).toEqual([])
  })

  it('is published for each session that is ended, replaced, or signed out', async () => {
    const link = async () =>
      (await insights.admin.post('/admin/sign-in-links', { email: 'op@example.com', operator: true }).expect(200)).body.url
    const send = (method: 'post' | 'delete', path: string, headers: Record<string, string>) =>
      request(insights.url)[method](`/console/api/insights${path}`).set(headers).send({}).expect(200)
    const replaced = await signIn(await link())
    const ended = await signIn(await link(), replaced.headers)
    const signedOut = await signIn(await link())
    await send('delete', `/admin/sessions/${ended.id}`, signedOut.headers)
    await send('post', '/admin/session/sign-out', signedOut.headers)
    await eventually(() => {
      for (const { id } of [replaced, ended, signedOut]) expect(messagesOf(id)).toEqual([{ id }])
    })
  })

  it('is published for the sessions of embedded pages that can have links to connect accounts', async () => {
    const { create, redeem, end, endMany } = useEmbedding(insights, workspace)
    const views = ['accounts']
    async function redeemed({ session_id: id, url }: { session_id: string; url: string }): Promise<string> {
      await redeem(id, codeOf(url)).expect(200)
      return id
    }
    const open = async (body: object = {}) => await redeemed((await create({ views, ...body }).expect(200)).body)
    const ended = { alone: await open(), ofUser: await open({ user_id: 'ann' }), ofAll: await open({ user_id: 'bob' }) }
    const others = [await open({ user_id: 'ann', views: ['usage'] }), (await create({ views, user_id: 'ann' }).expect(200)).body.session_id]
    await end(ended.alone).expect(200)
    await endMany({ user_id: 'ann' }).expect(200)
    await endMany({ all: true }).expect(200)

    await add('owner@example.com', 'owner')
    const developer = await add('maker@example.com', 'developer')
    const { headers } = await signIn(developer.sign_in_url)
    const atConsole = async () => {
      const path = `/console/api/insights/admin/workspaces/${workspace.id}/partners/api/insights/embed-sessions?app_key=${workspace.appKey}`
      return await redeemed((await request(insights.url).post(path).set(headers).send({ user_id: 'joe', views }).expect(200)).body)
    }
    const [demoted, withKey] = [await atConsole(), await open()]
    await change(developer.person_id, 'viewer')
    const keysPath = `/admin/workspaces/${workspace.id}`
    const [key] = (await insights.admin.get(keysPath).expect(200)).body.keys
    await insights.admin.post(`${keysPath}/rotate-key`, { key_id: key.id, keep_previous_hours: 0 }).expect(200)
    await eventually(() => {
      for (const id of [...Object.values(ended), demoted, withKey]) expect(messagesOf(id)).toContainEqual({ id })
    })
    expect(others.flatMap(messagesOf)).toEqual([])
  })

  it('is published for the sessions of embedded pages whose key is revoked', async () => {
    const made = await insights.admin
      .post(`/admin/workspaces/${workspace.id}/keys`, { name: 'second', scopes: ['embed', 'accounts'] })
      .expect(200)
    const { key, partner_api_key: apiKey } = made.body
    const path = `/partners/api/insights/embed-sessions?app_key=${workspace.appKey}`
    const sent = request(insights.url).post(path).set('api-key', apiKey)
    const { session_id: id, url } = (await sent.send({ user_id: 'joe', views: ['accounts'] }).expect(200)).body
    await useEmbedding(insights, workspace).redeem(id, codeOf(url)).expect(200)
    await insights.admin.delete(`/admin/workspaces/${workspace.id}/keys/${key.id}`).expect(200)
    await eventually(() => expect(messagesOf(id)).toEqual([{ id }]))
  })
})
