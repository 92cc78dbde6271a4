import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)

const attention = async (id = workspace.id) => (await insights.admin.get(`/admin/workspaces/${id}/attention`).expect(200)).body
const listed = async (filter: string): Promise<number> =>
  (await workspace.send('get', `/partners/api/insights/users/tasks/?app_key=${workspace.appKey}&${filter}`).expect(200)).body.length

describe('GET /admin/workspaces/:workspace_id/attention', () => {
  it('counts the users at and near their limit, as the filters of the list do', async () => {
    const other = await insights.workspace()
    await workspace.setDefault(10).expect(200)
    await other.setDefault(1).expect(200)
    await insights.consume([7, 8, 9, 9, 10, 11].flatMap((tasks, n) => workspace.tasks(`user-${n}`, tasks)))
    await insights.consume(other.tasks('joe', 1))
    await workspace.setLimits([{ user_id: 'idle', allowed_tasks: 0 }]).expect(200)
    expect(await attention()).toEqual({ users_near: 3, users_over: 3, capped: false, subscriptions: [] })
    expect(await listed('limit_reached=true')).toBe(3)
    expect(await listed('limit_reached=false&min_percent=80')).toBe(3)
    await workspace.setAll(11).expect(200)
    expect(await attention()).toMatchObject({ users_near: 3, users_over: 1 })
  })

  it('lists the subscriptions of the workspace that fail or are disabled', async () => {
    const subscribe = async (to = workspace) =>
      (await to.subscribe({ events: ['user_tasks_limit_80'], callback_url: 'http://127.0.0.1:9/' }).expect(200)).body.subscription_id
    const [failing, disabled, , foreign] = [
      await subscribe(),
      await subscribe(),
      await subscribe(),
      await subscribe(await insights.workspace()),
    ]
    const time = new Date()
    const set = async (id: string, change: object) =>
      await insights.db.updateTable('subscription').set(change).where('id', '=', id).execute()
    await set(failing, { failing_since: time })
    await set(disabled, { disabled_at: time })
    await set(foreign, { disabled_at: time })
    const shared = { callback_url: 'http://127.0.0.1:9/', failing_since: null, disabled_at: null }
    expect((await attention()).subscriptions).toEqual([
      { ...shared, subscription_id: disabled, disabled_at: time.toISOString() },
      { ...shared, subscription_id: failing, failing_since: time.toISOString() },
    ])
  })

  it('refuses an unknown workspace', async () => {
    const { body } = await insights.admin.get('/admin/workspaces/nobody/attention').expect(404)
    expect(body.code).toBe('workspace_not_found')
  })
})
