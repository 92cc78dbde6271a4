import { addMember, createSignInLink, type EndpointShape, propertyNames, ROLES, type Role } from '@onward/contract'
import { send as sendTo } from '@onward/contract-client'
import { adminRoutes as adminOfFunctions, publicRoutes as areaA } from '@onward/functions'
import { adminRoutes as adminOfInsights, publicRoutes as areaB } from '@onward/insights'
import { ADMIN_TOKEN } from '@onward/testbed'
import { openBothAreas } from './both-areas.ts'

type Target = 'own' | 'other' | 'none'
const APP_KEYS = { own: 'ak-own', other: 'ak-other' }
const WORKSPACES = { own: 'own', other: 'other' }

type Place = { readonly service: 'functions' | 'insights'; readonly endpoint: EndpointShape }
const placed = (service: Place['service'], routes: readonly { readonly endpoint: EndpointShape }[], prefix = ''): Place[] =>
  routes.map(({ endpoint }) => ({ service, endpoint: { ...endpoint, path: prefix + endpoint.path } }))

/** Every endpoint behind the API of the console. */
const PLACES = [
  ...placed('functions', adminOfFunctions),
  ...placed('functions', areaA, '/admin/applications/:app_key/users/:user_id'),
  ...placed('insights', adminOfInsights),
  ...placed('insights', areaB, '/admin/workspaces/:workspace_id'),
]

let areas: Awaited<ReturnType<typeof openBothAreas>>
beforeAll(async () => {
  areas = await openBothAreas(1, { ALLOW_PLAIN_HTTP: 'true' })
  const admin = async (url: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }
    const { status } = await fetch(url + path, { method: 'PUT', headers, body: JSON.stringify(body) })
    expect(status).toBe(200)
  }
  for (const which of ['own', 'other'] as const) {
    const [workspace_id, key] = [WORKSPACES[which], APP_KEYS[which]]
    await admin(areas.insights.internalUrl, `/admin/workspaces/${workspace_id}`, { name: which })
    await admin(areas.insights.internalUrl, `/admin/applications/${key}`, { workspace_id })
    await admin(areas.functions[0]?.internalUrl ?? '', `/admin/applications/${key}`, { workspace_id, name: which })
  }
})
afterAll(() => areas.close())

type Sent = { readonly path: string; readonly body: object | undefined }

/** Returns a request about a workspace; undefined if the path names one and it must not. Its body is not valid, so that nothing changes. */
function requestOf({ path, query, body, access, method }: EndpointShape, target: Target): Sent | undefined {
  const names = access !== undefined && 'in' in access ? access.in : []
  if (target === 'none' ? names.some((name) => path.includes(`:${name}`)) : names.length === 0) return undefined
  const values: Record<string, string> = target === 'none' ? {} : { workspace_id: WORKSPACES[target], app_key: APP_KEYS[target] }
  const named = (schema: EndpointShape['query']) =>
    Object.fromEntries(names.flatMap((name) => (propertyNames(schema).includes(name) ? [[name, values[name]]] : [])))
  const filled = path.replace(/:(\w+)/g, (_, name) => values[name] ?? '00000000-0000-7000-8000-000000000000')
  const search = target === 'none' ? '' : `?${new URLSearchParams(named(query) as Record<string, string>)}`
  return { path: filled + search, body: method === 'get' || method === 'delete' ? undefined : { ...named(body), unknown_field: 1 } }
}

/** What a role may expect, from the access of the endpoint alone. `pass`: the guard lets the request through. */
function expectedOf({ access }: EndpointShape, role: Role, target: Target): 'pass' | '403 role_required' | '404' {
  if (access === undefined) throw new Error('an endpoint has no access')
  if (role === 'operator' || access.role === 'anyone' || access.role === 'member') return 'pass'
  if (!('in' in access)) return '403 role_required'
  if (target === 'other') return '404'
  return target === 'own' && ROLES.indexOf(role) >= ROLES.indexOf(access.role) ? 'pass' : '403 role_required'
}

const REFUSED = ['unauthenticated', 'cross_site_request', 'role_required', 'workspace_not_found', 'application_not_found']

async function send({ service, endpoint }: Place, { path, body }: Sent, headers: Record<string, string>): Promise<string> {
  const url = service === 'functions' ? areas.functions[0]?.url : areas.insights.url
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${url}/console/api/${service}${path}`, {
    method: endpoint.method.toUpperCase(),
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...init,
  })
  const { code = '' } = (await response.json()) as { code?: string }
  if (!REFUSED.includes(code)) return 'pass'
  return /^(workspace|application)_not_found$/.test(code) ? '404' : `${response.status} ${code}`
}

/** Whether a request that passes the guard changes nothing. */
const isHarmless = ({ method, body }: EndpointShape) => method === 'get' || (method !== 'delete' && body !== undefined)

const TARGETS: readonly Target[] = ['own', 'other', 'none']

/** Signs a new person in, who has the role in the own workspace. Returns a function that returns an access token of at most 20 s. */
async function signIn(role: Role, email: string): Promise<() => Promise<string>> {
  const { insightsAdmin } = areas
  const { url } =
    role === 'operator'
      ? await sendTo(insightsAdmin, createSignInLink, { body: { email, operator: true } })
      : { url: (await sendTo(insightsAdmin, addMember, { params: { workspace_id: 'own' }, body: { email, role } })).sign_in_url }
  const post = async (path: string, cookie: string, body: object) => {
    const headers = { 'x-onward-console': '1', 'content-type': 'application/json', cookie }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${areas.insights.url}/console/api/insights/admin/session/${path}`, init)
    expect(response.status).toBe(200)
    return response.headers.getSetCookie()
  }
  const valueIn = (cookies: readonly string[], name: string) =>
    cookies.flatMap((each) => new RegExp(`^${name}=([^;]+)`).exec(each)?.[1] ?? []).join()
  const session = valueIn(await post('redeem', '', { code: new URL(url).hash.slice('#code='.length) }), 'onward-session')
  let token = ''
  let renewedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - renewedAt > 20_000) {
      renewedAt = performance.now()
      token = valueIn(await post('renew', `onward-session=${session}`, {}), 'onward-access')
    }
    return token
  }
}

describe('every endpoint behind the API of the console', () => {
  it.each(ROLES)('confines the role %s to its workspace', async (role) => {
    const wrong: string[] = []
    const renew = await signIn(role, `${role}@example.com`)
    for (const place of PLACES) {
      const token = await renew()
      for (const target of TARGETS) {
        const sent = requestOf(place.endpoint, target)
        const expected = expectedOf(place.endpoint, role, target)
        if (sent === undefined || (expected === 'pass' && !isHarmless(place.endpoint))) continue
        const got = await send(place, sent, { authorization: `Bearer ${token}` })
        if (got !== expected)
          wrong.push(`${place.service} ${place.endpoint.method} ${place.endpoint.path} ${target}: ${got}, not ${expected}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it.each<[string, () => Record<string, string>, string]>([
    ['without a session', () => ({ 'x-onward-console': '1' }), '401 unauthenticated'],
    ['with ADMIN_TOKEN', () => ({ authorization: `Bearer ${ADMIN_TOKEN}` }), '401 unauthenticated'],
    ['with an API key', () => ({ 'api-key': areas.partnerApiKey }), '403 cross_site_request'],
  ])('refuses a request %s', async (_what, headers, expected) => {
    const wrong: string[] = []
    for (const place of PLACES.filter(({ endpoint }) => endpoint.access?.role !== 'anyone')) {
      const sent = requestOf(place.endpoint, 'own') ?? requestOf(place.endpoint, 'none')
      const got = sent === undefined ? 'nothing to send' : await send(place, sent, headers())
      if (got !== expected) wrong.push(`${place.service} ${place.endpoint.method} ${place.endpoint.path}: ${got}`)
    }
    expect(wrong).toEqual([])
  })

  it('does not let a member claim in insights an App-Key that another workspace has only in functions', async () => {
    const renew = await signIn('owner', 'claiming@example.com')
    const headers = { authorization: `Bearer ${await renew()}`, 'content-type': 'application/json' }
    const put = async (service: 'functions' | 'insights', appKey: string, body: object) => {
      const url = service === 'functions' ? areas.functions[0]?.url : areas.insights.url
      const path = `/console/api/${service}/admin/applications/${appKey}`
      const response = await fetch(url + path, { method: 'PUT', headers, body: JSON.stringify({ workspace_id: 'own', ...body }) })
      return { status: response.status, body: (await response.json()) as { code?: string; assignment?: string } }
    }
    const bootstrap = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ workspace_id: 'other', name: 'Theirs' })
    await fetch(`${areas.functions[0]?.internalUrl}/admin/applications/ak-theirs`, { method: 'PUT', headers: bootstrap, body })
    expect(await put('insights', 'ak-theirs', {})).toMatchObject({ status: 403, body: { code: 'assignment_required' } })
    expect(await put('functions', 'ak-theirs', { name: 'Mine' })).toMatchObject({ status: 404, body: { code: 'application_not_found' } })

    const mine = await put('functions', 'ak-mine', { name: 'Mine' })
    const assignment = mine.body.assignment
    expect((await put('insights', 'ak-theirs', { assignment })).body.code).toBe('assignment_required')
    expect((await put('insights', 'ak-mine', { assignment })).status).toBe(200)
  })

  it('is among at least 100', () => {
    expect(PLACES.length).toBeGreaterThan(100)
  })
})
