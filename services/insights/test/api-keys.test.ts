import { API_KEY_SCOPES, DEFAULT_SCOPES, scopeOf } from '@onward/contract'
import { uuidv7 } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { publicRoutes } from '../src/app.ts'
import { useEmbedding } from './embedding.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)
const embedding = useEmbedding(insights, workspace)

const keysOf = (id = workspace.id) => `/admin/workspaces/${id}/keys`
const create = (body: object, id?: string) => insights.admin.post(keysOf(id), { name: 'Report', scopes: ['usage'], ...body })
const list = async (id = workspace.id) => (await insights.admin.get(`/admin/workspaces/${id}`).expect(200)).body.keys
const rotate = (body: object = {}, id = workspace.id) => insights.admin.post(`/admin/workspaces/${id}/rotate-key`, body)
const revoke = (keyId: string, id?: string) => insights.admin.delete(`${keysOf(id)}/${keyId}`)
const usage = (apiKey: string) =>
  request(insights.url).get(`/partners/api/insights/users/tasks/?app_key=${workspace.appKey}`).set({ 'api-key': apiKey })

async function makeKey(body: object = {}): Promise<{ id: string; apiKey: string }> {
  const made = (await create(body).expect(200)).body
  return { id: made.key.id, apiKey: made.partner_api_key }
}

describe('an API key', () => {
  it('needs a scope for every endpoint', () => {
    for (const { endpoint } of publicRoutes)
      expect([endpoint.path, API_KEY_SCOPES]).toEqual([endpoint.path, expect.arrayContaining([scopeOf(endpoint)])])
  })

  it.each(API_KEY_SCOPES)('with only the scope %s may use the endpoints that need it, and no others', async (scope) => {
    const { apiKey } = await makeKey({ scopes: [scope] })
    for (const { endpoint } of publicRoutes) {
      const { method, path } = endpoint
      const { body } = await request(insights.url)[method](path.replace(/:\w+/g, uuidv7())).set('api-key', apiKey).send({})
      const needed = scopeOf(endpoint)
      const refusal = {
        code: 'scope_required',
        error: `this needs an API key with the scope ${needed}`,
        error_details: [`api-key: has the scopes ${scope}`],
      }
      if (scope === needed) expect([method, path, body.code]).not.toEqual([method, path, 'scope_required'])
      else expect({ method, path, ...body }).toMatchObject({ method, path, ...refusal })
    }
  })

  it('needs the scope accounts besides embed for pages with the accounts of a user', async () => {
    const embed = (apiKey: string, views: string[]) =>
      request(insights.url)
        .post(`/partners/api/insights/embed-sessions?app_key=${workspace.appKey}`)
        .set('api-key', apiKey)
        .send({ user_id: 'joe', views })
    const { apiKey } = await makeKey({ scopes: DEFAULT_SCOPES })
    await embed(apiKey, ['usage']).expect(200)
    expect((await embed(apiKey, ['usage', 'accounts']).expect(403)).body.code).toBe('scope_required')
    await embed((await makeKey({ scopes: ['embed', 'accounts'] })).apiKey, ['usage', 'accounts']).expect(200)
  })

  it('of a new workspace has all scopes but accounts, unless it is asked for others', async () => {
    const { body } = await insights.admin.put('/admin/workspaces/fresh', { name: 'x' }).expect(200)
    expect(await list('fresh')).toMatchObject([{ name: 'Default', scopes: DEFAULT_SCOPES, expires_at: null, replaced: false }])
    expect(DEFAULT_SCOPES).not.toContain('accounts')
    expect(body.partner_api_key).toMatch(/^onw_pk_/)
  })

  it('that was made before parts of keys were stored shows none', async () => {
    const { id } = await makeKey()
    await sql`update workspace_key set masked = null where id = ${id}`.execute(insights.db)
    expect((await list()).find((key: { id: string }) => key.id === id).masked).toBeNull()
  })

  it('that was made before keys had scopes keeps all of them', async () => {
    const { id, apiKey } = await makeKey()
    await sql`update workspace_key set scopes = null where id = ${id}`.execute(insights.db)
    expect((await list()).find((key: { id: string }) => key.id === id).scopes).toEqual(API_KEY_SCOPES)
    await usage(apiKey).expect(200)
  })

  it('is refused when it has expired, and says so', async () => {
    const { id, apiKey } = await makeKey({ expires_in_days: 1 })
    await usage(apiKey).expect(200)
    await sql`update workspace_key set expires_at = now() where id = ${id}`.execute(insights.db)
    const { body } = await usage(apiKey).expect(401)
    expect(body).toMatchObject({ code: 'unauthenticated', error_details: [expect.stringMatching(/^api-key: has expired/)] })
  })

  it('has a time of its last use, which is stored at most once a minute', async () => {
    const { id, apiKey } = await makeKey()
    const lastUse = async () => (await list()).find((key: { id: string }) => key.id === id).last_used_at
    expect(await lastUse()).toBeNull()
    await usage(apiKey).expect(200)
    await eventually(async () => expect(await lastUse()).not.toBeNull())
    const stored = await lastUse()
    await usage(apiKey).expect(200)
    await sql`update workspace_key set last_used_at = last_used_at - interval '59 seconds' where id = ${id}`.execute(insights.db)
    const { apiKey: other } = await makeKey()
    await usage(apiKey).expect(200)
    await usage(other).expect(200)
    expect(Date.parse(stored) - Date.parse(await lastUse())).toBe(59_000)
    await sql`update workspace_key set last_used_at = now() - interval '61 seconds' where id = ${id}`.execute(insights.db)
    await usage(apiKey).expect(200)
    await eventually(async () => expect(Date.parse(await lastUse())).toBeGreaterThanOrEqual(Date.parse(stored)))
  })

  it('does not wait for a locked row to note its use', async () => {
    const { id, apiKey } = await makeKey()
    await insights.db.transaction().execute(async (tx) => {
      await sql`select from workspace_key where id = ${id} for update`.execute(tx)
      await usage(apiKey).expect(200)
    })
  })
})

describe('the API keys of a workspace', () => {
  it('are created with a name, scopes and an expiry, and shown once', async () => {
    const { body } = await create({ name: 'Billing', scopes: ['usage', 'limits'], expires_in_days: 30 }).expect(200)
    expect(body.partner_api_key).toMatch(/^onw_pk_[A-Za-z0-9]{49}$/)
    expect(body.key).toMatchObject({ name: 'Billing', scopes: ['usage', 'limits'], last_used_at: null, replaced: false })
    expect(Math.round((Date.parse(body.key.expires_at) - Date.now()) / 86_400_000)).toBe(30)
    expect(body.key.masked).toBe(`onw_pk_…${body.partner_api_key.slice(-4)}`)
    expect((await list())[0]).toEqual(body.key)
    expect(JSON.stringify(await list())).not.toContain(body.partner_api_key)
  })

  it('are refused with wrong names, scopes or expiries', async () => {
    for (const wrong of [
      { name: '' },
      { name: 'a\ud800' },
      { scopes: [] },
      { scopes: ['all'] },
      { scopes: ['usage', 'usage'] },
      { expires_in_days: 0 },
    ]) {
      await create(wrong).expect(400)
    }
    expect((await create({}, 'nobody').expect(404)).body.code).toBe('workspace_not_found')
  })

  it('can be revoked one by one, only in their own workspace', async () => {
    const [one, two] = [await makeKey(), await makeKey()]
    const other = await insights.workspace()
    for (const [id, of] of [
      [one.id, other.id],
      ['x', workspace.id],
      [uuidv7(), workspace.id],
    ] as const) {
      expect((await revoke(id, of).expect(404)).body.code).toBe('api_key_not_found')
    }
    await revoke(one.id).expect(200, { success: true })
    await usage(one.apiKey).expect(401)
    await usage(two.apiKey).expect(200)
  })

  it('are rotated one by one, with their name, scopes and expiry', async () => {
    const { id } = await insights.workspace()
    const { body: first } = await create({ name: 'Billing', expires_in_days: 90 }, id).expect(200)
    expect((await rotate({}, id).expect(400)).body.error_details).toEqual([expect.stringMatching(/^key_id: is needed/)])
    const { body: second } = await rotate({ key_id: first.key.id, keep_previous_hours: 1 }, id).expect(200)
    const [made, previous, untouched] = await list(id)
    expect(made).toMatchObject({ id: second.key_id, name: 'Billing', scopes: ['usage'], expires_at: first.key.expires_at, replaced: false })
    expect(previous).toMatchObject({ id: first.key.id, expires_at: second.previous_valid_until, replaced: true })
    expect(untouched).toMatchObject({ name: 'Default', expires_at: null, replaced: false })
    expect((await rotate({ key_id: first.key.id }, id).expect(404)).body.code).toBe('api_key_not_found')
  })

  it('are at most 100, with those that were replaced and are still valid', async () => {
    const { id } = await insights.workspace()
    await sql`
      insert into workspace_key (sha256, workspace_id, replaced_by, expires_at)
      select sha256(n::text::bytea), ${id}, gen_random_uuid(), now() + interval '1 hour' from generate_series(1, 99) n`.execute(insights.db)
    expect((await create({}, id).expect(409)).body.code).toBe('too_many_api_keys')
    expect((await rotate({}, id).expect(409)).body.code).toBe('too_many_api_keys')
    await sql`update workspace_key set expires_at = now() where workspace_id = ${id} and replaced_by is not null`.execute(insights.db)
    await create({}, id).expect(200)
    expect(await list(id)).toHaveLength(2)
  })

  it('leave an entry in the audit log for each change, without the key', async () => {
    const { id } = await insights.workspace()
    const { body } = await create({ name: 'Audited' }, id).expect(200)
    await rotate({ key_id: body.key.id }, id).expect(200)
    await revoke(body.key.id, id).expect(200)
    const { entries } = (await insights.admin.get(`/admin/audit?workspace_id=${id}`).expect(200)).body
    const key = { id: body.key.id, name: 'Audited', scopes: ['usage'] }
    expect(entries.slice(0, 3)).toMatchObject([
      { action: 'workspace.revoke-key', before: key, after: null },
      { action: 'workspace.rotate-key', before: key, after: { name: 'Audited', scopes: ['usage'] } },
      { action: 'workspace.create-key', before: null, after: key },
    ])
    // What is stored of a key ends after its prefix with an ellipsis and four characters.
    expect(JSON.stringify(entries)).not.toMatch(/pk_\w/)
  })
})

describe('the session of an embedded page', () => {
  it.each<[string, (keyId: string) => Promise<unknown>]>([
    ['is revoked', async (keyId) => await revoke(keyId).expect(200)],
    ['is rotated without overlap', async (keyId) => await rotate({ key_id: keyId, keep_previous_hours: 0 }).expect(200)],
    ['expires', async (keyId) => await sql`update workspace_key set expires_at = now() where id = ${keyId}`.execute(insights.db)],
  ])('ends when the API key that made it %s', async (_, end) => {
    const { id, apiKey } = await makeKey({ scopes: ['embed'] })
    const { body } = await request(insights.url)
      .post(`/partners/api/insights/embed-sessions?app_key=${workspace.appKey}`)
      .set('api-key', apiKey)
      .send({ user_id: 'joe', views: ['usage'] })
      .expect(200)
    const { token } = (await embedding.redeem(body.session_id, body.url.split('#code=')[1]).expect(200)).body
    const other = await embedding.open()
    await embedding.usage(token).expect(200)
    await end(id)
    await embedding.usage(token).expect(401)
    await embedding.usage(other.token).expect(200)
  })
})
