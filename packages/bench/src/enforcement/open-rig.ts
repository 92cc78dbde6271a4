import { createHmac } from 'node:crypto'
import { adminClient, insightsClient, send } from '@onward/client'
import { connectAccount, getUserTasks, putApplication, putInsightsApplication, putWorkspace, setUserLimits } from '@onward/contract'
import { ADMIN_TOKEN, areaEnv, openSuite } from '@onward/testbed'
import { type Forked, forkChild } from '../webhooks/fork-child.ts'
import type { ServiceProcess } from './main.ts'

export const APP_KEY = 'enforced'

export type User = { readonly id: string; readonly hash: string }

/** Both services in processes of their own, and an application that blocks. */
export type Rig = {
  /** The processes of functions. */
  readonly urls: readonly string[]
  addUser(limit: number): Promise<User>
  raiseLimit(user: User, limit: number): Promise<void>
  counted(user: User): Promise<number>
  close(): Promise<void>
}

type Addresses = { readonly url: string; readonly internalUrl: string }

export async function openRig(processes: number): Promise<Rig> {
  const [functionsSuite, insightsSuite] = [await openSuite('functions'), await openSuite('insights')]
  const children: Forked<unknown>[] = []
  async function start(kind: ServiceProcess['kind']): Promise<Addresses> {
    const env = { ...areaEnv(insightsSuite), ...(kind === 'functions' ? { DATABASE_URL: functionsSuite.databaseUrl } : {}) }
    const child = await forkChild<Addresses>('packages/bench/src/enforcement/main.ts', { kind, env } satisfies ServiceProcess)
    children.push(child)
    return child.ready
  }
  async function close(): Promise<void> {
    await Promise.all(children.map((child) => child.kill()))
    await functionsSuite.close()
    await insightsSuite.close()
  }

  try {
    const thirdParty = await forkChild<number>('packages/bench/src/third-party/main.ts', {})
    children.push(thirdParty)
    const insights = await start('insights')
    const functions: Addresses[] = []
    for (let n = 0; n < processes; n++) functions.push(await start('functions'))

    const admin = adminClient({ url: functions[0]?.internalUrl ?? '', token: ADMIN_TOKEN })
    const insightsAdmin = adminClient({ url: insights.internalUrl, token: ADMIN_TOKEN })
    const params = { app_key: APP_KEY }
    const { partner_api_key = '' } = await send(insightsAdmin, putWorkspace, { params: { workspace_id: 'w' }, body: { name: 'W' } })
    const { app_secret = '' } = await send(admin, putApplication, { params, body: { workspace_id: 'w', name: 'Enforced' } })
    await send(insightsAdmin, putInsightsApplication, { params, body: { workspace_id: 'w', on_limit: 'block' } })
    const partner = insightsClient({ url: insights.url, apiKey: partner_api_key })
    const credentials = { url: `http://127.0.0.1:${thirdParty.ready}`, api_key: 'key-of-the-benches' }
    let users = 0

    const setLimit = (user_id: string, allowed_tasks: number) =>
      send(partner, setUserLimits, { query: params, body: [{ user_id, allowed_tasks }] })
    return {
      urls: functions.map(({ url }) => url),
      async addUser(limit) {
        const id = `user-${++users}@example.com`
        await setLimit(id, limit)
        await send(admin, connectAccount, { params, body: { user_id: id, app: 'addressbook', credentials } })
        return { id, hash: createHmac('sha256', app_secret).update(id).digest('hex') }
      },
      async raiseLimit({ id }, limit) {
        await setLimit(id, limit)
      },
      counted: async ({ id }) => (await send(partner, getUserTasks, { params: { id }, query: params })).tasks_consumed,
      close,
    }
  } catch (err) {
    await close()
    throw err
  }
}
