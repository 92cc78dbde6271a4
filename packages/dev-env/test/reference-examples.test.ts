import * as contract from '@onward/contract'
import { adminClient, exchange, send, type Target } from '@onward/contract-client'
import { ADMIN_TOKEN, eventually } from '@onward/testbed'
import { type AddressBook, openAddressBook } from '../src/demo/address-book.ts'
import { openReceiver, type Receiver } from '../src/start/receiver.ts'
import { APP_KEY, type Functions, openBothAreas, USER_ID } from './both-areas.ts'

type Named = readonly [name: string, summary: string, endpoint: contract.EndpointShape, example: contract.EndpointExample]

/** Need a confirmation or a request, which only the user's browser receives, or a delivery that was taken. */
const NOT_SENT = ['confirmOwnAccount', 'approveMcpSignIn', 'reportAttempt']
/** These delete what other examples use. */
const LAST = ['deleteSubscription', 'disconnectOwnAccount', 'revokeMcpToken', 'endEmbedSessions']
/** Their responses are always the same. Answers of the others have ids, times or counts. */
const EXACT = ['callFunction', 'getFunction', 'listFunctions', 'previewImport']

const examples: readonly Named[] = Object.entries(contract as Record<string, unknown>)
  .filter((entry): entry is [string, contract.EndpointShape] => Object(entry[1]).path !== undefined)
  .filter(([name]) => !NOT_SENT.includes(name))
  .sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b))
  .flatMap(([name, endpoint]) => (endpoint.examples ?? []).map((example) => [name, example.summary, endpoint, example] as const))

let areas: Awaited<ReturnType<typeof openBothAreas>>
let book: AddressBook
let receiver: Receiver
let values: Readonly<Record<string, string>>

beforeAll(async () => {
  areas = await openBothAreas(1)
  book = await openAddressBook({ port: 0, apiKey: 'key-of-the-book' })
  receiver = await openReceiver()
  const [functions] = areas.functions as [Functions]
  const { id } = await send(adminClient({ url: functions.internalUrl, token: ADMIN_TOKEN }), contract.connectAccount, {
    params: { app_key: APP_KEY },
    body: { user_id: USER_ID, app: 'addressbook', credentials: { url: book.url, api_key: 'key-of-the-book' } },
  })
  await send(areas.clientOf(functions), contract.setDefaultAccount, { params: { id: String(id) } })
  const { headers } = await exchange(areas.clientOf(functions), contract.callFunction, {
    params: { function_name: 'addressbook-get-contact' },
    body: { contact_id: 1 },
  })
  const { subscription_id } = await send(areas.partner, contract.createSubscription, {
    body: { events: ['user_tasks_limit_80'], callback_url: receiver.url },
  })
  const { delivery_id } = await send(areas.partner, contract.testSubscription, { params: { subscription_id } })
  const query = { app_key: APP_KEY }
  await eventually(async () => await send(areas.partner, contract.getUserTasks, { params: { id: USER_ID }, query }), 60_000)
  await eventually(() => expect(receiver.received).toHaveLength(1), 60_000)
  const listener = await send(areas.partner, contract.createListener, { body: { events: ['user_tasks_limit_80'] } })
  const mcpToken = await send(areas.clientOf(functions), contract.createMcpToken, { body: { mode: 'search' } })
  const params = { app_key: APP_KEY }
  const rule: contract.PolicyRule = { functions: ['addressbook-create-contact'], result: 'ask' }
  await send(adminClient({ url: functions.internalUrl, token: ADMIN_TOKEN }), contract.putPolicy, { params, body: { rules: [rule] } })
  const asking = { params: { function_name: 'addressbook-create-contact' }, body: { name: 'Ada', email: 'ada@example.com' } }
  await exchange(areas.clientOf(functions), contract.callFunction, asking).catch(() => {})
  const { approvals } = await send(areas.clientOf(functions), contract.listApprovals, { body: {} })
  const { session_id } = await send(areas.partner, contract.createEmbedSession, { query, body: { user_id: USER_ID, views: ['usage'] } })
  values = {
    session_id,
    app_key: APP_KEY,
    call_id: String(headers['x-call-id']),
    subscription_id,
    delivery_id,
    'id of connected-accounts': String(id),
    'id of mcp': mcpToken.id,
    'id of approvals': approvals[0]?.id ?? '',
    'subscription_id of listeners': listener.subscription_id,
  }
})

afterAll(async () => {
  await areas.close()
  await receiver.close()
  await book.close()
})

function targetOf(path: string): Target {
  const [functions] = areas.functions as [Functions]
  if (path.startsWith('/admin/')) return adminClient({ url: functions.internalUrl, token: ADMIN_TOKEN })
  return path.startsWith('/partners/') ? areas.partner : areas.clientOf(functions)
}

/** Returns the parameters of an example with the keys and ids of this test. */
function actual(endpoint: contract.EndpointShape, given: Readonly<Record<string, unknown>> = {}) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const resource = /\/(approvals|connected-accounts|listeners|mcp)\//.exec(endpoint.path)?.[1]
      return [name, values[`${name} of ${resource}`] ?? values[name] ?? value]
    }),
  )
}

/** Returns where a response has other keys or types than the example. Any part can be null, and lists can be empty. */
function differences(shown: unknown, received: unknown, at: string): string[] {
  if (shown === null || received === null) return []
  if (Array.isArray(shown) && Array.isArray(received)) {
    return shown.length === 0 || received.length === 0 ? [] : differences(shown[0], received[0], `${at}[0]`)
  }
  if (typeof shown !== typeof received || Array.isArray(shown) !== Array.isArray(received)) return [`${at} has another type`]
  if (typeof shown !== 'object') return []
  const [a, b] = [shown, received] as Record<string, unknown>[]
  const keys = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])]
  return keys.flatMap((key) => {
    const inBoth = Object.hasOwn(a ?? {}, key) && Object.hasOwn(b ?? {}, key)
    return inBoth ? differences(a?.[key], b?.[key], `${at}.${key}`) : [`${at}.${key} is in one of them only`]
  })
}

describe('an example of the API reference', () => {
  it.each(examples)('of %s gets the answer that it shows: %s', async (name, _summary, endpoint, example) => {
    const target = targetOf(endpoint.path)
    const input = { params: actual(endpoint, example.params), query: actual(endpoint, example.query), body: example.body }
    const { status, response } = await exchange(target, endpoint, input as never)
    expect(status).toBe(200)
    if (EXACT.includes(name)) expect(response).toEqual(example.response)
    expect(differences(example.response, response, 'answer')).toEqual([])
  })
})
