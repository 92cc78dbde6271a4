import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  callFunction,
  connectAccount,
  createSubscription,
  decideApproval,
  disconnectAccount,
  listApprovals,
  putPolicy,
  setAllLimits,
  setUserLimits,
} from '@onward/contract'
import { adminClient, send } from '@onward/contract-client'
import { openPool } from '@onward/runtime'
import {
  ADMIN_TOKEN,
  eventually,
  type Link,
  openLink,
  openQueueSpace,
  openScriptedServer,
  type QueueSpace,
  type ScriptedServer,
  sendJson,
} from '@onward/testbed'
import { Webhook } from 'standardwebhooks'
import { APP_KEY, type Functions, openBothAreas, USER_ID } from './both-areas.ts'

/** The services connect to the queue again after pauses that grow. */
const LONG_MS = 60_000
jest.setTimeout(3 * LONG_MS)

const KINDS = [
  'account_connected',
  'account_disconnected',
  'account_reconnect_required',
  'approval_requested',
  'approval_decided',
  'limit_changed',
]

/** An app that says with an error that a token is no longer valid. */
const SOFT = {
  name: 'soft',
  title: 'Soft',
  description: 'The test app soft.',
  base_url: '{account.url}',
  auth: { type: 'bearer' },
  account_settings: { url: { title: 'Server URL', description: 'Where it runs.' } },
  refused: { pointer: '/error', values: ['token_revoked'] },
  functions: {
    'get-me': { title: 'Get me', description: 'Returns your profile.', type: 'QUERY', request: { method: 'GET', path: '/me' } },
  },
}

let folder: string
let space: QueueSpace
let link: Link
let areas: Awaited<ReturnType<typeof openBothAreas>>
let receiver: ScriptedServer
let secret: string
let pool: ReturnType<typeof openPool>

beforeAll(async () => {
  space = await openQueueSpace()
  link = await openLink(space.url)
  folder = await mkdtemp(join(tmpdir(), 'onward-apps-'))
  await writeFile(join(folder, 'soft.yaml'), JSON.stringify(SOFT))
  const env = { QUEUE_URL: link.url, QUEUE_PREFIX: space.prefix, APPS_PATH: folder, WEBHOOK_RETRY_DELAYS_MS: '50,50,50' }
  areas = await openBothAreas(2, env)
  receiver = await openScriptedServer()
  pool = openPool(areas.functionsDatabaseUrl, { max: 1 })
  // The account of the user was connected before.
  await isEmpty()
  const body = { events: KINDS, callback_url: receiver.url }
  secret = (await send(areas.partner, createSubscription, { body })).signing_secret
})
afterAll(async () => {
  await pool.end()
  await areas.close()
  await receiver.close()
  await link.close()
  await space.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  receiver.received.length = 0
})

const isEmpty = () => eventually(async () => expect((await pool.query('select from event_outbox')).rowCount).toBe(0), LONG_MS)
const functionsAdmin = () => adminClient({ url: areas.functions[0]?.internalUrl ?? '', token: ADMIN_TOKEN })

/** Returns the kinds of the webhooks about a user once there are `count`, after checking signatures, ids and that no more follow. */
async function webhooksOf(userId: string | null, count: number): Promise<string[]> {
  const hooks = () => receiver.received.filter(({ body }) => JSON.parse(body).user_id === userId)
  await eventually(() => expect(hooks().length).toBeGreaterThanOrEqual(count), 2 * LONG_MS)
  await isEmpty()
  for (const { body, headers } of hooks()) new Webhook(secret).verify(body, headers as Record<string, string>)
  expect(new Set(hooks().map(({ body }) => JSON.parse(body).event_id)).size).toBe(count)
  expect(hooks()).toHaveLength(count)
  return hooks()
    .toSorted((a, b) => JSON.parse(a.body).occurred_at.localeCompare(JSON.parse(b.body).occurred_at))
    .map(({ headers }) => String(headers['event-name']))
}

describe('a partner with a subscription', () => {
  it('hears once that an account was connected, is rejected by the app, and was disconnected', async () => {
    const credentials = { url: areas.thirdParty.url, token: 'token-of-the-tests' }
    const params = { app_key: APP_KEY }
    const { id } = await send(functionsAdmin(), connectAccount, { params, body: { user_id: USER_ID, app: 'soft', credentials } })
    areas.thirdParty.respond((_received, response) => sendJson(response, 403, { error: 'token_revoked' }))
    const call = (i: 0 | 1) =>
      send(areas.clientOf(areas.functions[i] as Functions), callFunction, { params: { function_name: 'soft-get-me' }, body: {} })
    await Promise.allSettled([call(0), call(1), call(0), call(1)])
    await expect(call(0)).rejects.toMatchObject({ code: 'account_reconnect_required' })
    await send(functionsAdmin(), disconnectAccount, { params: { ...params, id: String(id) } })
    expect(await webhooksOf(USER_ID, 3)).toEqual(['account_connected', 'account_reconnect_required', 'account_disconnected'])
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ app: 'soft', connected_account_id: id })
  })

  it('hears that a call waits for approval, and what was decided', async () => {
    const params = { app_key: APP_KEY }
    const credentials = { url: areas.thirdParty.url, token: 'token-of-the-tests' }
    await send(functionsAdmin(), connectAccount, { params, body: { user_id: USER_ID, app: 'soft', credentials } })
    await send(functionsAdmin(), putPolicy, { params, body: { rules: [{ apps: ['soft'], result: 'ask' }] } })
    const user = areas.clientOf(areas.functions[0] as Functions)
    const call = () => send(user, callFunction, { params: { function_name: 'soft-get-me' }, body: {} })
    await expect(call()).rejects.toMatchObject({ code: 'approval_required' })
    await expect(call()).rejects.toMatchObject({ code: 'approval_required' })
    const { approvals } = await send(user, listApprovals, { body: {} })
    const id = approvals[0]?.id ?? ''
    await send(user, decideApproval, { params: { id }, body: { result: 'refused', reason: 'Not today.' } })
    await send(functionsAdmin(), putPolicy, { params, body: { rules: [] } })
    expect(await webhooksOf(USER_ID, 3)).toEqual(['account_connected', 'approval_requested', 'approval_decided'])
    const about = { approval_id: id, function_name: 'soft-get-me', app: 'soft' }
    const bodies = receiver.received.map(({ body }) => JSON.parse(body))
    expect(bodies).toContainEqual(expect.objectContaining({ ...about, expires_at: approvals[0]?.expires_at }))
    expect(bodies).toContainEqual(expect.objectContaining({ ...about, result: 'refused', decided_by: 'application' }))
  })

  it('hears of the changed limit of a user, and once of a limit for all users', async () => {
    const query = { app_key: APP_KEY }
    await send(areas.partner, setUserLimits, { query, body: [{ user_id: USER_ID, allowed_tasks: 7 }] })
    await send(areas.partner, setAllLimits, { body: { tasks_limit: 9 } })
    expect(await webhooksOf(USER_ID, 1)).toEqual(['limit_changed'])
    expect(await webhooksOf(null, 1)).toEqual(['limit_changed'])
  })

  it('hears once of everything that happened while the queue was down', async () => {
    link.set({ kind: 'reset' })
    for (let i = 0; i < 5; i++) await areas.connect(`queue-${i}`)
    link.set({ kind: 'normal' })
    for (let i = 0; i < 5; i++) expect(await webhooksOf(`queue-${i}`, 1)).toEqual(['account_connected'])
  })

  it('hears once of everything that happened while insights was down, also if the relay publishes it again', async () => {
    await areas.withoutInsights(async () => {
      for (let i = 0; i < 5; i++) await areas.connect(`down-${i}`)
      // As if the leases of the rows had expired.
      await eventually(async () => expect((await pool.query('select from event_outbox where not sent')).rowCount).toBe(0))
      await pool.query("update event_outbox set leased_until = now() - interval '1 second'")
      await eventually(async () => expect((await pool.query('select from event_outbox where leased_until < now()')).rowCount).toBe(0))
    })
    for (let i = 0; i < 5; i++) expect(await webhooksOf(`down-${i}`, 1)).toEqual(['account_connected'])
  })
})
