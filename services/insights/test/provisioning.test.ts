import { eventually } from '@onward/testbed'
import request from 'supertest'
import { isError, task } from './insights.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights()

const keyWorks = async (key: string) =>
  (await request(insights.url).patch('/partners/api/accounts/me').set('api-key', key).send({ tasks_limit: 1 })).status === 200

describe('a workspace', () => {
  it('is created once, with a key, and renamed by later requests', async () => {
    const { body } = await insights.admin.put('/admin/workspaces/acme', { name: 'Acme' }).expect(200)
    expect(body).toEqual({
      workspace_id: 'acme',
      name: 'Acme',
      created: true,
      partner_api_key: expect.stringMatching(/^onw_pk_[A-Za-z0-9]{49}$/),
    })
    await insights.admin
      .put('/admin/workspaces/acme', { name: 'Acme Ltd' })
      .expect(200, { workspace_id: 'acme', name: 'Acme Ltd', created: false })
    expect(await keyWorks(body.partner_api_key)).toBe(true)
    const { body: list } = await insights.admin.get('/admin/workspaces').expect(200)
    expect(list.workspaces).toContainEqual({
      workspace_id: 'acme',
      name: 'Acme Ltd',
      default_limit: 1,
      rate_limit: 6_000,
      created_at: expect.any(String),
    })
  })

  it('is changed only once by concurrent requests with the name that each has read', async () => {
    await insights.admin.put('/admin/workspaces/shared', { name: 'Old' }).expect(200)
    const rename = (name: string) => insights.admin.put('/admin/workspaces/shared', { name, if_unchanged: { name: 'Old' } })
    const statuses = (await Promise.all(['A', 'B', 'C'].map(rename))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409, 409])
    const { body } = await rename('D').expect(409)
    expect(body).toMatchObject({ code: 'changed_since_read', error_details: ['name: has changed'] })
  })

  it('is created once by concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => await insights.admin.put('/admin/workspaces/rush', { name: 'Rush' })),
    )
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.partner_api_key !== undefined)).toHaveLength(1)
  })

  it('refuses an invalid id', async () => {
    const { body } = await insights.admin.put('/admin/workspaces/a%20b', { name: 'x' }).expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(/^workspace_id: /)])
  })

  it('gets a new key, and the old one expires as requested', async () => {
    const { body: made } = await insights.admin.put('/admin/workspaces/rotating', { name: 'x' }).expect(200)
    const { body: second } = await insights.admin.post('/admin/workspaces/rotating/rotate-key', {}).expect(200)
    const hours = (Date.parse(second.previous_valid_until) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThan(24.1)
    expect([await keyWorks(made.partner_api_key), await keyWorks(second.partner_api_key)]).toEqual([true, true])

    const { body: third } = await insights.admin.post('/admin/workspaces/rotating/rotate-key', { keep_previous_hours: 0 }).expect(200)
    expect([await keyWorks(made.partner_api_key), await keyWorks(second.partner_api_key), await keyWorks(third.partner_api_key)]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('stores no key in plain text', async () => {
    const { body } = await insights.admin.put('/admin/workspaces/secretive', { name: 'x' }).expect(200)
    const rows = await insights.db.selectFrom('workspace_key').selectAll().where('workspace_id', '=', 'secretive').execute()
    expect(JSON.stringify(rows)).not.toContain(body.partner_api_key)
  })

  it('gets no key and no application when it does not exist', async () => {
    const { body } = await insights.admin.post('/admin/workspaces/nobody/rotate-key', {}).expect(404)
    expect(body.code).toBe('workspace_not_found')
    await insights.admin.put('/admin/applications/app', { workspace_id: 'nobody' }).expect(404).expect(isError(body))
    expect(await insights.db.selectFrom('application').selectAll().where('app_key', '=', 'app').execute()).toEqual([])
  })
})

describe('an application', () => {
  it('belongs to one workspace', async () => {
    const owner = await insights.workspace()
    const other = await insights.workspace()
    await insights.admin
      .put(`/admin/applications/${owner.appKey}`, { workspace_id: owner.id })
      .expect(200, { app_key: owner.appKey, workspace_id: owner.id, limit_period: 30, on_limit: 'allow' })
    const { body } = await insights.admin.put(`/admin/applications/${owner.appKey}`, { workspace_id: other.id }).expect(409)
    expect(body.code).toBe('belongs_to_other_workspace')
  })

  it.each([0, 367, 1.5, '30'])('refuses a limit period of %j', async (limit_period) => {
    await insights.admin.put('/admin/applications/app', { workspace_id: 'acme', limit_period }).expect(400)
  })

  it.each(['x'.repeat(201), 'a%00b'])('refuses the App-Key %s', async (appKey) => {
    const { body } = await insights.admin.put(`/admin/applications/${appKey}`, { workspace_id: 'acme' }).expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(/^app_key: /)])
  })

  it('gets limits for users whose tasks came before it was provisioned', async () => {
    const workspace = await insights.workspace()
    await workspace.setDefault(10).expect(200)
    await workspace.subscribe({ events: ['user_tasks_limit_80'], callback_url: 'http://127.0.0.1:1/' }).expect(200)
    await insights.consume([task('early', 'ann'), ...Array.from({ length: 8 }, () => task('early', 'joe'))])
    await workspace.send('get', '/partners/api/insights/users/joe/tasks/?app_key=early').expect(404)

    await insights.admin.put('/admin/applications/early', { workspace_id: workspace.id }).expect(200)
    const { body } = await workspace.send('get', '/partners/api/insights/users/tasks/?app_key=early').expect(200)
    expect(body).toMatchObject([
      { user_id: 'ann', current_limit: 10, tasks_consumed: 1 },
      { user_id: 'joe', current_limit: 10, tasks_consumed: 8 },
    ])
    await eventually(async () => {
      const announced = await insights.db.selectFrom('delivery').select(['user_id', 'level']).where('app_key', '=', 'early').execute()
      expect(announced).toEqual([{ user_id: 'joe', level: 80 }])
    })
  })

  it('is provisioned completely while the first task of a user is counted', async () => {
    const workspace = await insights.workspace()
    await insights.consume([task('settling', 'old')])
    let consumed: Promise<void> | undefined
    let provisioned: Promise<unknown> | undefined
    await insights.whileUserIsLocked('settling', 'old', 2, () => {
      consumed = insights.consume([task('settling', 'old'), task('settling', 'new')])
      const settle = async () => await insights.admin.put('/admin/applications/settling', { workspace_id: workspace.id }).expect(200)
      // The task comes first: its transaction holds the lock of the new user.
      provisioned = insights.waitsForLock(1).then(settle)
    })
    await Promise.all([consumed, provisioned])
    const { body } = await workspace.send('get', '/partners/api/insights/users/tasks/?app_key=settling').expect(200)
    expect(body).toMatchObject([
      { user_id: 'new', current_limit: 10_000, tasks_consumed: 1 },
      { user_id: 'old', current_limit: 10_000, tasks_consumed: 2 },
    ])
  })

  it('is provisioned completely while its tasks keep coming', async () => {
    const workspace = await insights.workspace()
    const consuming = Array.from(
      { length: 30 },
      async (_, i) => await insights.consume([task('racing', `user-${i}`), task('racing', 'all')]),
    )
    const provisioning = insights.admin.put('/admin/applications/racing', { workspace_id: workspace.id }).expect(200)
    await Promise.all([...consuming, provisioning])
    const rows = await insights.db.selectFrom('usage_user').selectAll().where('app_key', '=', 'racing').execute()
    expect(rows).toHaveLength(31)
    expect(rows.filter((row) => row.task_limit === null)).toEqual([])
  })
})

describe('the internal port', () => {
  it('requires the admin token', async () => {
    await request(insights.internalUrl).get('/admin/workspaces').expect(401)
    await request(insights.internalUrl).get('/admin/workspaces').set('authorization', 'Bearer wrong').expect(401)
  })

  it('reports health, readiness and metrics', async () => {
    await request(insights.internalUrl).get('/healthz').expect(200)
    // A part that does not answer in time counts as down.
    await eventually(
      async () =>
        await request(insights.internalUrl)
          .get('/readyz')
          .expect(200, { status: 'ok', parts: { postgres: 'up', sealing_keys: 'up', queue: 'up' } }),
    )
    const { text } = await request(insights.internalUrl).get('/metrics').expect(200)
    expect(text).toContain('onward_insights_tasks_counted_total')
  })
})

describe('deleting', () => {
  const remove = (path: string) => insights.admin.delete(`/admin/${path}`)

  it('an application hides it from area B, still counts its tasks, and reserves its App-Key', async () => {
    const workspace = await insights.workspace()
    const status = () => workspace.send('get', `/partners/api/insights/users/joe/tasks/?app_key=${workspace.appKey}`)
    await insights.consume(workspace.tasks('joe', 2))
    await status().expect(200)
    await remove(`applications/${workspace.appKey}`).expect(200, { app_key: workspace.appKey })
    await remove(`applications/${workspace.appKey}`).expect(200)
    expect((await status().expect(404)).body.code).toBe('application_not_found')
    await insights.consume(workspace.tasks('joe', 1))
    const periods = await insights.db.selectFrom('usage_period').select('consumed').where('app_key', '=', workspace.appKey).execute()
    expect(periods.map(({ consumed }) => Number(consumed))).toEqual([3])
    const { body } = await insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id }).expect(409)
    expect(body.code).toBe('already_deleted')
    expect((await remove('applications/nobody').expect(404)).body.code).toBe('application_not_found')
  })

  it('a workspace needs its applications to be deleted first, and deletes its keys and subscriptions', async () => {
    const workspace = await insights.workspace()
    const path = `workspaces/${workspace.id}`
    await workspace.subscribe({ events: ['user_tasks_limit_80'], callback_url: 'http://127.0.0.1:1/' }).expect(200)
    const { body: used } = await remove(path).expect(409)
    expect([used.code, used.error_details]).toEqual(['workspace_has_applications', [workspace.appKey]])
    await workspace.setDefault(3).expect(200)

    await remove(`applications/${workspace.appKey}`).expect(200)
    await remove(path).expect(200, { workspace_id: workspace.id, subscriptions: 1 })
    await remove(path).expect(200, { workspace_id: workspace.id, subscriptions: 0 })
    await workspace.setDefault(3).expect(401)
    await insights.consume(workspace.tasks('joe', 1))
    const { body: list } = await insights.admin.get('/admin/workspaces').expect(200)
    expect(list.workspaces.map(({ workspace_id }: { workspace_id: string }) => workspace_id)).not.toContain(workspace.id)
    expect((await insights.admin.put(`/admin/${path}`, { name: 'Again' }).expect(409)).body.code).toBe('already_deleted')
    expect((await insights.admin.post(`/admin/${path}/rotate-key`, {}).expect(404)).body.code).toBe('workspace_not_found')
    const { body } = await insights.admin.put('/admin/applications/latecomer', { workspace_id: workspace.id }).expect(404)
    expect(body.code).toBe('workspace_not_found')
    expect((await remove('workspaces/nobody').expect(404)).body.code).toBe('workspace_not_found')
  })
})
