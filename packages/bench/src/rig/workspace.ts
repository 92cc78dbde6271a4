import { createHmac } from 'node:crypto'
import { adminClient, insightsClient, send, type Target } from '@onward/client'
import { connectAccount, putApplication, putInsightsApplication, putWorkspace } from '@onward/contract'
import { ADMIN_TOKEN } from '@onward/testbed'
import { Pool } from 'undici'
import type { Rig } from './open-rig.ts'
import type { Service } from './processes.ts'

/** The application of the first workspace. */
export const APP_KEY = 'bench'

export type User = { readonly id: string; readonly hash: string }

/** A workspace with one application. */
export type Workspace = {
  readonly apiKey: string
  /** The API of area B, called with the workspace's API key. */
  readonly target: Target
  /** Connects an account of the address book for each user. */
  connect(userIds: readonly string[]): Promise<User[]>
}

type Settings = { readonly limit_period?: number; readonly on_limit?: 'block' }

/** Creates a workspace, and an application of the same name in each service that the rig runs. */
export async function createWorkspace(rig: Rig, settings: Settings = {}, name = APP_KEY): Promise<Workspace> {
  const params = { app_key: name }
  const insights = adminOf(rig.insights[0])
  const { partner_api_key: apiKey } = await send(insights, putWorkspace, { params: { workspace_id: name }, body: { name } })
  if (apiKey === undefined) throw new Error(`the workspace ${name} exists already`)
  await send(insights, putInsightsApplication, { params, body: { workspace_id: name, ...settings } })
  const functions = rig.functions.length > 0 ? adminOf(rig.functions[0]) : undefined
  const body = { workspace_id: name, name }
  const { app_secret: secret = '' } = functions === undefined ? {} : await send(functions, putApplication, { params, body })
  const credentials = { url: `http://127.0.0.1:${rig.toThirdParty.port}`, api_key: 'key-of-the-runs' }

  async function connect(userIds: readonly string[]): Promise<User[]> {
    for (let at = 0; at < userIds.length; at += 20) {
      const some = userIds.slice(at, at + 20).map((user_id) => ({ params, body: { user_id, app: 'addressbook', credentials } }))
      await Promise.all(some.map((input) => send(adminOf(rig.functions[0]), connectAccount, input)))
    }
    return userIds.map((id) => ({ id, hash: createHmac('sha256', secret).update(id).digest('hex') }))
  }
  return { apiKey, target: insightsClient({ url: rig.insights[0]?.url ?? '', apiKey }), connect }
}

/** The admin API of a service. */
export function adminOf(service: Service | undefined): Target {
  return adminClient({ url: service?.adminUrl ?? '', token: ADMIN_TOKEN })
}

/** The response to a call of a user: `retryAfter` and `callId` are headers. */
export type Called = { readonly status: number; readonly text: string; readonly callId: string; readonly retryAfter: string }

/** Calls the address book as a user. Throws when no response comes within the deadline. */
export async function callFunction(pool: Pool, { id, hash }: User, deadlineMs: number): Promise<Called> {
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: '/functions/addressbook-get-contact/call',
    headers: { 'app-key': APP_KEY, 'user-id': id, hash, 'content-type': 'application/json' },
    body: '{"contact_id":1}',
    signal: AbortSignal.timeout(deadlineMs),
  })
  const text = await body.text()
  return { status: statusCode, text, callId: String(headers['x-call-id']), retryAfter: String(headers['retry-after']) }
}

/** Opens a pool of connections to each process of functions. */
export function openPools({ functions }: Pick<Rig, 'functions'>, connections: number): Pool[] {
  return functions.map(({ url }) => new Pool(url, { connections, pipelining: 1, connect: { timeout: 2_000 } }))
}
