import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { adminClient, functionsClient, insightsClient, send } from '@onward/client'
import { callFunction, connectAccount, getUserTasks, putApplication, putInsightsApplication, putWorkspace } from '@onward/contract'
import { readConfig as readFunctionsConfig, startFunctions } from '@onward/functions'
import { readConfig as readInsightsConfig, startInsights } from '@onward/insights'
import { eventually, openScriptedServer, openSuite, type ScriptedServer, type Suite, sendJson } from '@onward/testbed'
import pg from 'pg'
import { parse } from 'yaml'

const ADMIN_TOKEN = 'admin-token-of-the-tests'
const CALLS = 25
const user_id = 'joe@example.com'
const params = { app_key: 'ak' }

let suites: Suite[]
let thirdParty: ScriptedServer
let functions: Awaited<ReturnType<typeof startFunctions>>
let insights: Awaited<ReturnType<typeof startInsights>>
let consumed: () => Promise<number>

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
  functions = await startFunctions(readFunctionsConfig({ ...shared, DATABASE_URL: functionsSuite.databaseUrl }, 'packages/dev-env/apps'))

  const admin = adminClient({ url: functions.internalUrl, token: ADMIN_TOKEN })
  const insightsAdmin = adminClient({ url: insights.internalUrl, token: ADMIN_TOKEN })
  const { partner_api_key } = await send(insightsAdmin, putWorkspace, { params: { workspace_id: 'w' }, body: { name: 'W' } })
  await send(insightsAdmin, putInsightsApplication, { params, body: { workspace_id: 'w' } })
  const { app_secret } = await send(admin, putApplication, { params, body: { workspace_id: 'w', name: 'A' } })
  const credentials = { url: thirdParty.url, api_key: 'key-of-the-tests' }
  await send(admin, connectAccount, { params, body: { user_id, app: 'addressbook', credentials } })

  const joe = functionsClient({ url: functions.url, appKey: 'ak', appSecret: app_secret ?? '', userId: user_id })
  const call = { params: { function_name: 'addressbook-get-contact' }, body: { contact_id: 1 } }
  for (let i = 0; i < CALLS; i++) await send(joe, callFunction, call)
  const partner = insightsClient({ url: insights.url, apiKey: partner_api_key ?? '' })
  consumed = async () => (await send(partner, getUserTasks, { params: { id: user_id }, query: params })).tasks_consumed
  await eventually(async () => expect(await consumed()).toBe(CALLS))
}, 60_000)

afterAll(async () => {
  await functions.close()
  await insights.close()
  await thirdParty.close()
  for (const suite of suites) await suite.close()
}, 60_000)

/** Runs the command as an operator does. */
async function onward(...args: string[]): Promise<{ code: number | null; out: string }> {
  const env = {
    PATH: process.env.PATH,
    ONWARD_ADMIN_TOKEN: ADMIN_TOKEN,
    ONWARD_FUNCTIONS_ADMIN_URL: functions.internalUrl,
    ONWARD_INSIGHTS_ADMIN_URL: insights.internalUrl,
  }
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', 'packages/cli/src/main.ts', ...args], { env })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out }
}

async function inInsights(statement: string): Promise<void> {
  const client = new pg.Client(suites[1]?.databaseUrl)
  await client.connect()
  await client.query(statement)
  await client.end()
}

describe('onward reconcile and rebuild-usage', () => {
  // The hour that is not over yet, too.
  const until = new Date(Date.now() + 2 * 3_600_000).toISOString()
  const reconcile = async (...more: string[]) => await onward('reconcile', '--since', '3h', '--until', until, ...more)

  it('find nothing to do where nothing was lost', async () => {
    expect(await reconcile()).toMatchObject({ code: 0 })
    expect(await onward('rebuild-usage', '--dry-run')).toMatchObject({ code: 0 })
  }, 60_000)

  it('bring back tasks that insights has lost, and count them', async () => {
    await inInsights('delete from task_event where id in (select id from task_event limit 7)')
    const found = await onward('rebuild-usage', '--dry-run')
    expect(found.code).toBe(1)
    expect(found.out).toContain('differ from their events')
    expect(await onward('rebuild-usage')).toMatchObject({ code: 0 })
    expect(await consumed()).toBe(CALLS - 7)

    expect(await reconcile('--dry-run')).toMatchObject({ code: 1 })
    const { code, out } = await reconcile()
    expect(out).toContain(`${CALLS} tasks of`)
    expect(code).toBe(0)
    expect(await consumed()).toBe(CALLS)
    expect(await onward('rebuild-usage', '--dry-run')).toMatchObject({ code: 0 })
  }, 60_000)
})

describe('infra/alerts.yml', () => {
  type Rule = { alert: string; expr: string; for?: string; annotations: { summary: string; do: string } }

  it('asks only for figures that the services give, and says what to do', async () => {
    const texts = await Promise.all(
      [functions, insights].map(async ({ internalUrl }) => await (await fetch(`${internalUrl}/metrics`)).text()),
    )
    const given = new Set(texts.join('\n').match(/^onward_\w+/gm))
    const { groups } = parse(await readFile('infra/alerts.yml', 'utf8')) as { groups: { rules: Rule[] }[] }
    const rules = groups.flatMap((group) => group.rules)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    const asked = rules.flatMap(({ expr }) => expr.match(/onward_\w+/g) ?? [])
    expect(asked.length).toBeGreaterThan(10)
    expect(asked.filter((name) => !given.has(name))).toEqual([])
    for (const rule of rules) {
      expect(rule).toMatchObject({ annotations: { summary: expect.stringMatching(/\.$/), do: expect.stringMatching(/.{10}/) } })
      if (rule.for !== undefined) expect(rule.for).toMatch(/^\d+[mhd]$/)
    }
  })

  it('watches for what can go wrong', async () => {
    const text = await readFile('infra/alerts.yml', 'utf8')
    for (const watched of [
      'outbox_oldest',
      'quarantine_rows',
      'usage_differing',
      'tasks_resent',
      'delivery_oldest_due',
      'subscriptions_disabled',
      'processes_silent',
      'partition_ahead',
      'blocked_users',
    ]) {
      expect(text).toContain(watched)
    }
  })
})
