import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { callFunction, getUserTasks } from '@onward/contract'
import { functionsClient, insightsClient, send } from '@onward/contract-client'
import { migrations as functionsMigrations } from '@onward/functions'
import { migrations as insightsMigrations } from '@onward/insights'
import { type Migration, type Migrations, migrate } from '@onward/runtime'
import { areaEnv, eventually, fixedPort, openQueueSpace, openScriptedServer, type QueueSpace, sendJson } from '@onward/testbed'
import { type Child, startChild } from '../src/parts/start-server.ts'
import { APP_KEY, provisionUser, USER_ID } from './both-areas.ts'

type Kind = 'functions' | 'insights'

const MINUTE = 60_000
const checkout = process.cwd()
const dir = join(checkout, '.onward', 'upgrades')
const closers: (() => Promise<unknown>)[] = []

beforeAll(() => {
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
}, MINUTE)

it(
  'services of the last version start on the schema of the next one, and count calls',
  async () => {
    const previous = checkOutLastVersion()
    const [functionsDb, insightsDb] = [await openDatabase(), await openDatabase()]
    runCommand('functions', functionsDb, 'migrate')
    runCommand('insights', insightsDb, 'migrate')
    await migrate(functionsDb.url, withNext(functionsMigrations, 'call_log'))
    await migrate(insightsDb.url, withNext(insightsMigrations, 'task_event'))

    const queue = await openQueueSpace()
    closers.push(() => queue.close())
    const thirdParty = await openScriptedServer()
    closers.push(() => thirdParty.close())
    thirdParty.answer((_received, response) => sendJson(response, 200, { id: 1, name: 'Ada' }))
    const insights = await startService(previous, 'insights', insightsDb, queue)
    const functions = await startService(previous, 'functions', functionsDb, queue)
    const { app_secret: appSecret, partner_api_key: apiKey } = await provisionUser(functions.adminUrl, insights.adminUrl, thirdParty.url)

    const client = functionsClient({ url: functions.url, appKey: APP_KEY, appSecret, userId: USER_ID })
    await send(client, callFunction, { params: { function_name: 'addressbook-get-contact' }, body: { contact_id: 1 } })
    const partner = insightsClient({ url: insights.url, apiKey })
    const query = { app_key: APP_KEY }
    await eventually(
      async () => expect(await send(partner, getUserTasks, { params: { id: USER_ID }, query })).toMatchObject({ tasks_consumed: 1 }),
      MINUTE,
    )
  },
  10 * MINUTE,
)

it(
  'a service refuses arguments that it does not know',
  async () => {
    expect(() => runCommand('functions', { url: 'postgres://127.0.0.1:1/nowhere' }, 'migrat')).toThrow('unknown arguments: migrat')
  },
  MINUTE,
)

/** Returns a folder with the last tagged version, installed. While no version is tagged, says so and returns this checkout. */
function checkOutLastVersion(): string {
  const tags = execFileSync('git', ['tag', '--merged', 'HEAD', '--list', 'v*', '--sort=-version:refname'], { encoding: 'utf8' })
  const [tag] = tags.split('\n')
  if (!tag) {
    process.stderr.write('No version is tagged yet: the services of this checkout are tested on a schema with one more migration.\n')
    return checkout
  }
  execFileSync('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', tag, dir])
  execFileSync('npx', ['-y', '--prefer-offline', 'pnpm@10.34.9', 'install', '--frozen-lockfile'], { cwd: dir, stdio: 'ignore' })
  return dir
}

async function openDatabase(): Promise<QueueSpace> {
  const space = await openQueueSpace('postgres')
  closers.push(() => space.close())
  return space
}

/** Runs `main.ts` of a service of this checkout with an argument. It needs no setting except the database. */
function runCommand(kind: Kind, { url }: { readonly url: string }, argument: string): void {
  execFileSync(process.execPath, [...mainOf(kind), argument], { env: { PATH: process.env.PATH, DATABASE_URL: url }, stdio: 'pipe' })
}

function mainOf(kind: Kind): string[] {
  return ['--conditions=source', '--import', 'tsx', `services/${kind}/src/main.ts`]
}

/** Adds a migration as a later version could have it: a table gets two columns. */
function withNext(migrations: Migrations, table: string): Migrations {
  const next: Migration = {
    async up(db) {
      await db.schema
        .alterTable(table)
        .addColumn('next_name', 'text')
        .addColumn('next_size', 'integer', (column) => column.notNull().defaultTo(1))
        .execute()
    },
  }
  return { ...migrations, '99991231T000000Z-next': next }
}

/** Starts a service of the version in a folder, and waits until it is ready. */
async function startService(root: string, kind: Kind, { url }: QueueSpace, queue: QueueSpace) {
  const [port, internalPort] = [await fixedPort(), await fixedPort()]
  const adminUrl = `http://127.0.0.1:${internalPort}`
  const env = {
    ...areaEnv({ databaseUrl: url, queueUrl: queue.url, queuePrefix: queue.prefix }),
    ...{ PATH: process.env.PATH, PORT: String(port), INTERNAL_PORT: String(internalPort), APPS_PATH: 'packages/dev-env/apps' },
  }
  const child: Child = await startChild(process.execPath, mainOf(kind), { cwd: root, env, log: join(dir, `${kind}.log`) })
  closers.push(() => child.stop('SIGTERM', 30_000))
  await eventually(async () => expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200), 2 * MINUTE)
  return { url: `http://127.0.0.1:${port}`, adminUrl }
}
