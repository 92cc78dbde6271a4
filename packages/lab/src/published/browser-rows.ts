import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connectAccount, listApplications, putApplication } from '@onward/contract'
import { type Target as Api, adminClient, send } from '@onward/contract-client'
import type { DevFile } from '@onward/dev-env'
import { chromium, type Page } from 'playwright-core'
import { type Result, runRows, type Target } from './row.ts'

/** A user whose account is disconnected. */
const LEAVING = 'leaving@example.com'
const FILE = 'node_modules/@integry/sdk/dist/umd/index.umd.js'

type PublishedResponse = { readonly [key: string]: unknown; readonly meta?: unknown }

/** Uses the requests of the published browser client, from a page of an allowed origin in Chromium. */
export async function browserRows(from: string, target: Target, dev: DevFile, env: NodeJS.ProcessEnv): Promise<Result> {
  const executablePath = env.CHROMIUM_PATH || '/usr/bin/chromium'
  if (!existsSync(join(from, FILE))) return { skipped: `run npm install --prefix ${from} @integry/sdk` }
  if (!existsSync(executablePath)) return { skipped: 'there is no Chromium; set CHROMIUM_PATH' }
  const server = createServer((request, response) => {
    const script = request.url === '/sdk.js'
    response.setHeader('Content-Type', script ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8')
    response.end(script ? readFileSync(join(from, FILE)) : '<!doctype html><div id="form"></div><script src="/sdk.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const functions = adminClient({ url: dev.functions_admin_url, token: dev.admin_token })
  const params = { app_key: target.app_key }
  const credentials = { url: dev.demo_url, api_key: dev.demo_api_key }
  const connect = async () =>
    (await send(functions, connectAccount, { params, body: { user_id: LEAVING, app: 'addressbook', credentials } })).id
  const restore = await allowOnly(functions, target.app_key, origin)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.goto(origin)
    return { rows: await runRows(checksOf(page, target, connect)) }
  } finally {
    await browser.close()
    await restore()
    server.close()
  }
}

/** Allows one origin for the application. The returned function restores the previous ones. */
async function allowOnly(functions: Api, app_key: string, origin: string): Promise<() => Promise<void>> {
  const { applications } = await send(functions, listApplications, { query: {} })
  const application = applications.find((each) => each.app_key === app_key)
  assert(application, `there is no application ${app_key}`)
  const { workspace_id, name, allowed_origins } = application
  const allow = async (origins: string[]) =>
    void (await send(functions, putApplication, { params: { app_key }, body: { workspace_id, name, allowed_origins: origins } }))
  await allow([origin])
  return () => allow(allowed_origins)
}

function checksOf(page: Page, { url, app_key, app_secret, user_id, other_user_id }: Target, connect: () => Promise<number>) {
  const options = (userId: string) => {
    const hash = createHmac('sha256', app_secret).update(userId).digest('hex')
    return { appKey: app_key, hash, userId, baseUrl: url, baseAPIUrl: url, authBaseUrl: url }
  }
  /** Calls a method of the client, or of its part that sends requests. */
  async function use(path: string, args: readonly unknown[], userId = user_id): Promise<PublishedResponse> {
    const response = await page.evaluate(
      async ([given, names, values]) => {
        const { IntegryJS } = globalThis as never as { IntegryJS: new (options: object) => Record<string, never> }
        const client = new IntegryJS(given)
        const [method = '', part] = names.split('.').reverse()
        const owner = (part === undefined ? client : client[part]) as unknown as Record<string, (...args: unknown[]) => unknown>
        return await owner[method]?.(...values)
      },
      [options(userId), path, [...args]] as const,
    )
    assert(response, 'the client got no answer')
    return response as PublishedResponse
  }
  const call = (name: string, args: object, userId?: string) => use('callFunction', [name, args, {}], userId)

  return {
    'the settings are verified': async () => assert.equal((await use('apiHandler.verifyAuthConfig', [{}])).config_verified, true),
    'showApps: one page': async () => assert.equal(((await use('apiHandler.getMarketplaceAppsV2', [{}])).apps as []).length, 30),
    'showApps: all apps': async () => assert(((await use('apiHandler.getMarketplaceAppsV2', [{ fetchAll: true }])).apps as []).length > 40),
    'showApps: a search': async () => {
      const { apps } = await use('apiHandler.getMarketplaceAppsV2', [{ search: 'address book' }])
      assert.equal((apps as { name: string }[])[0]?.name, 'addressbook')
    },
    'an app with its accounts': async () => {
      for (const method of ['getAppDetails', 'getApp', 'getConnectedAccounts']) {
        assert.equal(((await use(`apiHandler.${method}`, ['addressbook'])).connected_accounts as []).length, 1)
      }
    },
    'the signature of a function': async () => {
      assert.equal((await use('apiHandler.getFunctionSignature', ['addressbook-get-contact'])).name, 'addressbook-get-contact')
    },
    'the details of a function, in a version': async () => {
      assert((await use('apiHandler.getFunctionDetails', ['addressbook-create-contact', { name: 'Ada' }, '1'])).meta)
    },
    'a call': async () => assert.equal((await call('addressbook-get-contact', { contact_id: 1 })).network_code, 200),
    'a call that is refused': async () =>
      assert.equal((await call('addressbook-get-contact', { contact_id: 'x' })).code, 'invalid_parameters'),
    'a call of a user without an account': async () => {
      assert((await call('addressbook-get-contact', { contact_id: 1 }, other_user_id)).login_url)
    },
    'a form loads the options of a dropdown': async () => {
      const loaded = page.waitForResponse((response) => response.url().includes('/functions/addressbook-list-groups/call'), {
        timeout: 15_000,
      })
      void use('showFunction', ['addressbook-create-contact', { params: {}, payload: {} }, 'INLINE', 'form']).catch(() => {})
      assert.equal((await loaded).status(), 200)
    },
    'an account becomes the default': async () => {
      const [account] = (await use('apiHandler.getApp', ['addressbook'])).connected_accounts as { id: number }[]
      assert((await use('apiHandler.setDefaultAuthorization', [{ authorizationId: account?.id, authorizationTypeId: 1 }])).id)
    },
    'an account is disconnected': async () => {
      const id = await connect()
      assert.equal((await use('apiHandler.deleteAuth', [id, false], LEAVING)).status, 200)
    },
  }
}
