import { adminClient, functionsClient, insightsClient, send } from '@onward/client'
import {
  callFunction,
  connectAccount,
  getUserTasks,
  listCalls,
  putApplication,
  putInsightsApplication,
  putWorkspace,
  setUserLimits,
} from '@onward/contract'
import { readConfig as readFunctionsConfig, startFunctions } from '@onward/functions'
import { readConfig as readInsightsConfig, startInsights } from '@onward/insights'
import { eventually, openScriptedServer, openSuite, type ScriptedServer, type Suite, sendJson } from '@onward/testbed'

const ADMIN_TOKEN = 'admin-token-of-the-tests'
const LIMIT = 5
const user_id = 'joe@example.com'
const params = { app_key: 'ak' }

let suites: Suite[]
let thirdParty: ScriptedServer
let first: Awaited<ReturnType<typeof startFunctions>>
let second: typeof first
let insights: Awaited<ReturnType<typeof startInsights>>
let insightsAdmin: ReturnType<typeof adminClient>
let partner: ReturnType<typeof insightsClient>
let appSecret: string

beforeAll(async () => {
  const [functionsSuite, insightsSuite] = await Promise.all([openSuite('functions'), openSuite('insights')])
  suites = [functionsSuite, insightsSuite]
  thirdParty = await openScriptedServer()
  thirdParty.answer((_received, response) => sendJson(response, 200, { id: 1, name: 'Ada' }))
  const shared = {
    QUEUE_URL: functionsSuite.queueUrl,
    QUEUE_PREFIX: functionsSuite.queuePrefix,
    ADMIN_TOKEN,
    SEALING_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    ALLOW_PLAIN_HTTP: 'true',
    OUTGOING_REACH: 'local',
    LOG_LEVEL: process.env.ONWARD_TEST_LOG ?? 'silent',
  }
  insights = await startInsights(readInsightsConfig({ ...shared, DATABASE_URL: insightsSuite.databaseUrl }))
  const config = readFunctionsConfig({ ...shared, DATABASE_URL: functionsSuite.databaseUrl }, 'packages/dev-env/apps')
  first = await startFunctions(config)
  second = await startFunctions(config)

  const admin = adminClient({ url: first.internalUrl, token: ADMIN_TOKEN })
  insightsAdmin = adminClient({ url: insights.internalUrl, token: ADMIN_TOKEN })
  const { partner_api_key } = await send(insightsAdmin, putWorkspace, { params: { workspace_id: 'w' }, body: { name: 'W' } })
  partner = insightsClient({ url: insights.url, apiKey: partner_api_key ?? '' })
  appSecret = (await send(admin, putApplication, { params, body: { workspace_id: 'w', name: 'A' } })).app_secret ?? ''
  await onLimit('block')
  const credentials = { url: thirdParty.url, api_key: 'key-of-the-tests' }
  await send(admin, connectAccount, { params, body: { user_id, app: 'addressbook', credentials } })
}, 60_000)

afterAll(async () => {
  await Promise.all([first.close(), second.close()])
  await insights.close()
  await thirdParty.close()
  for (const suite of suites) await suite.close()
}, 60_000)

const onLimit = (on_limit: 'allow' | 'block') =>
  send(insightsAdmin, putInsightsApplication, { params, body: { workspace_id: 'w', on_limit } })
const setLimit = (allowed_tasks: number) => send(partner, setUserLimits, { query: params, body: [{ user_id, allowed_tasks }] })
const clientOf = (functions: typeof first) => functionsClient({ url: functions.url, appKey: 'ak', appSecret, userId: user_id })
const call = (functions: typeof first) =>
  send(clientOf(functions), callFunction, { params: { function_name: 'addressbook-get-contact' }, body: { contact_id: 1 } })

const refuses = (functions: typeof first) =>
  eventually(async () => {
    const err = await call(functions).then(
      () => undefined,
      (reason: { code: string; status: number; headers: Record<string, unknown> }) => reason,
    )
    expect(err).toMatchObject({ status: 429, code: 'task_limit_reached' })
    // The period has thirty days.
    expect(Math.abs(Number(err?.headers['retry-after']) - 30 * 86_400)).toBeLessThan(3_600)
  })

describe('a limit that blocks', () => {
  it('holds in every process of functions until it is raised, and what was answered is what was counted', async () => {
    await setLimit(LIMIT)
    for (let i = 0; i < LIMIT; i++) await call(i % 2 === 0 ? first : second)
    await refuses(first)
    await refuses(second)

    const executed = thirdParty.received.length
    for (let i = 0; i < 10; i++) await expect(call(first)).rejects.toMatchObject({ code: 'task_limit_reached' })
    expect(thirdParty.received).toHaveLength(executed)
    const { calls } = await send(clientOf(first), listCalls, { body: {} })
    expect(calls).toHaveLength(executed)
    await eventually(async () => {
      const status = await send(partner, getUserTasks, { params: { id: user_id }, query: params })
      expect(status).toMatchObject({ tasks_consumed: executed, current_limit: LIMIT })
    })

    await setLimit(executed + 2)
    await eventually(() => call(first))
    await eventually(() => call(second))
    await refuses(second)
    await onLimit('allow')
    await eventually(() => call(first))
    await eventually(() => call(second))
  }, 60_000)
})
