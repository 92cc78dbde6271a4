import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { callFunction, getUserTasks } from '@onward/contract'
import { functionsClient, insightsClient, send } from '@onward/contract-client'
import { migrations as functionsMigrations } from '@onward/functions'
import { migrations as insightsMigrations } from '@onward/insights'
import { type Migration, type Migrations, migrate } from '@onward/runtime'
import { eventually, openScriptedServer, sendJson } from '@onward/testbed'
import { APP_KEY, provisionUser, USER_ID } from './both-areas.ts'
import { type Kind, type Program, runCommand, sourcesOf, useServiceProcesses } from './use-service-processes.ts'

const MINUTE = 60_000
const checkout = process.cwd()
const dir = join(checkout, '.onward', 'upgrades')

const services = useServiceProcesses(dir)

beforeAll(() => {
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
})

it(
  'services of the last version start on the schema of the next one, and count calls',
  async () => {
    const previous = checkOutLastVersion()
    const program = (kind: Kind): Program => ({ ...sourcesOf(kind, previous), env: { APPS_PATH: 'packages/dev-env/apps' } })
    const [functionsDb, insightsDb] = [await services.openSpace('postgres'), await services.openSpace('postgres')]
    runCommand(sourcesOf('functions'), functionsDb, 'migrate')
    runCommand(sourcesOf('insights'), insightsDb, 'migrate')
    await migrate(functionsDb.url, withNext(functionsMigrations, 'call_log'))
    await migrate(insightsDb.url, withNext(insightsMigrations, 'task_event'))

    const queue = await services.openSpace()
    const thirdParty = await openScriptedServer()
    services.closeLater(() => thirdParty.close())
    thirdParty.respond((_received, response) => sendJson(response, 200, { id: 1, name: 'Ada' }))
    const insights = await services.start('insights', program('insights'), insightsDb, queue)
    const functions = await services.start('functions', program('functions'), functionsDb, queue)
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
    expect(() => runCommand(sourcesOf('functions'), { url: 'postgres://127.0.0.1:1/nowhere' }, 'migrat')).toThrow(
      'unknown arguments: migrat',
    )
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
