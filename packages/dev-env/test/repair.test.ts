import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { callFunction, getUserTasks } from '@onward/contract'
import { send } from '@onward/contract-client'
import { ADMIN_TOKEN, eventually } from '@onward/testbed'
import pg from 'pg'
import { type Functions, openBothAreas } from './both-areas.ts'

const CALLS = 25

let both: Awaited<ReturnType<typeof openBothAreas>>
let functions: Functions

beforeAll(async () => {
  both = await openBothAreas(1)
  ;[functions] = both.functions as [Functions]
  const call = { params: { function_name: 'addressbook-get-contact' }, body: { contact_id: 1 } }
  for (let i = 0; i < CALLS; i++) await send(both.clientOf(functions), callFunction, call)
  await eventually(async () => expect(await consumed()).toBe(CALLS))
})

afterAll(async () => await both.close(), 60_000)

const consumed = async () =>
  (await send(both.partner, getUserTasks, { params: { id: both.userId }, query: { app_key: 'ak' } })).tasks_consumed

/** Runs the command in a separate process, as an operator does. */
async function onward(...args: string[]): Promise<{ code: number | null; out: string }> {
  const env = {
    PATH: process.env.PATH,
    ONWARD_ADMIN_TOKEN: ADMIN_TOKEN,
    ONWARD_FUNCTIONS_ADMIN_URL: functions.internalUrl,
    ONWARD_INSIGHTS_ADMIN_URL: both.insights.internalUrl,
  }
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', 'packages/cli/src/main.ts', ...args], { env })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out }
}

async function query(databaseUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const inInsights = async (statement: string) => await query(both.insightsDatabaseUrl, statement)

describe('onward reconcile and rebuild-usage', () => {
  const reconcile = async (...more: string[]) => await onward('reconcile', '--since', '3h', ...more)

  it('find no differences if nothing was lost', async () => {
    expect(await reconcile()).toMatchObject({ code: 0 })
    expect(await onward('rebuild-usage', '--dry-run')).toMatchObject({ code: 0 })
  })

  it('restore and count tasks that insights has lost', async () => {
    await inInsights('delete from task_event where id in (select id from task_event limit 7)')
    const found = await onward('rebuild-usage', '--dry-run')
    expect(found.code).toBe(1)
    expect(found.out).toContain('differ from their task events')
    expect(await onward('rebuild-usage')).toMatchObject({ code: 0 })
    expect(await consumed()).toBe(CALLS - 7)

    // The last ten seconds are not compared.
    await eventually(async () => expect(await reconcile('--dry-run')).toMatchObject({ code: 1 }), 60_000)
    let printed = ''
    await eventually(async () => {
      const { code, out } = await reconcile()
      printed += out
      expect([code, await consumed()]).toEqual([0, CALLS])
    }, 60_000)
    // All tasks of the hours that differ. There are two if an hour has ended since the first call.
    expect(printed).toMatch(/\d+ tasks of \d hours?/)
    expect(await onward('rebuild-usage', '--dry-run')).toMatchObject({ code: 0 })
  })
})

describe('the metrics that infra names', () => {
  type Dashboard = { readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[] }
  const FOLDER = 'infra/dashboards'
  const read = async (folder: string) => {
    const texts = (await readdir(folder))
      .sort()
      .map(async (name) => [name, JSON.parse(await readFile(join(folder, name), 'utf8'))] as const)
    return Object.fromEntries(await Promise.all(texts)) as Record<string, Dashboard>
  }

  it('are exported by the services and by backup.sh: those of the alerts and of the dashboards', async () => {
    const texts = await Promise.all(
      [functions, both.insights].map(async ({ internalUrl }) => await (await fetch(`${internalUrl}/metrics`)).text()),
    )
    // A queue without a limit of its memory has no share of it to measure.
    const ofBackups = await readFile('infra/backup.sh', 'utf8')
    const given = new Set([...([...texts, ofBackups].join('\n').match(/(?<=^|^# HELP )onward_\w+/gm) ?? []), 'onward_queue_memory_share'])
    const dashboards = Object.values(await read(FOLDER))
    expect(dashboards).toHaveLength(4)
    const queries = dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
    const named = `${await readFile('infra/alerts.yml', 'utf8')} ${queries.join(' ')}`.match(/\bonward_\w+/g) ?? []
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((name) => !given.has(name.replace(/_(sum|count|bucket)$/, '')) && !given.has(name))).toEqual([])
  })

  it('are in dashboards that were made by infra/make-dashboards.mjs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onward-dashboards-'))
    await promisify(execFile)(process.execPath, ['infra/make-dashboards.mjs', folder])
    expect(await read(folder)).toEqual(await read(FOLDER))
    await rm(folder, { recursive: true })
  })
})

describe('the section Tables of infra/README.md', () => {
  it.each(['functions', 'insights'] as const)('has a row for every table of %s, and /metrics has its size', async (service) => {
    const url = service === 'functions' ? both.functionsDatabaseUrl : both.insightsDatabaseUrl
    const found = await query(
      url,
      `select table_name from information_schema.tables where table_schema = 'public'
       and not exists (select from pg_inherits where inhrelid = table_name::regclass)`,
    )
    const tables = new Set(found.map(({ table_name }) => String(table_name)))
    const { internalUrl } = service === 'functions' ? functions : both.insights
    const metrics = await (await fetch(`${internalUrl}/metrics`)).text()
    const measured = [...metrics.matchAll(new RegExp(`^onward_${service}_table_bytes\\{.*\\btable="(\\w+)".*\\} [1-9]`, 'gm'))]
    expect(new Set(measured.map(([, table]) => table))).toEqual(tables)

    const text = await readFile('infra/README.md', 'utf8')
    const section = text.split(`\n**Tables of ${service}.**`)[1]?.split(/\n\n(?!\|)/)[0] ?? ''
    const rows = section.split('\n').filter((line) => /^\| `/.test(line))
    for (const row of rows) expect(row).toMatch(/^(\| [^|]+ ){4}\|$/)
    const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, table]) => table))
    expect(named).toHaveLength(tables.size)
    expect(new Set(named)).toEqual(tables)
  })
})
