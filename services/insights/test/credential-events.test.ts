import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { codeOf } from './embedding.ts'
import type { Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights()
const CONSOLE_API = '/console/api/insights'
const BROWSER = { 'x-onward-console': '1' }

type Headers = Record<string, string>

/** A separate workspace for each event: an API key, and a member who is signed in. */
type Scene = { readonly workspace: Workspace; readonly keyId: string; readonly personId: string; readonly cookie: string }

const ask = (method: 'get' | 'post' | 'put' | 'delete', path: string, headers: Headers, body?: object) =>
  request(insights.url)[method](path).set(headers).send(body)

async function signIn(url: string): Promise<string> {
  const { headers } = await ask('post', `${CONSOLE_API}/admin/session/redeem`, BROWSER, { code: codeOf(url) }).expect(200)
  return (headers['set-cookie'] as unknown as string[]).map((each) => each.split(';')[0]).join('; ')
}

async function openScene(): Promise<Scene> {
  const workspace = await insights.workspace()
  const members = `/admin/workspaces/${workspace.id}/members`
  await insights.admin.post(members, { email: `first-${workspace.id}@example.com`, role: 'owner' }).expect(200)
  const { body } = await insights.admin.post(members, { email: `${workspace.id}@example.com`, role: 'owner' }).expect(200)
  const { keys } = (await insights.admin.get(`/admin/workspaces/${workspace.id}`).expect(200)).body
  return { workspace, keyId: keys[0].id, personId: body.person_id, cookie: await signIn(body.sign_in_url) }
}

/** Renewing reads the rights of this moment. A member who lost the role for it may still read. */
async function statusAtConsole(
  { workspace }: Scene,
  headers: Headers,
  renewed: (body: { access_token?: string }) => Headers,
): Promise<number> {
  const { status, body } = await ask('post', `${CONSOLE_API}/admin/session/renew`, headers, {})
  if (status !== 200) return status
  return (await ask('post', `${CONSOLE_API}/admin/workspaces/${workspace.id}/keys`, renewed(body), { name: 'x', scopes: ['usage'] })).status
}

/** A credential: a function that returns the status of a request with it, 200 if it works, and how it is revoked and expires. */
type Made = { use(): Promise<number>; revoke?(): Promise<unknown>; expire?(): Promise<unknown> }

const expire = (table: string, id: string) => sql`update ${sql.table(table)} set expires_at = now() where id = ${id}`.execute(insights.db)

/** The session of an embedded page, from a response with its link. */
async function embedded(scene: Scene, made: request.Test): Promise<Made> {
  const { session_id: id, url } = (await made.send({ user_id: 'joe', views: ['usage'] }).expect(200)).body
  const { token } = (await ask('post', '/embed/api/insights/redeem', {}, { session_id: id, code: codeOf(url) }).expect(200)).body
  return {
    use: async () => (await ask('get', '/embed/api/insights/usage', { authorization: `Bearer ${token}` })).status,
    revoke: () => ask('delete', `/partners/api/insights/embed-sessions/${id}`, { 'api-key': scene.workspace.apiKey }).expect(200),
    expire: () => expire('embed_session', id),
  }
}

const embedPath = ({ workspace }: Scene) => `/partners/api/insights/embed-sessions?app_key=${workspace.appKey}`

async function tokenOf({ cookie, workspace }: Scene): Promise<{ readonly id: string; readonly token: string }> {
  const body = { name: 'ci', role: 'owner', workspace_id: workspace.id, days: 1 }
  return (await ask('post', `${CONSOLE_API}/admin/tokens`, { ...BROWSER, cookie }, body).expect(200)).body
}

/** Each credential of area B. */
const CREDENTIALS = {
  'an API key': async ({ workspace, keyId }) => ({
    use: async () => (await workspace.list()).status,
    revoke: () => insights.admin.delete(`/admin/workspaces/${workspace.id}/keys/${keyId}`).expect(200),
    expire: () => expire('workspace_key', keyId),
  }),
  'an embedded page made with the key': (scene) =>
    embedded(scene, request(insights.url).post(embedPath(scene)).set('api-key', scene.workspace.apiKey)),
  'an embedded page made at the console': (scene) => {
    const path = `${CONSOLE_API}/admin/workspaces/${scene.workspace.id}${embedPath(scene)}`
    return embedded(
      scene,
      request(insights.url)
        .post(path)
        .set({ ...BROWSER, cookie: scene.cookie }),
    )
  },
  'a session of the console': async (scene) => {
    const headers = { ...BROWSER, cookie: scene.cookie }
    const { sessions } = (await ask('get', `${CONSOLE_API}/admin/sessions`, headers).expect(200)).body
    const { id } = sessions.find(({ current }: { current: boolean }) => current)
    return {
      use: () => statusAtConsole(scene, headers, () => headers),
      revoke: () => insights.admin.delete(`/admin/sessions/${id}`).expect(200),
      expire: () => expire('console_session', id),
    }
  },
  'a personal token': async (scene) => {
    const { id, token } = await tokenOf(scene)
    return {
      use: () => statusAtConsole(scene, { authorization: `Bearer ${token}` }, (body) => ({ authorization: `Bearer ${body.access_token}` })),
      revoke: () => insights.admin.delete(`/admin/sessions/${id}`).expect(200),
      expire: () => expire('console_session', id),
    }
  },
} satisfies Record<string, (scene: Scene) => Promise<Made>>

type Credential = keyof typeof CREDENTIALS
type All = readonly Made[]

const rotate = ({ workspace, keyId }: Scene, hours: number) =>
  insights.admin.post(`/admin/workspaces/${workspace.id}/rotate-key`, { key_id: keyId, keep_previous_hours: hours }).expect(200)
const memberPath = ({ workspace, personId }: Scene) => `/admin/workspaces/${workspace.id}/members/${personId}`
const changeRole = (scene: Scene, role: string) =>
  request(insights.internalUrl)
    .patch(memberPath(scene))
    .set('authorization', `Bearer ${insights.config.adminToken}`)
    .send({ role })
    .expect(200)

const EVENTS = {
  'the key is rotated with 0 hours': (scene) => rotate(scene, 0),
  'the key is rotated with an overlap': (scene) => rotate(scene, 1),
  'the overlap ends': async (scene) => {
    await rotate(scene, 1)
    await expire('workspace_key', scene.keyId)
  },
  'the person is removed': (scene) => insights.admin.delete(memberPath(scene)).expect(200),
  'the person becomes a viewer': (scene) => changeRole(scene, 'viewer'),
  'the person signs out': ({ cookie }) => ask('post', `${CONSOLE_API}/admin/session/sign-out`, { ...BROWSER, cookie }, {}).expect(200),
  'the application is deleted': ({ workspace }) => insights.admin.delete(`/admin/applications/${workspace.appKey}`).expect(200),
  'it is revoked': async (_scene, all) => {
    // The API key revokes embedded pages.
    for (const { revoke } of [...all].reverse()) await revoke?.()
  },
  'it expires': async (_scene, all) => {
    for (const each of all) await each.expire?.()
  },
} satisfies Record<string, (scene: Scene, all: All) => Promise<unknown>>

type Event = keyof typeof EVENTS

const names = Object.keys(CREDENTIALS) as Credential[]
const without = (...ended: readonly Credential[]) => names.filter((name) => !ended.includes(name))
const OF_THE_KEY = ['an API key', 'an embedded page made with the key'] as const
const OF_THE_PERSON = ['an embedded page made at the console', 'a session of the console', 'a personal token'] as const

/** Which credentials still work after each event. */
const TABLE: Record<Event, readonly Credential[]> = {
  'the key is rotated with 0 hours': without(...OF_THE_KEY),
  'the key is rotated with an overlap': names,
  'the overlap ends': without(...OF_THE_KEY),
  // An API key belongs to the workspace, not to the person who made it.
  'the person is removed': without(...OF_THE_PERSON),
  'the person becomes a viewer': without(...OF_THE_PERSON),
  // Tokens and pages are made to last longer than the session.
  'the person signs out': without('a session of the console'),
  // An API key is for the workspace: it gets 404 for this application.
  'the application is deleted': ['a session of the console', 'a personal token'],
  'it is revoked': [],
  'it expires': [],
}

describe.each(Object.keys(EVENTS) as Event[])('when %s', (event) => {
  const made = new Map<Credential, Made>()
  beforeAll(async () => {
    const scene = await openScene()
    for (const name of names) {
      const credential: Made = await CREDENTIALS[name](scene)
      expect([name, await credential.use()]).toEqual([name, 200])
      made.set(name, credential)
    }
    await EVENTS[event](scene, [...made.values()])
  })

  it.each(names)('%s works or ends, as the table says', async (name) => {
    const works = TABLE[event].includes(name)
    // A request that exceeds a rate limit says nothing about the credential.
    await eventually(async () => expect(works ? [200] : [401, 403, 404, 410]).toContain(await made.get(name)?.use()))
  })
})
