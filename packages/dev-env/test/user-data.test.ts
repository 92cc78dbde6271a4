import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMIN_TOKEN, openScriptedServer, type ScriptedServer } from '@onward/testbed'
import pg from 'pg'
import { runCommand, type Terminal } from '../../cli/src/index.ts'
import { APP_KEY, type Functions, openBothAreas } from './both-areas.ts'
import { type Canaries, openCanaries } from './canaries.ts'
import { inDatabase } from './in-database.ts'
import { revocableApp, useEverything } from './use-everything.ts'

jest.setTimeout(300_000)

let folder: string
let receiver: ScriptedServer
let app: ScriptedServer
let areas: Awaited<ReturnType<typeof openBothAreas>>
let canaries: Canaries
let userId: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-user-'))
  receiver = await openScriptedServer()
  app = await openScriptedServer()
  await writeFile(join(folder, 'revocable.yaml'), JSON.stringify(revocableApp(app.url)))
  areas = await openBothAreas(1, { APPS_PATH: folder, CALL_BODIES: 'all' })
  canaries = openCanaries()
  userId = canaries.make('User-ID')
  await useEverything(areas, userId, receiver)
})
afterAll(async () => {
  await areas.close()
  await receiver.close()
  await app.close()
  await rm(folder, { recursive: true })
})

/** Runs `onward` with the admin token. */
async function onward(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' }
  const terminal: Terminal = {
    env: {
      ONWARD_ADMIN_TOKEN: ADMIN_TOKEN,
      ONWARD_APP_KEY: APP_KEY,
      ONWARD_FUNCTIONS_ADMIN_URL: (areas.functions[0] as Functions).internalUrl,
      ONWARD_INSIGHTS_ADMIN_URL: areas.insights.internalUrl,
    },
    cwd: folder,
    stdin: Object.assign((async function* () {})(), { isTTY: false }),
    stdout: { write: (text) => (written.out += text) },
    stderr: { write: (text) => (written.err += text) },
    now: () => new Date(),
    onInterrupt: () => undefined,
  }
  return { code: await runCommand(args, terminal), ...written }
}

/** Returns the tables of a database that name users, without partitions. */
async function tablesOfUsers(url: string): Promise<string[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition and a.attname = 'user_id' order by 1`)
  await client.end()
  return rows.map(({ name }) => name)
}

/** Tables whose rows are seldom there: they wait for something else for a moment. */
const MOMENTARY = ['call_attempt', 'event_outbox', 'connect_session', 'pending_account', 'mcp_authorization']

describe('onward user export', () => {
  it('prints the rows of a user in every table that has users, and no secrets', async () => {
    const { code, out, err } = await onward('user', 'export', userId)
    expect({ code, err }).toEqual({ code: 0, err: `${out.trim().split('\n').length} rows\n` })
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    for (const [service, url] of [
      ['functions', areas.functionsDatabaseUrl],
      ['insights', areas.insightsDatabaseUrl],
    ] as const) {
      const found = new Set(lines.filter((line) => line.service === service).map(({ table }) => table))
      const tables = (await tablesOfUsers(url)).filter((name) => !MOMENTARY.includes(name))
      expect(tables.length).toBeGreaterThan(3)
      expect([...found]).toEqual(expect.arrayContaining([...tables, 'audit_entry']))
    }
    expect(lines.filter(({ table }) => table === 'quarantine')).toHaveLength(1)
    expect(lines.filter(({ table }) => table === 'task_event')).toHaveLength(3)
    expect(lines.find(({ table }) => table === 'call_log')?.row.arguments).toBe(JSON.stringify({ search: userId, page_size: 25 }))
    expect(Object.keys(lines.find(({ table }) => table === 'mcp_token')?.row)).not.toContain('token_hash')
    expect(out).not.toMatch(/\\\\x|sealed_|_hash"|_digest"|secret-of-the-client/)
  })

  it('prints every row of a user with more of them than a page, also if they are long', async () => {
    await inDatabase(
      areas.functionsDatabaseUrl,
      `insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, occurred_at, output)
        select gen_random_uuid(), '${APP_KEY}', 'often@example.com', 'f', '1', 'a', 'answered', now(), repeat('x', 6000) from generate_series(1, 1201)`,
    )
    const { out } = await onward('user', 'export', 'often@example.com')
    const ids = new Set(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).row.call_id),
    )
    expect(ids.size).toBe(1_201)
  })

  it('prints nothing about other users', async () => {
    const { out, err } = await onward('user', 'export', `${userId}2`)
    expect({ out, err }).toEqual({ out: '', err: '0 rows\n' })
  })
})
