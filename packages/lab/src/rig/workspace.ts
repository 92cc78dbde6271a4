import { createHmac } from 'node:crypto'
import { connectAccount, createSubscription, putApplication, putInsightsApplication, putWorkspace } from '@onward/contract'
import { adminClient, insightsClient, send, type Target } from '@onward/contract-client'
import { ADMIN_TOKEN } from '@onward/testbed'
import { Pool } from 'undici'
import type { Rig } from './open-rig.ts'
import type { Service } from './processes.ts'

/** The application of the first workspace. */
export const APP_KEY = 'bench'

/** A user of an application, and the function that the load calls for it. */
export type User = { readonly id: string; readonly hash: string; readonly appKey: string; readonly call: FunctionCall }

type FunctionCall = { readonly name: string; readonly args: object }

/** The account that users of an application have, and the function that is called with it. */
type Account = { readonly app: string; readonly credentials: Readonly<Record<string, string>>; readonly call: FunctionCall }

/** A workspace with one application. */
export type Workspace = {
  readonly apiKey: string
  /** The API of area B, called with the workspace's API key. */
  readonly target: Target
  /** Returns users who call a function with an account that is connected already. */
  usersOf(userIds: readonly string[], call: FunctionCall): User[]
  /** Connects an account for each user: of the address book, unless another one is given. */
  connect(userIds: readonly string[], account?: Account): Promise<User[]>
}

/** No run may reach a rate limit. */
const UNLIMITED = 1_000_000_000
export const UNLIMITED_RATES = {
  rate_limit: UNLIMITED,
  user_rate_limit: UNLIMITED,
  predict_rate_limit: UNLIMITED,
  user_predict_rate_limit: UNLIMITED,
}

type Settings = { readonly limit_period?: number; readonly on_limit?: 'block' }

/** Creates a workspace, and an application of the same name in each service that the rig runs. */
export async function createWorkspace(
  rig: Rig,
  settings: Settings = {},
  name = APP_KEY,
  rates: Partial<typeof UNLIMITED_RATES> = UNLIMITED_RATES,
): Promise<Workspace> {
  const params = { app_key: name }
  const insights = adminOf(rig.insights[0])
  const ofWorkspace = { name, rate_limit: UNLIMITED }
  const { partner_api_key: apiKey } = await send(insights, putWorkspace, { params: { workspace_id: name }, body: ofWorkspace })
  if (apiKey === undefined) throw new Error(`the workspace ${name} exists already`)
  await send(insights, putInsightsApplication, { params, body: { workspace_id: name, ...settings } })
  const functions = rig.functions.length > 0 ? adminOf(rig.functions[0]) : undefined
  const body = { workspace_id: name, name, ...rates }
  const { app_secret: secret = '' } = functions === undefined ? {} : await send(functions, putApplication, { params, body })
  const addressBook: Account = {
    app: 'addressbook',
    credentials: { url: new URL(rig.toThirdParty.url).origin, api_key: 'key-of-the-runs' },
    call: { name: 'addressbook-get-contact', args: { contact_id: 1 } },
  }

  const usersOf = (userIds: readonly string[], call: FunctionCall): User[] =>
    userIds.map((id) => ({ id, hash: createHmac('sha256', secret).update(id).digest('hex'), appKey: name, call }))

  async function connect(userIds: readonly string[], { app, credentials, call } = addressBook): Promise<User[]> {
    for (let at = 0; at < userIds.length; at += 20) {
      const some = userIds.slice(at, at + 20).map((user_id) => ({ params, body: { user_id, app, credentials } }))
      await Promise.all(some.map((input) => send(adminOf(rig.functions[0]), connectAccount, input)))
    }
    return usersOf(userIds, call)
  }
  return { apiKey, target: insightsClient({ url: rig.insights[0]?.url ?? '', apiKey }), usersOf, connect }
}

/** Creates a subscription of a workspace to levels, with the third party as its receiver. */
export async function subscribe(rig: Rig, { target }: Workspace, levels: readonly number[]): Promise<void> {
  const events = levels.map((level) => `user_tasks_limit_${level}`)
  await send(target, createSubscription, { body: { events, callback_url: `${rig.thirdParty.ready[0]}/hooks` } })
}

/** The admin API of a service. */
export function adminOf(service: Service | undefined): Target {
  return adminClient({ url: service?.adminUrl ?? '', token: ADMIN_TOKEN })
}

/** The response to a call of a user: `retryAfter` and `callId` are headers. */
export type Called = { readonly status: number; readonly text: string; readonly callId: string; readonly retryAfter: string }

/** Calls the function of a user, with an Idempotency-Key if one is given. Throws when no response comes within the deadline. */
export async function callFunction(pool: Pool, { id, hash, appKey, call }: User, deadlineMs: number, key?: string): Promise<Called> {
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: `/functions/${call.name}/call`,
    headers: {
      'app-key': appKey,
      'user-id': id,
      hash,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(call.args),
    signal: AbortSignal.timeout(deadlineMs),
  })
  const text = await body.text()
  return { status: statusCode, text, callId: String(headers['x-call-id']), retryAfter: String(headers['retry-after']) }
}

/** Opens a pool of connections to each process of functions. */
export function openPools({ functions }: Pick<Rig, 'functions'>, connections: number): Pool[] {
  return functions.map(({ url }) => new Pool(url, { connections, pipelining: 1, connect: { timeout: 2_000 } }))
}
