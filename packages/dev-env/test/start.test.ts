import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import {
  calledOf,
  callFunction,
  getUserTasks,
  listApplications,
  listApps,
  listUserTasks,
  predictFunction,
  putApplication,
} from '@onward/contract'
import { adminClient, functionsClient, insightsClient, send } from '@onward/contract-client'
import { fixedPort, testParts } from '@onward/testbed'
import { askPostgres, databaseUrl, dropDatabase, ensureDatabase } from '../src/parts/databases.ts'
import { openParts, wipeParts } from '../src/parts/open-parts.ts'
import { start } from '../src/start/start.ts'
import { type DevFile, environment } from '../src/start/summary.ts'
import { addProgram } from './add-program.ts'

const { postgresUrl, redisUrl } = testParts()
const dir = mkdtempSync(join(tmpdir(), 'onward-start-'))
const file = join(dir, 'dev.json')
const variables = join(dir, 'dev.env')
const cacheDir = join(process.cwd(), '.onward', 'parts')
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  const names = ['FUNCTIONS_PORT', 'INSIGHTS_PORT', 'GATEWAY_PORT', 'FUNCTIONS_ADMIN_PORT', 'INSIGHTS_ADMIN_PORT', 'DEMO_PORT']
  const ports: [string, string][] = []
  for (const name of names) ports.push([name, String(await fixedPort())])
  const queue = redisUrl === undefined ? { ONWARD_SKIP: 'system,apt' } : { REDIS_URL: redisUrl }
  env = { PATH: process.env.PATH, DATABASE_URL: postgresUrl, ...queue, ...Object.fromEntries(ports) }
})

afterAll(async () => {
  for (const name of ['onward_functions', 'onward_insights', 'onward_queue']) await dropDatabase(postgresUrl, name)
  await wipeParts(dir)
  rmSync(dir, { recursive: true, force: true })
})

async function begin(fresh = false, overrides: NodeJS.ProcessEnv = {}) {
  const said: string[] = []
  const started = await start({ root: process.cwd(), dir, fresh, env: { ...env, ...overrides }, say: (line) => said.push(line) })
  return { ...started, said: said.join('\n') }
}

const readDev = () => JSON.parse(readFileSync(file, 'utf8')) as DevFile

/** Serves the gateway at another address of this machine, as a tunnel does. */
async function openTunnel() {
  const tunnel = createServer((socket) => {
    const gateway = connect(Number(env.GATEWAY_PORT), '127.0.0.1')
    pipeline(socket, gateway, socket, () => {})
  })
  await new Promise<void>((resolve) => tunnel.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(tunnel.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => tunnel.close(resolve)),
  }
}

/** Does what the first steps of MCP.md say, with the official client in place of Claude Code and of its model. `said` is what `npm start` printed. */
async function walkOfMcp(said: string): Promise<void> {
  const [, steps = ''] = /^Try it in two minutes[\s\S]*?\n(1\. [\s\S]*?)\n\n/m.exec(readFileSync('services/functions/MCP.md', 'utf8')) ?? []
  const [another, add] = [...steps.replace(/\n +/g, ' ').matchAll(/`((?:npx|claude) [^`]+)`/g)].map(([, command]) => command ?? '')
  const [, asked = ''] = /Ask: "([^"]+)"/.exec(steps) ?? []
  const [, link = '', mcpUrl = ''] = /^ {2}agents +open (\S+) within 10 minutes, then add (\S+) to /m.exec(said) ?? []
  expect(add).toBe('claude mcp add --transport http onward <MCP URL>')
  const { stdout } = await promisify(execFile)('sh', ['-c', `set -a && . ${variables} && ${another}`])
  const [, anotherLink = ''] = /(http\S+\/oauth\/link\/\S+)/.exec(stdout) ?? []

  for (const each of [link, anotherLink]) {
    const program = await addProgram(each, mcpUrl)
    const callOf = async (name: string, args: object) => {
      const { content } = await program.callTool({ name, arguments: { ...args } })
      return JSON.parse((content as { text: string }[])[0]?.text ?? '')
    }
    const found = await callOf('search_functions', { queries: [{ task: asked }] })
    const [{ name, suggested_arguments: suggested }] = found.queries[0].functions
    expect(name).toBe('addressbook-list-contacts')
    const { output } = await callOf('call_read_function', { name, arguments: { page_size: 3, ...suggested } })
    expect(output).toMatchObject([{ name: 'Ada Ashgrove' }, {}, {}])
    await program.close()
  }
}

/** Sends the request for a token of MCP.md, whose response names the number of tools. */
async function createTokenOfMcp({ functions_url, app_key, user_id, user_hash }: DevFile): Promise<void> {
  const page = readFileSync('services/functions/MCP.md', 'utf8')
  const [, body = '', tools] = /^post \/mcp\/tokens '(.+)'$[\s\S]*?"tools": (\d+)/m.exec(page) ?? []
  const headers = { 'App-Key': app_key, 'User-ID': user_id, Hash: user_hash, 'Content-Type': 'application/json' }
  const response = await fetch(`${functions_url}/mcp/tokens`, { method: 'POST', headers, body })
  expect(await response.json()).toMatchObject({ tools: Number(tools) })
}

describe('npm start', () => {
  it('uses every feature once, writes dev.json and dev.env, and removes them when it stops', async () => {
    const first = await begin()
    const dev = readDev()
    const userId = dev.user_id
    try {
      expect(first.said).toMatch(/call {7}addressbook-list-contacts returned 200/)
      expect(first.said).toMatch(/calls log {2}[0-9a-f-]{36} answered/)
      expect(first.said).toMatch(/insights {3}counted it for joe@example.com: 1 of 10000 tasks/)
      expect(first.said).toMatch(/webhook {4}user_tasks_limit_80, signature valid: 4 of 5 tasks, 80 %/)
      expect(first.said).toMatch(/webhook {4}user_tasks_limit_100, signature valid: 5 of 5 tasks, 100 %/)
      expect(
        first.said
          .trimEnd()
          .split('\n')
          .slice(-5)
          .map((line) => line.trim().split(' ')[0]),
      ).toEqual(['Onward', 'console', 'agents', 'call', 'keys'])
      expect(Object.keys(dev).sort((a, b) => a.localeCompare(b))).toEqual([
        'admin_token',
        'app_key',
        'app_secret',
        'backend',
        'console_url',
        'demo_api_key',
        'demo_url',
        'docs_url',
        'functions_admin_url',
        'functions_url',
        'insights_admin_url',
        'insights_url',
        'mcp_url',
        'other_user_id',
        'partner_api_key',
        'published_app_key',
        'published_app_secret',
        'user_hash',
        'user_id',
        'workspace_id',
      ])
      expect(readFileSync(variables, 'utf8')).toBe(environment(dev))
      for (const each of [file, variables]) expect(statSync(each).mode & 0o777).toBe(0o600)
      // The command of the summary, in a shell.
      const command = /^ {2}call +(.+)$/m.exec(first.said)?.[1]?.replace('.onward/dev.env', variables) ?? ''
      const { stdout } = await promisify(execFile)('sh', ['-c', command])
      expect(JSON.parse(stdout)).toMatchObject({ network_code: 200, output: [{ id: 1 }, { id: 2 }] })

      await walkOfMcp(first.said)
      await createTokenOfMcp(dev)

      const client = functionsClient({ url: dev.functions_url, appKey: dev.app_key, appSecret: dev.app_secret, userId })
      const page = await send(client, callFunction, { params: { function_name: 'addressbook-list-contacts' }, body: {} })
      expect(calledOf(page).output).toHaveLength(25)
      const ada = { name: 'Ada', email: 'ada@example.com' }
      const added = await send(client, callFunction, { params: { function_name: 'addressbook-create-contact' }, body: ada })
      expect(calledOf(added).output).toMatchObject({ id: 121 })
      const post = { channel: 'general', text: 'hello' }
      const posted = await send(client, callFunction, { params: { function_name: 'slack-post-message' }, body: post })
      expect(calledOf(posted).output).toMatchObject({ ok: true, message: { text: 'hello' } })
      // The prompts of README.md, although the user has accounts of apps with similar functions.
      const predicted = async (prompt: string) => (await send(client, predictFunction, { body: { prompt } })).functions
      expect(await predicted('add Ada with email ada@example.com to my contacts')).toMatchObject([{ name: 'addressbook-create-contact' }])
      expect(await predicted('tell the team that the release is out')).toMatchObject([{ name: 'slack-post-message' }])
      const { published_app_key: appKey, published_app_secret: appSecret } = dev
      const published = functionsClient({ url: dev.functions_url, appKey, appSecret, userId })
      const { apps } = await send(published, listApps, {})
      expect(apps.find(({ name }) => name === 'addressbook')).toMatchObject({ connected_accounts: [{ status: 'active' }] })
      const admin = adminClient({ url: dev.functions_admin_url, token: dev.admin_token })
      const { applications } = await send(admin, listApplications, { query: {} })
      expect(applications.map(({ confirm_accounts }) => confirm_accounts)).toEqual([false, false])
      const chosen = { workspace_id: dev.workspace_id, name: 'Demo application', confirm_accounts: true }
      await send(admin, putApplication, { params: { app_key: dev.app_key }, body: chosen })
      const stranger = functionsClient({
        url: dev.functions_url,
        appKey: dev.app_key,
        appSecret: dev.app_secret,
        userId: dev.other_user_id,
      })
      const refused = send(stranger, callFunction, { params: { function_name: 'addressbook-list-contacts' }, body: {} })
      await expect(refused).rejects.toMatchObject({ status: 400, code: 'account_not_connected' })
    } finally {
      await first.close()
    }
    expect([existsSync(file), existsSync(variables)]).toEqual([false, false])
  })

  it('keeps data, keys, settings and the objects of the demo apps for the next start, and finds the demo app and the tunnel at new addresses', async () => {
    // As after four starts, so that the user has consumed 80 % of the next limit.
    const asAfterFour = "update usage_period set consumed = 20 where user_id = 'limited@example.com'"
    await askPostgres(databaseUrl(postgresUrl, 'onward_insights'), asAfterFour)
    const tunnel = await openTunnel()
    const second = await begin(false, { DEMO_PORT: String(await fixedPort()), PUBLIC_URL: `${tunnel.url}/` })
    try {
      const dev = readDev()
      expect(second.said).toContain(`  console   ${tunnel.url}/console/sign-in#code=`)
      const { console_url, docs_url, mcp_url } = dev
      expect([console_url, docs_url, mcp_url]).toEqual(['console', 'docs', 'mcp'].map((path) => `${tunnel.url}/${path}`))
      for (const url of [console_url, docs_url]) expect(await fetch(url).then(({ status }) => status)).toBe(200)
      expect(second.said).toMatch(/webhook {4}user_tasks_limit_100, signature valid: 25 of 25 tasks, 100 %/)
      expect(second.said).toMatch(/insights {3}counted it for joe@example.com: 8 of 10000 tasks/)
      const admin = adminClient({ url: dev.functions_admin_url, token: dev.admin_token })
      const { applications } = await send(admin, listApplications, { query: {} })
      expect(applications.find(({ app_key }) => app_key === dev.app_key)?.confirm_accounts).toBe(true)
      const partner = insightsClient({ url: dev.insights_url, apiKey: dev.partner_api_key })
      const status = await send(partner, getUserTasks, { params: { id: dev.user_id }, query: { app_key: dev.app_key } })
      const users = [await send(partner, listUserTasks, { query: { app_key: dev.app_key } })].flat()
      expect(users.map((user) => 'user_id' in user && user.user_id)).toEqual(['joe@example.com', 'limited@example.com'])
      expect(status).toMatchObject({ tasks_consumed: 8, current_limit: 10_000, limit_period: '30' })
      const client = functionsClient({ url: dev.functions_url, appKey: dev.app_key, appSecret: dev.app_secret, userId: dev.user_id })
      const found = await send(client, callFunction, { params: { function_name: 'addressbook-get-contact' }, body: { contact_id: 121 } })
      expect(calledOf(found).output).toMatchObject({ name: 'Ada' })
      const body = { channel: 'general' }
      const messages = await send(client, callFunction, { params: { function_name: 'slack-list-messages' }, body })
      expect((calledOf(messages).output as { text: string }[])[0]).toMatchObject({ text: 'hello' })
      await walkOfMcp(second.said)
    } finally {
      await second.close()
      await tunnel.close()
    }
  })

  it('names all ports that were taken after the first check, with free ones', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(Number(env.DEMO_PORT), '127.0.0.1', resolve))
    try {
      await expect(begin()).rejects.toThrow(
        new RegExp(
          `^these ports are in use: ${env.DEMO_PORT} \\(DEMO_PORT\\)\\. .*\n  npm start -- --ports auto\n  DEMO_PORT=\\d+ npm start$`,
        ),
      )
    } finally {
      await new Promise((resolve) => other.close(resolve))
    }
  })

  it('does not delete data on the server of DATABASE_URL: --fresh only creates new keys', async () => {
    const fresh = await begin(true)
    try {
      expect(fresh.said).toMatch(/deleted the data/)
      expect(fresh.said).toMatch(/counted it for joe@example.com: 1 of 10000 tasks/)
      expect(readDev().workspace_id).toMatch(/^demo/)
    } finally {
      await fresh.close()
    }
  })

  it.each([
    ['DATABASE_URL', 'another version of Onward created the databases onward_functions and onward_insights on the server of DATABASE_URL'],
    ['.onward', 'another version of Onward created the data in'],
  ])('says what to do if another version created the data in %s', async (where, message) => {
    const overrides = where === '.onward' ? { DATABASE_URL: '' } : {}
    const parts = await openParts({ dir, cacheDir, env: { ...env, ...overrides }, throwAway: false, say: () => {} })
    await ensureDatabase(parts.postgresUrl, 'onward_insights')
    const insights = databaseUrl(parts.postgresUrl, 'onward_insights')
    await askPostgres(insights, 'create table if not exists kysely_migration (name text primary key, timestamp text not null)')
    await askPostgres(insights, "insert into kysely_migration values ('2020-01-01-gone', '2020-01-01T00:00:00Z')")
    await parts.stop()
    await expect(begin(false, overrides)).rejects.toThrow(message)
    if (where === 'DATABASE_URL') return

    const fresh = await begin(true, overrides)
    expect(fresh.said).toContain('Onward is running at')
    await fresh.close()
  })
})
