import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { callFunction, getUserTasks, predictFunction } from '@onward/contract'
import { functionsClient, insightsClient, send } from '@onward/contract-client'
import { eventually, openScriptedServer, sendJson } from '@onward/testbed'
import { APP_KEY, provisionUser, USER_ID } from './both-areas.ts'
import { type Kind, type Program, runCommand, useServiceProcesses } from './use-service-processes.ts'

const MINUTE = 60_000
const checkout = process.cwd()
const dir = join(checkout, '.onward', 'built-services')
const VIEWER = 'services/functions/node_modules/@scalar/api-reference/dist/browser'

const services = useServiceProcesses(dir)

/** Builds the services as infra/Dockerfile does, and copies what the image has of them, without any package, to `dir`. */
beforeAll(() => {
  execFileSync('node_modules/.bin/tsc', ['-b', 'services/functions', 'services/insights'])
  execFileSync(process.execPath, ['infra/build-services.mjs'])
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  const parts = ['services/functions', 'services/insights'].flatMap((part) => [`${part}/package.json`, `${part}/dist`])
  for (const part of [...parts, VIEWER, 'packages/catalog/apps', 'packages/predict/weights']) {
    cpSync(part, join(dir, part), { recursive: true, dereference: true })
  }
}, 5 * MINUTE)

const built = (kind: Kind): Program => ({
  folder: dir,
  args: [`services/${kind}/dist/main.js`],
  env: { APPS_PATH: join(checkout, 'packages/dev-env/apps') },
})

it(
  'the bundles of the services migrate their databases, predict, call, count and show the API reference, without any package',
  async () => {
    const [functionsDb, insightsDb] = [await services.openSpace('postgres'), await services.openSpace('postgres')]
    runCommand(built('functions'), functionsDb, 'migrate')
    runCommand(built('insights'), insightsDb, 'migrate')
    const queue = await services.openSpace()
    const thirdParty = await openScriptedServer()
    services.closeLater(() => thirdParty.close())
    thirdParty.respond((_received, response) => sendJson(response, 200, { id: 1, name: 'Ada' }))
    const insights = await services.start('insights', built('insights'), insightsDb, queue)
    const functions = await services.start('functions', built('functions'), functionsDb, queue)
    const { app_secret: appSecret, partner_api_key: apiKey } = await provisionUser(functions.adminUrl, insights.adminUrl, thirdParty.url)

    const client = functionsClient({ url: functions.url, appKey: APP_KEY, appSecret, userId: USER_ID })
    const name = 'addressbook-get-contact'
    const predicted = await send(client, predictFunction, { body: { prompt: 'get the contact 1 of my address book' } })
    expect(predicted.functions[0]).toMatchObject({ name })
    const called = await send(client, callFunction, { params: { function_name: name }, body: { contact_id: 1 } })
    expect(called).toEqual({ network_code: 200, output: { id: 1, name: 'Ada' } })

    const partner = insightsClient({ url: insights.url, apiKey })
    const tasks = () => send(partner, getUserTasks, { params: { id: USER_ID }, query: { app_key: APP_KEY } })
    await eventually(async () => expect(await tasks()).toMatchObject({ tasks_consumed: 1 }), MINUTE)

    expect((await fetch(`${functions.url}/docs/viewer/standalone.js`)).status).toBe(200)
  },
  5 * MINUTE,
)
