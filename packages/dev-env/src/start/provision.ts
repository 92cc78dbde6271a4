import { randomBytes } from 'node:crypto'
import {
  API_KEY_SCOPES,
  type Body,
  connectAccount,
  createApiKey,
  createMcpSignInLink,
  createSignInLink,
  disconnectAccount,
  listApplications,
  listConnectedAccounts,
  putApplication,
  putInsightsApplication,
  putWorkspace,
  rotateSecret,
} from '@onward/contract'
import { adminClient, functionsClient, send } from '@onward/contract-client'
import { IMITATIONS, SANDBOX_TOKEN } from '../sandbox/sandbox.ts'
import type { Services } from './functions-and-insights.ts'
import type { KeyFile, Keys } from './keys.ts'

export type Provisioned = Required<Omit<Keys, 'demo_url'>> & Pick<Keys, 'demo_url'>

/** Has a connected address book, and accounts of the imitated apps. */
export const USER_ID = 'joe@example.com'
/** Has no connected account. */
export const OTHER_USER_ID = 'ann@example.com'

const EXPIRE_AT_ONCE = { keep_previous_hours: 0 }

/**
 * Creates the demo workspace and its two applications through the admin APIs, unless they exist. If an earlier start was killed before it
 * stored a key that the service shows only once, creates a new key.
 */
export async function provision(services: Services, keyFile: KeyFile): Promise<Provisioned> {
  const { admin_token: token, workspace_id, app_key } = keyFile.read()
  const { published_app_key = `ak_${randomBytes(9).toString('hex')}` } = keyFile.read()
  keyFile.add({ published_app_key })
  const insights = adminClient({ url: services.insightsAdminUrl, token })
  const functions = adminClient({ url: services.functionsAdminUrl, token })

  const workspace = await send(insights, putWorkspace, {
    params: { workspace_id },
    body: { name: 'Demo workspace', key_scopes: API_KEY_SCOPES },
  })
  if (workspace.partner_api_key !== undefined) keyFile.add({ partner_api_key: workspace.partner_api_key })
  if (keyFile.read().partner_api_key === undefined) {
    const body = { name: 'npm start', scopes: API_KEY_SCOPES }
    keyFile.add({ partner_api_key: (await send(insights, createApiKey, { params: { workspace_id }, body })).partner_api_key })
  }

  async function provisionApplication(key: string, secret: 'app_secret' | 'published_app_secret', body: NewApplication): Promise<void> {
    const params = { app_key: key }
    await send(insights, putInsightsApplication, { params, body: { workspace_id } })
    const { applications } = await send(functions, listApplications, { query: { workspace_id } })
    // The examples have no page that could confirm accounts. A later start keeps what the developer has chosen since.
    const isNew = applications.every(({ app_key: existing }) => existing !== key)
    const { app_secret } = await send(functions, putApplication, { params, body: isNew ? { ...body, confirm_accounts: false } : body })
    if (app_secret !== undefined) keyFile.add({ [secret]: app_secret })
    if (keyFile.read()[secret] === undefined) {
      keyFile.add({ [secret]: (await send(functions, rotateSecret, { params, body: EXPIRE_AT_ONCE })).app_secret })
    }
  }
  await provisionApplication(app_key, 'app_secret', { workspace_id, name: 'Demo application' })
  const published = { workspace_id, name: 'Demo application for published clients', client_profile: 'published' } as const
  await provisionApplication(published_app_key, 'published_app_secret', published)
  return keyFile.read() as Provisioned
}

/** Returns a link with which the developer signs in to the console, once within a day, as an operator. */
export async function makeSignInLink(services: Services, { admin_token: token }: Keys): Promise<string> {
  const insights = adminClient({ url: services.insightsAdminUrl, token })
  const { url } = await send(insights, createSignInLink, { body: { email: 'operator@example.com', operator: true, minutes: 1440 } })
  return url
}

/** Returns a link with which the developer signs in as the demo user, once within a day, to give an MCP client access. */
export async function makeMcpSignInLink(gatewayUrl: string, { app_key: appKey, app_secret: appSecret }: Provisioned): Promise<string> {
  const functions = functionsClient({ url: gatewayUrl, appKey, appSecret, userId: USER_ID })
  return (await send(functions, createMcpSignInLink, { body: { expires_in_minutes: 1_440 } })).url
}

type NewApplication = Body<typeof putApplication>

/**
 * Connects the address book of a user of the application `app_key`, and returns the account's id. Replaces earlier accounts, unless the address
 * of the demo app is still the one of the last start.
 */
export async function connectAddressBook(
  services: Services,
  keys: Pick<Keys, 'admin_token' | 'app_key' | 'demo_api_key' | 'demo_url'>,
  userId: string,
  demoUrl: string,
): Promise<number> {
  const functions = adminClient({ url: services.functionsAdminUrl, token: keys.admin_token })
  const { app_key } = keys
  const { connected_accounts: before } = await send(functions, listConnectedAccounts, {
    params: { app_key },
    query: { user_id: userId, app: 'addressbook' },
  })
  const [kept] = before
  if (kept?.status === 'active' && keys.demo_url === demoUrl) return kept.id
  const { id } = await send(functions, connectAccount, {
    params: { app_key },
    body: { user_id: userId, app: 'addressbook', credentials: { url: demoUrl, api_key: keys.demo_api_key } },
  })
  for (const account of before) await send(functions, disconnectAccount, { params: { app_key, id: String(account.id) } })
  return id
}

/** Connects an account of each imitated app, unless the user has one. */
export async function connectImitations(services: Services, { admin_token: token, app_key }: Keys, userId: string): Promise<void> {
  const functions = adminClient({ url: services.functionsAdminUrl, token })
  const params = { app_key }
  const { connected_accounts } = await send(functions, listConnectedAccounts, { params, query: { user_id: userId } })
  for (const app of Object.keys(IMITATIONS).filter((name) => connected_accounts.every((account) => account.app !== name))) {
    const credentials = { [app === 'gmail' ? 'access_token' : 'token']: `${SANDBOX_TOKEN}-of-${app}` }
    await send(functions, connectAccount, {
      params,
      body: { user_id: userId, app, credentials, display_name: 'Imitation on this machine' },
    })
  }
}

export async function disconnectAddressBook(services: Services, keys: Keys, id: number): Promise<void> {
  const functions = adminClient({ url: services.functionsAdminUrl, token: keys.admin_token })
  await send(functions, disconnectAccount, { params: { app_key: keys.app_key, id: String(id) } })
}
