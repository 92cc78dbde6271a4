import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { addMember, createSignInLink, removeMember } from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually, fixedPort } from '@onward/testbed'
import { type Gateway, openGateway } from '../src/start/gateway.ts'
import { openBothAreas } from './both-areas.ts'

jest.setTimeout(300_000)

/** The longest time for which an ended session or a revoked token may still work. */
const PROMISE_MS = 60_000
const POLL_MS = 500
const PATHS = {
  functions: '/functions/admin/applications?workspace_id=w',
  insights: '/insights/admin/workspaces/w/members',
} as const

/** A browser or a program that is signed in. */
type Client = {
  /** Sends a request with the access token that it has. */
  ask(method: string, path: string, body?: object): Promise<Response>
  /** Asks for a new access token. Returns the status. */
  renew(): Promise<number>
}

let areas: Awaited<ReturnType<typeof openBothAreas>>
let gateway: Gateway
let operator: Client
beforeAll(async () => {
  areas = await openBothAreas(1)
  gateway = await openGateway(await fixedPort(), { functionsUrl: areas.functions[0]?.url ?? '', insightsUrl: areas.insights.url })
  operator = await openBrowser(
    (await send(areas.insightsAdmin, createSignInLink, { body: { email: 'op@example.com', operator: true } })).url,
  )
})
afterAll(async () => {
  await gateway.close()
  await areas.close()
})

/** Sends a request to the console's API through the gateway. */
async function ask(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Response> {
  return await fetch(`${gateway.url}/console/api${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
}

/** Signs in with a link, and keeps cookies as a browser does. */
async function openBrowser(url: string): Promise<Client & { headers(): Record<string, string> }> {
  const cookies = new Map<string, string>()
  const headers = () => ({ 'x-onward-console': '1', cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  const askWithCookies = async (method: string, path: string, body?: object) => {
    const response = await ask(method, path, headers(), body)
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const redeemed = await askWithCookies('POST', '/insights/admin/session/redeem', { code: new URL(url).hash.slice('#code='.length) })
  expect(redeemed.status).toBe(200)
  return { headers, ask: askWithCookies, renew: async () => (await askWithCookies('POST', '/insights/admin/session/renew', {})).status }
}

/** Uses a token of the console as a program does. */
function openProgram(token: string): Client {
  let access = ''
  return {
    ask: async (method, path, body) => await ask(method, path, { authorization: `Bearer ${access}` }, body),
    async renew() {
      const response = await ask('POST', '/insights/admin/session/renew', { authorization: `Bearer ${token}` }, {})
      if (response.ok) access = ((await response.json()) as { access_token: string }).access_token
      return response.status
    },
  }
}

/** Adds an owner who is signed in in two browsers. */
async function addOwner() {
  const email = `owner-${randomBytes(3).toString('hex')}@example.com`
  const invite = () => send(areas.insightsAdmin, addMember, { params: { workspace_id: 'w' }, body: { email, role: 'owner' } })
  const { person_id, sign_in_url } = await invite()
  return { id: person_id, browser: await openBrowser(sign_in_url), other: await openBrowser((await invite()).sign_in_url) }
}

const statusOf = async (client: Client, path: string) => (await client.ask('GET', path)).status
const ownSession = async (client: Client) => {
  const { sessions } = (await (await client.ask('GET', '/insights/admin/sessions')).json()) as {
    sessions: { id: string; current: boolean }[]
  }
  return sessions.find(({ current }) => current)?.id ?? ''
}

/**
 * Uses both services until they refuse the client and its access cannot be renewed, or until the promise is broken. Returns how many
 * milliseconds after `since` the last request was sent that a service accepted.
 */
async function usedFor(client: Client, since: number): Promise<number> {
  let last = 0
  while (last <= PROMISE_MS) {
    const sent = performance.now() - since
    const statuses = await Promise.all([statusOf(client, PATHS.functions), statusOf(client, PATHS.insights)])
    if (statuses.includes(200)) last = sent
    else if ((await client.renew()) === 401) return last
    await sleep(POLL_MS)
  }
  return last
}

describe('a session of the console in both services', () => {
  it('changes nothing more once it or its token is revoked, its person signs out or is removed', async () => {
    const [ended, signedOut, removed, revoked] = await Promise.all([addOwner(), addOwner(), addOwner(), addOwner()])
    const made = await revoked.browser.ask('POST', '/insights/admin/tokens', { name: 'ci', role: 'owner', workspace_id: 'w', days: 1 })
    const token = (await made.json()) as { id: string; token: string }
    const clients = [ended.browser, signedOut.browser, removed.browser, openProgram(token.token)]
    for (const client of clients) expect(await client.renew()).toBe(200)
    const changes = (client: Client) => [
      client.ask('PUT', '/functions/admin/applications/ak', { workspace_id: 'w', name: 'A' }),
      client.ask('POST', '/insights/admin/workspaces/w/members', { email: 'guest@example.com', role: 'viewer' }),
    ]
    for (const client of clients) for (const { status } of await Promise.all(changes(client))) expect(status).toBe(200)
    await ended.other.ask('DELETE', `/insights/admin/sessions/${await ownSession(ended.browser)}`)
    await revoked.browser.ask('DELETE', `/insights/admin/sessions/${token.id}`)
    await ask('POST', '/insights/admin/session/sign-out', signedOut.browser.headers(), {})
    await send(areas.insightsAdmin, removeMember, { params: { workspace_id: 'w', person_id: removed.id } })
    await eventually(async () => {
      const statuses = await Promise.all(clients.flatMap(changes).map(async (response) => (await response).status))
      expect(statuses.filter((status) => status < 400)).toEqual([])
    })
  })

  it('ends within a minute when it or its token is revoked, its person signs out or is removed, and others go on', async () => {
    const [ended, signedOut, removed, revoked] = await Promise.all([addOwner(), addOwner(), addOwner(), addOwner()])
    const made = await revoked.browser.ask('POST', '/insights/admin/tokens', { name: 'ci', role: 'owner', workspace_id: 'w', days: 1 })
    const token = (await made.json()) as { id: string; token: string }
    const clients = {
      'its person ended it': ended.browser,
      'its person signed out': signedOut.browser,
      'its person is no longer a member': removed.browser,
      'its token was revoked': openProgram(token.token),
    }
    const session = await ownSession(ended.browser)
    // New access tokens are valid for the longest time.
    for (const client of [...Object.values(clients), ended.other, revoked.browser, operator]) expect(await client.renew()).toBe(200)
    for (const client of Object.values(clients)) {
      for (const path of Object.values(PATHS)) expect(await statusOf(client, path)).toBe(200)
    }
    const since = performance.now()
    const done = [
      await ended.other.ask('DELETE', `/insights/admin/sessions/${session}`),
      await revoked.browser.ask('DELETE', `/insights/admin/sessions/${token.id}`),
      // Not by the browser itself, which would then delete its cookies.
      await ask('POST', '/insights/admin/session/sign-out', signedOut.browser.headers(), {}),
    ]
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200])
    await send(areas.insightsAdmin, removeMember, { params: { workspace_id: 'w', person_id: removed.id } })
    const used = await Promise.all(Object.entries(clients).map(async ([why, client]) => [why, await usedFor(client, since)] as const))
    expect(used.filter(([, ms]) => ms > PROMISE_MS)).toEqual([])
    for (const client of [ended.other, revoked.browser, operator]) {
      expect(await client.renew()).toBe(200)
      expect([await statusOf(client, PATHS.functions), await statusOf(client, PATHS.insights)]).toEqual([200, 200])
    }
  })
})
