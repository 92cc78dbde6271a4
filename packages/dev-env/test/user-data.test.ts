import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callFunction, connectAccount, deleteUser, getUserTasks } from '@onward/contract'
import { adminClient, functionsClient, send } from '@onward/contract-client'
import { ADMIN_TOKEN, eventually, openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import pg from 'pg'
import { runCommand, type Terminal } from '../../cli/src/index.ts'
import { APP_KEY, type Functions, openBothAreas } from './both-areas.ts'
import { type Canaries, dumpDatabase, dumpQueues, openCanaries } from './canaries.ts'
import { inDatabase } from './in-database.ts'
import { revocableApp, useEverything } from './use-everything.ts'

jest.setTimeout(300_000)

let folder: string
let receiver: ScriptedServer
let app: ScriptedServer
let areas: Awaited<ReturnType<typeof openBothAreas>>
let canaries: Canaries
let userId: string
/** A user who is deleted and comes back. */
let returning: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-user-'))
  receiver = await openScriptedServer()
  app = await openScriptedServer()
  await writeFile(join(folder, 'revocable.yaml'), JSON.stringify(revocableApp(app.url)))
  areas = await openBothAreas(1, { APPS_PATH: folder, CALL_BODIES: 'all' })
  canaries = openCanaries()
  userId = canaries.make('User-ID')
  returning = canaries.make('User-ID of a user who returns')
  await useEverything(areas, userId, receiver)
})
afterAll(async () => {
  await areas.close()
  await receiver.close()
  await app.close()
  await rm(folder, { recursive: true })
})

/** Runs `onward` with the admin token. */
const onward = (...args: string[]) => onwardPrinting(() => undefined, ...args)

/** The same; `onMessage` gets each text on standard error. */
async function onwardPrinting(onMessage: (text: string) => void, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
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
    stderr: {
      write(text) {
        written.err += text
        onMessage(text)
      },
    },
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
    expect({ out, err }).toEqual({ out: '', err: 'nothing is stored about this user\n' })
  })
})

/** Returns everything that both services store. */
const dumpAll = async () =>
  Promise.all([dumpDatabase(areas.functionsDatabaseUrl), dumpDatabase(areas.insightsDatabaseUrl), dumpQueues(areas.queues)])

const userClient = (id: string) =>
  functionsClient({ url: (areas.functions[0] as Functions).url, appKey: APP_KEY, appSecret: areas.appSecret, userId: id })
const call = (id: string, name: string) =>
  send(userClient(id), callFunction, { params: { function_name: `addressbook-${name}` }, body: {} })
const consumed = async (id: string) =>
  (await send(areas.partner, getUserTasks, { params: { id }, query: { app_key: APP_KEY } })).tasks_consumed

async function expectSameTasks(): Promise<void> {
  const { code, out } = await onward('reconcile', '--since', '1h', '--dry-run', '--json')
  expect([code, JSON.parse(out).hours.every(({ same }: { same: boolean }) => same)]).toEqual([0, true])
  const { dry_run: _, ...rebuilt } = JSON.parse((await onward('rebuild-usage', '--dry-run', '--json')).out)
  expect(rebuilt).toMatchObject({ differing: 0 })
}

describe('onward user delete', () => {
  it('leaves no User-ID in both databases and the queues, and the counts under a pseudonym', async () => {
    for (const text of await dumpAll()) expect(canaries.find(text)).toContain('User-ID in JSON')
    const { code, out, err } = await onward('user', 'delete', userId, '--yes', '--json')
    expect([code, err]).toEqual([0, expect.not.stringContaining('error')])
    const { pseudonym, not_revoked } = JSON.parse(out)
    expect([pseudonym, not_revoked]).toEqual([expect.stringMatching(/^deleted-[0-9a-f]{32}$/), 0])
    for (const text of await dumpAll()) expect(canaries.find(text)).toEqual([])

    expect(app.received.filter(({ url }) => url === '/revoke').map(({ body }) => body)).toEqual([
      expect.stringContaining('token=refresh-token-to-revoke'),
    ])
    expect(await consumed(pseudonym)).toBe(3)
    const calls = `select from call_log where user_id = '${pseudonym}' and arguments is null and output is null`
    expect(await inDatabase(areas.functionsDatabaseUrl, calls)).toBe(3)
    const audit = `select from audit_entry where action = 'user.delete' and outcome = 'done' and after->>'pseudonym' = '${pseudonym}'`
    for (const url of [areas.functionsDatabaseUrl, areas.insightsDatabaseUrl]) expect(await inDatabase(url, audit)).toBeGreaterThan(0)
    const quarantined = `select from quarantine where event like '%"user_id":"${pseudonym}"%'`
    expect(await inDatabase(areas.insightsDatabaseUrl, quarantined)).toBe(1)
    await expectSameTasks()
  })

  it('continues where it was interrupted, and says which apps did not revoke the access', async () => {
    const id = canaries.make('User-ID of a deletion that was interrupted')
    const admin = adminClient({ url: (areas.functions[0] as Functions).internalUrl, token: ADMIN_TOKEN })
    const params = { app_key: APP_KEY }
    const account = { app: 'revocable', credentials: { access_token: 'token', refresh_token: 'refresh-token' } }
    await send(admin, connectAccount, { params, body: { user_id: id, test: false, ...account } })
    await areas.connect(id)
    await call(id, 'list-contacts')
    app.respond((_received, response) => sendJson(response, 400, { error: 'unsupported_token_type' }))
    const first = await send(admin, deleteUser, { params, body: { user_id: id } })
    expect(first).toMatchObject({ not_revoked: 1, changed: { connected_account: 2 } })
    const { code, out } = await onward('user', 'delete', id, '--yes', '--json')
    expect([code, JSON.parse(out)]).toMatchObject([0, { pseudonym: first.pseudonym, not_revoked: 0 }])
    for (const text of await dumpAll()) expect(canaries.find(text)).toEqual([])
    expect(await consumed(first.pseudonym)).toBe(1)
  })

  it('leaves other users alone', async () => {
    const { out } = await onward('account', 'list', APP_KEY, '--json')
    expect(JSON.parse(out).connected_accounts.map(({ user_id }: { user_id: string }) => user_id)).toEqual([areas.userId])
  })

  it('can be repeated, also after the user has come back', async () => {
    const pseudonyms = new Set<string>()
    for (const times of [1, 2]) {
      await areas.connect(returning)
      await call(returning, 'list-contacts')
      await eventually(async () => expect(await consumed(returning)).toBe(1), 60_000)
      const { out } = await onward('user', 'delete', returning, '--yes', '--json')
      pseudonyms.add(JSON.parse(out).pseudonym)
      expect(await consumed(JSON.parse(out).pseudonym)).toBe(times)
    }
    const { out } = await onward('user', 'delete', returning, '--yes', '--json')
    expect(JSON.parse(out)).toMatchObject({ pseudonym: [...pseudonyms].join(), rows: 0 })
    for (const text of await dumpAll()) expect(canaries.find(text)).toEqual([])
    await expectSameTasks()
  })

  it('waits for calls in progress, whose tasks are counted under the pseudonym', async () => {
    await areas.connect(returning)
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    areas.thirdParty.respond(async (_received, response) => {
      await ended
      sendJson(response, 200, { contacts: [] })
    })
    const before = areas.thirdParty.received.length
    const calling = call(returning, 'list-contacts')
    await eventually(() => expect(areas.thirdParty.received.length).toBe(before + 1), 60_000)
    const printed: string[] = []
    const deleting = onwardPrinting((text) => printed.push(text), 'user', 'delete', returning, '--yes', '--json')
    await eventually(() => expect(printed).toContain('waiting until calls of the user end\n'), 60_000)
    end()
    await calling
    expect(await deleting).toMatchObject({ code: 0 })
    for (const text of await dumpAll()) expect(canaries.find(text)).toEqual([])
    await expectSameTasks()
  })

  it('asks before it deletes', async () => {
    const { code, err } = await onward('user', 'delete', returning)
    expect([code, err]).toEqual([2, expect.stringContaining('give --yes to confirm it')])
  })
})
