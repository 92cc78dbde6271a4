import { randomBytes } from 'node:crypto'
import {
  addMember,
  type Body,
  callFunction,
  connectAccount,
  createSignInLink,
  getUserTasks,
  listOwnAccounts,
  putApplication,
  putInsightsApplication,
  putWorkspace,
  type Role,
  setDefaultAccount,
} from '@onward/contract'
import { adminClient, exchange, functionsClient, OnwardError, send } from '@onward/contract-client'
import { ADMIN_TOKEN, eventually, fixedPort } from '@onward/testbed'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { openAddressBook } from '../src/demo/address-book.ts'
import { buildConsole } from '../src/start/build-console.ts'
import { openGateway } from '../src/start/gateway.ts'
import { openReceiver } from '../src/start/receiver.ts'
import { APP_KEY, openBothAreas } from './both-areas.ts'
import { openBrowser, openPage } from './console-page.ts'

export { USER_ID } from './both-areas.ts'
export const WORKSPACE_ID = 'w'
/** A second workspace with an application, to which the people of the first one do not belong. */
export const OTHER = { workspaceId: 'globex', appKey: 'ak-globex' }

const ADDRESS_BOOK_KEY = 'key-of-the-address-book'

export type Product = Awaited<ReturnType<typeof openProduct>>

/**
 * Opens both services behind the gateway, with the built console, the demo app, a webhook receiver and Chromium. The workspace `Acme` has the
 * application `Shop`, whose user joe@example.com uses the demo app by default.
 */
export async function openProduct() {
  const port = await fixedPort()
  const url = `http://127.0.0.1:${port}`
  const [folder, book, receiver] = await Promise.all([
    buildConsole(process.cwd()),
    openAddressBook({ port: 0, apiKey: ADDRESS_BOOK_KEY }),
    openReceiver(),
  ])
  const areas = await openBothAreas(1, { PUBLIC_URL: url, CALL_BODIES: 'all' }, folder)
  const [process1] = areas.functions
  if (process1 === undefined) throw new Error('functions did not start')
  const gateway = await openGateway(port, { functionsUrl: process1.url, insightsUrl: areas.insights.url })
  const browser = await openBrowser()
  const { insightsAdmin, appSecret } = areas
  const functionsAdmin = adminClient({ url: process1.internalUrl, token: ADMIN_TOKEN })

  /** Connects the demo address book of a user of the application. */
  async function connect(userId: string): Promise<void> {
    const credentials = { url: book.url, api_key: ADDRESS_BOOK_KEY }
    await send(functionsAdmin, connectAccount, { params: { app_key: APP_KEY }, body: { user_id: userId, app: 'addressbook', credentials } })
  }

  await send(insightsAdmin, putWorkspace, { params: { workspace_id: WORKSPACE_ID }, body: { name: 'Acme' } })
  await send(insightsAdmin, putWorkspace, { params: { workspace_id: OTHER.workspaceId }, body: { name: 'Globex' } })
  await send(functionsAdmin, putApplication, { params: { app_key: APP_KEY }, body: { workspace_id: WORKSPACE_ID, name: 'Shop' } })
  await send(insightsAdmin, putInsightsApplication, { params: { app_key: OTHER.appKey }, body: { workspace_id: OTHER.workspaceId } })
  const desk = { workspace_id: OTHER.workspaceId, name: 'Desk' }
  await send(functionsAdmin, putApplication, { params: { app_key: OTHER.appKey }, body: desk })
  const clientOf = (userId: string) => functionsClient({ url: process1.url, appKey: APP_KEY, appSecret, userId })
  await connect(areas.userId)
  const { connected_accounts } = await send(clientOf(areas.userId), listOwnAccounts, { body: {} })
  const newest = Math.max(...connected_accounts.map(({ id }) => id))
  await send(clientOf(areas.userId), setDefaultAccount, { params: { id: String(newest) }, body: {} })

  const contexts: BrowserContext[] = []

  return {
    ...areas,
    /** The gateway's address, without a slash at the end. */
    url,
    consoleUrl: `${url}/console/`,
    functionsAdmin,
    book: { url: book.url, apiKey: ADDRESS_BOOK_KEY },
    receiver,
    connect,
    clientOf,

    /** Calls a function for a user of the application, such as `addressbook-list-contacts`, and returns its response and the call's id. */
    async call(userId: string, functionName: string, body: Body<typeof callFunction> = {}) {
      const { response, headers } = await exchange(clientOf(userId), callFunction, { params: { function_name: functionName }, body })
      return { response, callId: headers['x-call-id'] ?? '' }
    },

    /** Waits until insights has counted so many tasks of a user. */
    async counted(userId: string, tasks: number): Promise<void> {
      await eventually(async () => {
        const read = send(areas.partner, getUserTasks, { params: { id: userId }, query: { app_key: APP_KEY } })
        const status = await read.catch((err: unknown) => {
          if (err instanceof OnwardError && err.code === 'user_not_found') return undefined
          throw err
        })
        expect(status?.tasks_consumed).toBe(tasks)
      })
    },

    /** Opens a page of the console, signed in as someone with this role: `w/w/calls`. */
    async open(path: string, role: Role, options: BrowserContextOptions = {}) {
      const opened = await openPage(browser, options)
      const context = opened.page.context()
      contexts.push(context)
      const response = await context.request.post(`${url}/console/api/insights/admin/session/redeem`, {
        headers: { 'X-Onward-Console': '1' },
        data: { code: await codeFor(role) },
      })
      expect(response.status()).toBe(200)
      await opened.page.goto(`${url}/console/${path}`)
      return opened
    },

    /** Closes the pages that are open. For `afterEach`. */
    async closePages(): Promise<void> {
      for (const context of contexts.splice(0)) await context.close()
    },

    async close(): Promise<void> {
      await browser.close()
      await gateway.close()
      await areas.close()
      await receiver.close()
      await book.close()
    },
  }

  /** Returns the code of a sign-in link for a new person with the role. */
  async function codeFor(role: Role): Promise<string> {
    const email = `${role}-${randomBytes(3).toString('hex')}@example.com`
    const link =
      role === 'operator'
        ? (await send(insightsAdmin, createSignInLink, { body: { email, operator: true } })).url
        : (await send(insightsAdmin, addMember, { params: { workspace_id: WORKSPACE_ID }, body: { email, role } })).sign_in_url
    return new URL(link).hash.slice('#code='.length)
  }
}
