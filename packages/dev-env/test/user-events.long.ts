import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { connectAccount, createSubscription, disconnectAccount } from '@onward/contract'
import { adminClient, insightsClient, send } from '@onward/contract-client'
import { openPool } from '@onward/runtime'
import { ADMIN_TOKEN, eventually, openScriptedServer, sendJson } from '@onward/testbed'
import { APP_KEY, provisionUser } from './both-areas.ts'
import { type Program, runCommand, sourcesOf, useServiceProcesses } from './use-service-processes.ts'

const MINUTE = 60_000
const USERS = 40

const dir = join(process.cwd(), '.onward', 'user-events')
mkdirSync(dir, { recursive: true })
const services = useServiceProcesses(dir)

it(
  'events of accounts cause one webhook each although processes of both services are killed',
  async () => {
    const program = (kind: 'functions' | 'insights'): Program => ({ ...sourcesOf(kind), env: { APPS_PATH: 'packages/dev-env/apps' } })
    const [functionsDb, insightsDb, queue] = [
      await services.openSpace('postgres'),
      await services.openSpace('postgres'),
      await services.openSpace(),
    ]
    runCommand(sourcesOf('functions'), functionsDb, 'migrate')
    runCommand(sourcesOf('insights'), insightsDb, 'migrate')
    const start = (kind: 'functions' | 'insights') =>
      services.start(kind, program(kind), kind === 'functions' ? functionsDb : insightsDb, queue)
    const thirdParty = await openScriptedServer()
    services.closeLater(() => thirdParty.close())
    thirdParty.respond((_received, response) => sendJson(response, 200, { id: 1, name: 'Ada' }))
    const receiver = await openScriptedServer()
    services.closeLater(() => receiver.close())
    const pool = openPool(functionsDb.url, { max: 1 })
    services.closeLater(() => pool.end())
    const waiting = async () => (await pool.query('select from event_outbox')).rowCount

    const insights = await start('insights')
    const functions = await start('functions')
    const { partner_api_key: apiKey } = await provisionUser(functions.adminUrl, insights.adminUrl, thirdParty.url)
    await eventually(async () => expect(await waiting()).toBe(0))
    const body = { events: ['account_connected', 'account_disconnected'], callback_url: receiver.url }
    await send(insightsClient({ url: insights.url, apiKey }), createSubscription, { body })

    const params = { app_key: APP_KEY }
    const connectAndDisconnect = async (adminUrl: string, i: number) => {
      const admin = adminClient({ url: adminUrl, token: ADMIN_TOKEN })
      const account = { user_id: `user-${i}`, app: 'addressbook', credentials: { url: thirdParty.url, api_key: 'key-of-the-tests' } }
      const { id } = await send(admin, connectAccount, { params, body: account })
      await send(admin, disconnectAccount, { params: { ...params, id: String(id) } })
    }
    const users = Array.from({ length: USERS }, (_, i) => i)
    for (const i of users.slice(0, USERS / 2)) await connectAndDisconnect(functions.adminUrl, i)
    // Insights dies while it takes these events, and functions while it publishes the next ones.
    await insights.kill()
    const second = await start('functions')
    await Promise.all(users.slice(USERS / 2).map((i) => connectAndDisconnect(functions.adminUrl, i)))
    await functions.kill()
    expect(await waiting()).toBeGreaterThan(0)
    await start('insights')
    expect(second.url).not.toBe(functions.url)

    await eventually(async () => expect(await waiting()).toBe(0), 2 * MINUTE)
    const bodies = () => receiver.received.map((hook) => ({ kind: hook.headers['event-name'], ...JSON.parse(hook.body) }))
    const keysOf = () => new Set(bodies().map(({ kind, user_id, event_id }) => `${user_id} ${kind} ${event_id}`))
    await eventually(() => expect(keysOf().size).toBe(2 * USERS), 2 * MINUTE)
    // A killed process may have sent a webhook without recording it; its repetition has the same id and body.
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2 * USERS)
    const expected = users.flatMap((i) => [`user-${i} account_connected`, `user-${i} account_disconnected`])
    expect([...new Set(bodies().map(({ kind, user_id }) => `${user_id} ${kind}`))].sort()).toEqual(expected.sort())
  },
  10 * MINUTE,
)
