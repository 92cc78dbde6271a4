import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callFunction, getUserTasks } from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import pg from 'pg'
import { unpackDebian } from '../src/parts/debian.ts'
import { allows } from '../src/parts/part.ts'
import { findProgram, isProgram, runProgram } from '../src/parts/programs.ts'
import { type Functions, openBothAreas } from './both-areas.ts'
import { inDatabase } from './in-database.ts'

/** A machine under load takes long for a comparison. */
const LONG_MS = 240_000
jest.setTimeout(3 * LONG_MS)

let both: Awaited<ReturnType<typeof openBothAreas>>
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-backup-'))
  both = await openBothAreas(1, { RECONCILE_EVERY_MS: '500' })
})

afterAll(async () => {
  await both.close()
  await rm(folder, { recursive: true })
})

const consumed = async () =>
  (await send(both.partner, getUserTasks, { params: { id: both.userId }, query: { app_key: 'ak' } })).tasks_consumed

async function call(count: number): Promise<void> {
  const client = both.clientOf(both.functions[0] as Functions)
  for (let i = 0; i < count; i++)
    await send(client, callFunction, { params: { function_name: 'addressbook-get-contact' }, body: { contact_id: 1 } })
}

function script(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { functionsDatabaseUrl: FUNCTIONS_DATABASE, insightsDatabaseUrl: INSIGHTS_DATABASE } = both
  const databases = { POSTGRES_RUN: 'env', FUNCTIONS_DATABASE, INSIGHTS_DATABASE }
  return runProgram(join(process.cwd(), 'infra', name), args, { env: { PATH: process.env.PATH, ...databases, ...env }, timeoutMs: LONG_MS })
}

/** Whether pg_dump of this machine can dump the databases. It refuses a server with a later major version. */
async function canDump(): Promise<boolean> {
  const client = new pg.Client(both.insightsDatabaseUrl)
  await client.connect()
  const { rows } = await client.query("select current_setting('server_version_num')::int / 10000 as major")
  await client.end()
  const program = findProgram(process.env, 'pg_dump')
  const version = program && (await runProgram(program, ['--version'], { env: process.env, timeoutMs: 10_000 }))
  const can = Number(/\d+/.exec(version ?? '')?.[0] ?? 0) >= rows[0].major
  if (!can) process.stderr.write(`The backups are not tested: they need pg_dump of Postgres ${rows[0].major} or later\n`)
  return can
}

/** Returns the folder with age, of this machine or of Debian's package; undefined, with the reason printed, if it cannot be had. */
async function findAge(): Promise<string | undefined> {
  if (findProgram(process.env, 'age') !== undefined) return ''
  const root = join(process.cwd(), '.onward/parts/age')
  try {
    if (!allows(process.env, 'apt')) throw new Error('ONWARD_SKIP forbids apt')
    if (!isProgram(join(root, 'usr/bin/age'))) await unpackDebian(root, [['age']], process.env)
    return `${join(root, 'usr/bin')}:`
  } catch (err) {
    process.stderr.write(`Encrypted backups are not tested, because age cannot be downloaded: ${(err as Error).message}\n`)
    return undefined
  }
}

async function emptyInsights(): Promise<void> {
  await inDatabase(both.insightsDatabaseUrl, 'drop schema public cascade')
  await inDatabase(both.insightsDatabaseUrl, 'create schema public')
}

it('insights counts again what it lost, after it was restored from a backup, without a restart of Postgres', async () => {
  if (!(await canDump())) return
  await call(5)
  await eventually(async () => expect(await consumed()).toBe(5))
  const metrics = join(folder, 'onward.prom')
  const backup = (await script('backup.sh', [join(folder, 'plain')], { BACKUP_METRICS: metrics })).trim()
  expect((await readdir(backup)).sort()).toEqual(['SHA256SUMS', 'functions.dump', 'insights.dump'])
  expect(await readFile(metrics, 'utf8')).toMatch(/^onward_backup_seconds \d{10}$/m)
  await call(7)
  await eventually(async () => expect(await consumed()).toBe(12))
  await both.withoutInsights(async () => {
    await expect(script('restore.sh', [backup, 'insights'])).rejects.toThrow('the database of insights has tables')
    await emptyInsights()
    expect(await script('restore.sh', [backup, 'insights'])).toMatch(/insights is restored\n.*onward reconcile --since 20\d\d-.*:\d\dZ\n/)
  })
  await eventually(async () => expect(await consumed()).toBe(12), LONG_MS)
})

it('a backup that was changed is not restored, and an encrypted one only with the key', async () => {
  const path = (await canDump()) ? await findAge() : undefined
  if (path === undefined) return
  const env = { PATH: `${path}${process.env.PATH}` }
  const identity = join(folder, 'key.txt')
  const key = await runProgram('age-keygen', ['--output', identity], { env, timeoutMs: 10_000 }).catch((err: Error) => err.message)
  const recipient = /age1\w+/.exec(`${key}${await readFile(identity, 'utf8')}`)?.[0] ?? ''
  const backup = (await script('backup.sh', [join(folder, 'secret')], { ...env, BACKUP_RECIPIENT: recipient })).trim()
  expect((await readdir(backup)).sort()).toEqual(['SHA256SUMS', 'functions.dump.age', 'insights.dump.age'])
  await both.withoutInsights(async () => {
    await emptyInsights()
    await expect(script('restore.sh', [backup, 'insights'], env)).rejects.toThrow('BACKUP_IDENTITY')
    expect(await script('restore.sh', [backup, 'insights'], { ...env, BACKUP_IDENTITY: identity })).toContain('insights is restored')
  })
  await writeFile(join(backup, 'insights.dump.age'), 'x')
  await expect(script('restore.sh', [backup, 'functions'], env)).rejects.toThrow(/insights.dump.age: FAILED|did NOT match/)
})

it('old backups are deleted, and nothing else', async () => {
  if (!(await canDump())) return
  const all = join(folder, 'old')
  const old = new Date(Date.now() - 20 * 86_400_000)
  for (const name of ['2026-01-01T000000Z', '2026-01-02T000000Z.partial', 'notes', '2099-01-01T000000Z']) {
    await mkdir(join(all, name), { recursive: true })
    if (!name.startsWith('2099')) await utimes(join(all, name), old, old)
  }
  const backup = (await script('backup.sh', [all], { BACKUP_KEEP_DAYS: '14' })).trim()
  expect((await readdir(all)).sort()).toEqual([backup.split('/').at(-1), '2099-01-01T000000Z', 'notes'].sort())
})
