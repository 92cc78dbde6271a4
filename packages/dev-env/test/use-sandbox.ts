import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calledOf, callFunction, connectAccount, putApplication } from '@onward/contract'
import { adminClient, exchange, functionsClient, send } from '@onward/contract-client'
import { readConfig, startFunctions } from '@onward/functions'
import { ADMIN_TOKEN, areaEnv, fixedPort, openSuite } from '@onward/testbed'
import { openAddressBook } from '../src/demo/address-book.ts'
import { openSandbox } from '../src/sandbox/sandbox.ts'

const APPS = 'packages/catalog/apps'
const APP_KEY = 'ak'

type Cursor = string | number | Record<string, unknown> | null

/** Read the log of functions, and what the sandbox has stored. */
type Files = { log(): string; stored(): string }

/** Starts the sandbox and functions for all tests of a file. Use the result only inside tests. */
export function useSandbox() {
  const dir = mkdtempSync(join(tmpdir(), 'onward-sandbox-'))
  const file = join(dir, 'sandbox.json')
  const log = join(dir, 'functions.log')
  let users = 0
  const used = { log: () => readFileSync(log, 'utf8'), stored: () => readFileSync(file, 'utf8') } as Files &
    Awaited<ReturnType<typeof open>>

  async function open() {
    const port = await fixedPort()
    const openServer = async () => await openAddressBook({ port, apiKey: 'key', sandbox: openSandbox({ apps: APPS, file }) })
    let server = await openServer()
    const suite = await openSuite('functions')
    const env = { SANDBOX_URL: server.url, SANDBOX_APPLICATION: APP_KEY, OUTGOING_REACH: 'local', CHECK_RESPONSES: 'true', LOG_FILE: log }
    const config = readConfig(
      { ...areaEnv(suite), ...env },
      {
        apps: APPS,
        weights: 'packages/predict/weights',
        viewer: 'services/functions/src',
        font: 'none',
        importWorker: 'services/functions/src/import-worker.ts',
      },
    )
    const functions = await startFunctions(config)
    const admin = adminClient({ url: functions.internalUrl, token: ADMIN_TOKEN })
    const params = { app_key: APP_KEY }
    const { app_secret = '' } = await send(admin, putApplication, {
      params,
      body: { workspace_id: 'w', name: 'A', confirm_accounts: false },
    })
    return {
      /** Connects new accounts of the apps, and returns what calls their functions. */
      async newUser(...apps: readonly string[]) {
        const userId = `user-${++users}@example.com`
        for (const app of apps) {
          const credentials = { [app === 'gmail' ? 'access_token' : 'token']: `token-of-${userId}` }
          await send(admin, connectAccount, { params, body: { user_id: userId, app, credentials, test: true } })
        }
        const client = functionsClient({ url: functions.url, appKey: APP_KEY, appSecret: app_secret, userId })
        return async (name: string, args: object = {}, cursor?: Cursor) => {
          const body = { ...args, ...(cursor === undefined ? {} : { _cursor: cursor }) }
          const { response } = await exchange(client, callFunction, { params: { function_name: name }, body })
          // biome-ignore lint/suspicious/noExplicitAny: each test knows what its function returns
          return calledOf(response) as { network_code: number; output: any; _cursor?: Cursor; meta?: { app_error?: boolean } }
        }
      },
      /** Stops the sandbox and starts it again with the stored objects. */
      async restart() {
        await server.close()
        server = await openServer()
      },
      sandboxUrl: server.url,
      async close() {
        await functions.close()
        await server.close()
        await suite.close()
        rmSync(dir, { recursive: true })
      },
    }
  }

  beforeAll(async () => {
    Object.assign(used, await open())
  })
  afterAll(() => used.close())
  return used
}

export type Caller = Awaited<ReturnType<ReturnType<typeof useSandbox>['newUser']>>
