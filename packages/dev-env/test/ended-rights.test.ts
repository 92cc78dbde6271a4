import { addMember, changeMember, removeMember } from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually, type Link, openLink, openQueueSpace, type QueueSpace } from '@onward/testbed'
import { APP_KEY, openBothAreas, USER_ID } from './both-areas.ts'

/** The services connect to the queue again after pauses that grow. */
const LONG_MS = 60_000
jest.setTimeout(2 * LONG_MS)

let space: QueueSpace
let link: Link
let areas: Awaited<ReturnType<typeof openBothAreas>>
beforeAll(async () => {
  space = await openQueueSpace()
  link = await openLink(space.url)
  areas = await openBothAreas(1, { QUEUE_URL: link.url, QUEUE_PREFIX: space.prefix })
  // A workspace keeps an owner.
  await send(areas.insightsAdmin, addMember, { params: { workspace_id: 'w' }, body: { email: 'first@example.com', role: 'owner' } })
})
afterAll(async () => {
  await areas.close()
  await link.close()
  await space.close()
})

const params = (person_id: string) => ({ workspace_id: 'w', person_id })

/** Adds an owner. Returns the id, and headers that sign in to both services with the rights of this moment. */
async function addOwner(email: string) {
  const body = { email, role: 'owner' } as const
  const { person_id: id, sign_in_url } = await send(areas.insightsAdmin, addMember, { params: { workspace_id: 'w' }, body })
  const headers = { 'content-type': 'application/json', 'x-onward-console': '1' }
  const redeemed = await fetch(`${areas.insights.url}/console/api/insights/admin/session/redeem`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ code: new URL(sign_in_url).hash.slice('#code='.length) }),
  })
  expect(redeemed.status).toBe(200)
  const cookie = redeemed.headers.getSetCookie().map((each) => each.split(';')[0])
  return { id, headers: { ...headers, cookie: cookie.join('; ') } }
}

const functionsUrl = () => areas.functions[0]?.url ?? ''

async function makeMcpToken(headers: Record<string, string>): Promise<string> {
  const url = `${functionsUrl()}/console/api/functions/admin/applications/${APP_KEY}/users/${USER_ID}/mcp/tokens`
  const made = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ mode: 'search' }) })
  expect(made.status).toBe(200)
  return ((await made.json()) as { token: string }).token
}

async function works(token: string): Promise<boolean> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const { status } = await fetch(`${functionsUrl()}/mcp`, { method: 'POST', headers, body })
  expect([200, 401]).toContain(status)
  return status === 200
}

describe('the MCP tokens of a member', () => {
  it('end when the member is removed while the queue is down, once it is back', async () => {
    const { id, headers } = await addOwner('removed@example.com')
    const token = await makeMcpToken(headers)
    link.set({ kind: 'reset' })
    await send(areas.insightsAdmin, removeMember, { params: params(id) })
    expect(await works(token)).toBe(true)
    link.set({ kind: 'normal' })
    await eventually(async () => expect(await works(token)).toBe(false), LONG_MS)
  })

  it('stay if the member gets the role back before functions knows that it was lost, and made them after that', async () => {
    const { id, headers } = await addOwner('again@example.com')
    const before = await makeMcpToken(headers)
    link.set({ kind: 'reset' })
    const change = (role: 'viewer' | 'owner') => send(areas.insightsAdmin, changeMember, { params: params(id), body: { role } })
    await change('viewer')
    await change('owner')
    const renewed = await fetch(`${areas.insights.url}/console/api/insights/admin/session/renew`, { method: 'POST', headers, body: '{}' })
    const access = renewed.headers.getSetCookie().map((each) => each.split(';')[0])
    const after = await makeMcpToken({ ...headers, cookie: access.join('; ') })
    link.set({ kind: 'normal' })
    await eventually(async () => expect(await works(before)).toBe(false), LONG_MS)
    expect(await works(after)).toBe(true)
  })
})
