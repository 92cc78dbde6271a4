import {
  callFunction,
  connectAccount,
  createEmbedSession,
  createMcpSignInLink,
  createMcpToken,
  createSubscription,
  decideApproval,
  getUserTasks,
  listApprovals,
  openConnectSession,
  predictFunction,
  putInsightsApplication,
  putOAuthClient,
  putPolicy,
  putSuspension,
  setUserLimits,
} from '@onward/contract'
import { adminClient, functionsClient, send } from '@onward/contract-client'
import { ADMIN_TOKEN, eventually, type ScriptedServer } from '@onward/testbed'
import { APP_KEY, type openBothAreas } from './both-areas.ts'
import { inDatabase } from './in-database.ts'

const params = { app_key: APP_KEY }
const query = { app_key: APP_KEY }

/** An app that revokes tokens. Its revocation endpoint, and everything else of it, is at `url`. */
export function revocableApp(url: string): object {
  const at = { authorization_url: `${url}/auth`, token_url: `${url}/token`, revocation_url: `${url}/revoke` }
  return {
    name: 'revocable',
    title: 'Revocable',
    description: 'The test app revocable.',
    base_url: url,
    auth: { type: 'oauth2', ...at },
    functions: {
      'get-me': { title: 'Get me', description: 'Returns your profile.', type: 'QUERY', request: { method: 'GET', path: '/me' } },
    },
  }
}

/**
 * Lets a user leave something in every table: accounts, calls, prompts, approvals, tokens, links, a limit that is reached, webhooks, a page,
 * and a task in quarantine. Calls contain the User-ID. Returns once insights has counted the calls, a prompt was learnt, and the receiver has
 * the webhooks.
 */
export async function useEverything(
  areas: Awaited<ReturnType<typeof openBothAreas>>,
  userId: string,
  receiver: Pick<ScriptedServer, 'url' | 'received'>,
): Promise<void> {
  const [process] = areas.functions
  const admin = adminClient({ url: process?.internalUrl ?? '', token: ADMIN_TOKEN })
  const user = functionsClient({ url: process?.url ?? '', appKey: APP_KEY, appSecret: areas.appSecret, userId })
  const kinds = ['user_tasks_limit_100', 'account_connected', 'approval_requested', 'limit_changed']
  const events = [...kinds, 'account_disconnected']
  await send(areas.partner, createSubscription, { body: { events, callback_url: receiver.url } })
  const blocking = { workspace_id: 'w', on_limit: 'block' as const, embed_origins: ['https://acme.example'] }
  await send(areas.insightsAdmin, putInsightsApplication, { params, body: blocking })
  await send(areas.partner, setUserLimits, { query, body: [{ user_id: userId, allowed_tasks: 3 }] })

  await areas.connect(userId)
  const client = { client_id: 'revocable', client_secret: 'secret-of-the-client' }
  await send(admin, putOAuthClient, { params: { ...params, app: 'revocable' }, body: client })
  const account = { app: 'revocable', credentials: { access_token: 'token-to-revoke', refresh_token: 'refresh-token-to-revoke' } }
  await send(admin, connectAccount, { params, body: { user_id: userId, test: false, ...account } })
  await send(user, openConnectSession, { body: { manage: true } })
  await send(user, createMcpToken, { body: { mode: 'search', name: 'Agent' } })
  await send(user, createMcpSignInLink, { body: {} })
  await send(areas.partner, createEmbedSession, { query, body: { user_id: userId, views: ['usage', 'accounts'] } })

  await send(admin, putPolicy, { params, body: { rules: [{ functions: ['addressbook-get-contact'], result: 'ask' }] } })
  const asking = send(user, callFunction, { params: { function_name: 'addressbook-get-contact' }, body: { contact_id: 1 } })
  await asking.catch((err: { code?: string }) => expect(err.code).toBe('approval_required'))
  const { approvals } = await send(user, listApprovals, { body: {} })
  await send(user, decideApproval, { params: { id: approvals[0]?.id ?? '' }, body: { result: 'refused' } })

  await send(user, predictFunction, { body: { prompt: 'list my contacts' } })
  await send(user, predictFunction, { body: { prompt: 'list the groups of my contacts' } })
  for (const n of [1, 2, 3]) {
    const call = { params: { function_name: 'addressbook-list-contacts' }, body: { search: userId } }
    await send(user, callFunction, { ...call, headers: { 'Idempotency-Key': `call-${n}` } })
  }
  const suspension = { workspace_id: 'w', app_key: APP_KEY, user_id: userId, state: 'read_only' as const, reason: 'Unusual activity.' }
  await send(admin, putSuspension, { body: suspension })
  const consumed = async () => (await send(areas.partner, getUserTasks, { params: { id: userId }, query })).tasks_consumed
  await eventually(async () => expect(await consumed()).toBe(3), 60_000)
  await eventually(async () => {
    expect(await inDatabase(areas.functionsDatabaseUrl, 'select from user_prompt')).toBe(1)
  }, 60_000)
  const event = JSON.stringify({ app_key: APP_KEY, user_id: userId, occurred_at: 'yesterday' }).replaceAll("'", "''")
  await inDatabase(
    areas.insightsDatabaseUrl,
    `insert into quarantine (digest, job_id, event, reason, app_key) values ('\\x01', 'j', '${event}', 'occurred_at: no time', '${APP_KEY}')`,
  )
  const seen = () => receiver.received.map(({ headers }) => headers['event-name'])
  await eventually(() => expect(seen()).toEqual(expect.arrayContaining(kinds)), 60_000)
}
