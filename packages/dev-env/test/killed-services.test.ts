import { adminClient, exchange, functionsClient, send } from '@onward/client'
import { callFunction, connectAccount, putApplication, putInsightsApplication, putWorkspace } from '@onward/contract'
import { eventually, openScriptedServer, openSuite, type ScriptedServer, type Suite, sendJson } from '@onward/testbed'
import pg from 'pg'
import { ADMIN_TOKEN, makeServiceProcess, type ServiceProcess } from './service-process.ts'

const CALLS = 2_000
const CALLERS = 20
const USERS = ['user-0@example.com', 'user-1@example.com', 'user-2@example.com']

let functionsSuite: Suite
let insightsSuite: Suite
let thirdParty: ScriptedServer
let functions: ServiceProcess
let insights: ServiceProcess
let appSecret: string

beforeAll(async () => {
  functionsSuite = await openSuite('functions')
  insightsSuite = await openSuite('insights')
  thirdParty = await openScriptedServer()
  thirdParty.answer((_received, response) => sendJson(response, 200, { id: 1, name: 'Ada' }))
  const queue = { QUEUE_URL: functionsSuite.queueUrl, QUEUE_PREFIX: functionsSuite.queuePrefix }
  functions = await makeServiceProcess('functions', {
    ...queue,
    DATABASE_URL: functionsSuite.databaseUrl,
    APPS_PATH: 'packages/dev-env/apps',
  })
  insights = await makeServiceProcess('insights', { ...queue, DATABASE_URL: insightsSuite.databaseUrl })
  await Promise.all([functions.start(), insights.start()])

  const admin = adminClient({ url: functions.adminUrl, token: ADMIN_TOKEN })
  const insightsAdmin = adminClient({ url: insights.adminUrl, token: ADMIN_TOKEN })
  await send(insightsAdmin, putWorkspace, { params: { workspace_id: 'w' }, body: { name: 'W' } })
  const made = await send(admin, putApplication, { params: { app_key: 'ak' }, body: { workspace_id: 'w', name: 'A' } })
  appSecret = made.app_secret ?? ''
  await send(insightsAdmin, putInsightsApplication, { params: { app_key: 'ak' }, body: { workspace_id: 'w' } })
  for (const user_id of USERS) {
    const credentials = { url: thirdParty.url, api_key: 'key-of-the-tests' }
    await send(admin, connectAccount, { params: { app_key: 'ak' }, body: { user_id, app: 'addressbook', credentials } })
  }
}, 60_000)

afterAll(async () => {
  expect(await functions.stop()).toBe(0)
  expect(await insights.stop()).toBe(0)
  await thirdParty.close()
  await functionsSuite.close()
  await insightsSuite.close()
}, 60_000)

/** Makes calls from several callers at once until `CALLS` are answered 200, and gives their ids. A call that fails is made anew. */
async function burst(onAnswer: (answered: number) => void): Promise<string[]> {
  const answered: string[] = []
  let wanted = CALLS
  async function caller(n: number): Promise<void> {
    const userId = USERS[n % USERS.length] ?? ''
    const target = functionsClient({ url: functions.url, appKey: 'ak', appSecret, userId })
    while (wanted-- > 0) {
      const { headers } = await eventually(
        () => exchange(target, callFunction, { params: { function_name: 'addressbook-get-contact' }, body: { contact_id: 1 } }),
        30_000,
      )
      onAnswer(answered.push(String(headers['x-call-id'])))
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)))
  return answered
}

async function query<T>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text, values)).rows as T[]
  } finally {
    await client.end()
  }
}

const logged = (text: string, values?: unknown[]) => query<{ n: number }>(functionsSuite.databaseUrl, text, values)
const counted = (text: string, values?: unknown[]) => query<{ n: number }>(insightsSuite.databaseUrl, text, values)

describe('kill -9 in the middle of a burst', () => {
  it('loses and doubles no call that was answered 200, whichever service dies', async () => {
    const restarts: Promise<void>[] = []
    const answered = await burst((answered) => {
      if (answered === 600) restarts.push(functions.kill().then(() => functions.start()))
      if (answered === 1_300) restarts.push(insights.kill().then(() => insights.start()))
    })
    await Promise.all(restarts)
    expect(restarts).toHaveLength(2)
    expect(answered).toHaveLength(CALLS)
    expect(new Set(answered).size).toBe(answered.length)

    // Rows that the killed process held are free again after 30 s, and so are its attempts: those calls are logged as unknown.
    await eventually(async () => {
      expect(await logged('select count(*)::int as n from outbox')).toEqual([{ n: 0 }])
      expect(await logged('select count(*)::int as n from call_attempt')).toEqual([{ n: 0 }])
    }, 75_000)

    const ofAnswered = [answered]
    expect(await logged("select count(*)::int as n from call_log where outcome = 'answered' and call_id = any($1)", ofAnswered)).toEqual([
      { n: answered.length },
    ])
    expect(await counted('select count(*)::int as n from task_event where id = any($1)', ofAnswered)).toEqual([{ n: answered.length }])

    const [inLog] = await logged("select count(*)::int as n from call_log where outcome <> 'unreachable'")
    expect(await counted('select count(*)::int as n from task_event')).toEqual([inLog])
    expect(await counted('select sum(consumed)::int as n from usage_period')).toEqual([inLog])
    expect(await counted('select count(*)::int as n from quarantine')).toEqual([{ n: 0 }])
  }, 150_000)
})
