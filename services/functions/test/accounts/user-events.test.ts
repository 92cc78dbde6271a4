import { USER_EVENT_QUEUE, type UserEvent, userEventJob } from '@onward/contract'
import { compileCheck, openLog, openQueues, type Queues } from '@onward/runtime'
import { eventually, openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import request from 'supertest'
import { insertEvent } from '../../src/db/events.ts'
import { appFile, inSeconds, type OAuthFunctions, openWithApps } from '../support/oauth-support.ts'

const TOKENS = { access_token: 'access-0123456789', refresh_token: 'refresh-0123456789', expires_at: inSeconds(-10) }

let server: ScriptedServer
let onward: OAuthFunctions
let queues: Queues
/** The jobs that insights would receive, by their ids. */
const jobs = new Map<string, readonly UserEvent[]>()

beforeAll(async () => {
  server = await openScriptedServer()
  const { url } = server
  const urls = { authorization_url: `${url}/auth`, token_url: `${url}/token` }
  const refused = { refused: { pointer: '/error', values: ['token_revoked'] }, identity: { function: 'get-me', name: '/name' } }
  onward = await openWithApps([appFile('oak', url, { type: 'oauth2', ...urls }), appFile('soft', url, { type: 'bearer' }, refused)])
  await onward.setClient('oak', 'id', 'client-secret-0123456789').expect(200)
  queues = await openQueues(onward.suite.queueUrl, onward.suite.queuePrefix, openLog('test', 'silent'))
  const check = compileCheck(userEventJob, 'strict')
  queues.worker<{ events: UserEvent[] }>(
    USER_EVENT_QUEUE,
    async ({ id, data }) => {
      expect(check(data)).toEqual([])
      jobs.set(id, data.events)
    },
    1,
  )
})
afterAll(async () => {
  await queues.close()
  await server.close()
})

const stored = () => onward.db.selectFrom('event_outbox').select('id').execute()

/** Returns the events of a user after all stored events were published and confirmed, oldest first. */
async function eventsOf(userId: string): Promise<UserEvent[]> {
  await eventually(async () => expect(await stored()).toEqual([]))
  const events = [...jobs].flatMap(([id, list]) => list.map((event) => ({ ...event, job: id })))
  for (const { id, job } of events) expect(id).toBe(job)
  const own = events.filter(({ user_id }) => user_id === userId)
  return own.toSorted((a, b) => a.occurred_at.localeCompare(b.occurred_at)).map(({ job: _, ...event }) => event)
}
const kindsOf = async (userId: string) => (await eventsOf(userId)).map(({ kind }) => kind)
const account = (id: number) => `/admin/applications/${onward.application.appKey}/connected-accounts/${id}`

describe('events of accounts', () => {
  it('are published when an account is connected and disconnected, without its credentials', async () => {
    const { body } = await onward.connect('ann', 'oak', TOKENS).expect(200)
    await request(onward.url).delete(`/connected-accounts/${body.id}`).set(onward.user('ann').headers).expect(200)
    const common = { id: expect.any(String), app_key: 'app-1', user_id: 'ann', data: { app: 'oak', connected_account_id: body.id } }
    expect(await eventsOf('ann')).toEqual([
      { ...common, kind: 'account_connected', occurred_at: expect.any(String) },
      { ...common, kind: 'account_disconnected', occurred_at: expect.any(String) },
    ])
    expect(JSON.stringify([...jobs.values()])).not.toContain('0123456789')
  })

  it('tell once that a renewal failed for good', async () => {
    server.respond((_received, response) => sendJson(response, 400, { error: 'invalid_grant' }))
    const { getMe, user } = await onward.userWith('oak', TOKENS)
    for (let i = 0; i < 3; i++) await getMe().expect(400)
    expect(await kindsOf(user.userId)).toEqual(['account_connected', 'account_reconnect_required'])
  })

  it('tell once that an app rejected the credentials for good, and that it accepts them again', async () => {
    server.respond((_received, response) => sendJson(response, 403, { error: 'token_revoked' }))
    const { getMe, id, user } = await onward.userWith('soft', { token: 'soft-token-0123456789' })
    await Promise.all([1, 2, 3].map(() => getMe()))
    await getMe().expect(400)
    server.respond((_received, response) => sendJson(response, 200, { name: 'Ada' }))
    await onward.admin('post', `${account(id)}/test`).expect(200)
    await getMe().expect(200)
    expect(await kindsOf(user.userId)).toEqual(['account_connected', 'account_reconnect_required', 'account_connected'])
  })

  it('are none when a token is renewed, cannot be renewed for now, or an account is renamed', async () => {
    server.respond((_received, response) => sendJson(response, 503, {}))
    const { getMe, id, user } = await onward.userWith('oak', TOKENS)
    await getMe()
    server.respond((_received, response) => sendJson(response, 200, { access_token: 'renewed-0123456789', token_type: 'bearer' }))
    await eventually(async () => getMe().expect(200))
    await request(onward.url).patch(`/connected-accounts/${id}`).set(user.headers).send({ display_name: 'Work' }).expect(200)
    expect(await kindsOf(user.userId)).toEqual(['account_connected'])
  })

  it('are published for each account of a deleted application', async () => {
    const other = await onward.makeApplication('app-2')
    for (const userId of ['bea', 'ben']) await onward.user(userId, other).connect('desk')
    await onward.admin('delete', '/admin/applications/app-2').expect(200)
    for (const userId of ['bea', 'ben']) expect(await kindsOf(userId)).toEqual(['account_connected', 'account_disconnected'])
  })
})

describe('insertEvent', () => {
  const approval = { approval_id: 'a-1', function_name: 'oak-add-note', app: 'oak' }
  const user = { appKey: 'app-1', userId: 'eve' }

  it('publishes an event when its transaction is committed, and none when it is rolled back', async () => {
    const requested = { ...approval, expires_at: '2026-01-01T00:00:00.000Z' }
    const rolledBack = onward.db.transaction().execute(async (tx) => {
      await insertEvent(tx, user, { kind: 'approval_requested', ...requested })
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    const decided = { ...approval, result: 'approved', decided_by: 'member' } as const
    await onward.db.transaction().execute((tx) => insertEvent(tx, user, { kind: 'approval_decided', ...decided }))
    expect(await eventsOf('eve')).toMatchObject([{ kind: 'approval_decided', data: decided }])
  })
})
