import { task } from './insights.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights()

const getWorkspace = async (id: string) => (await insights.admin.get(`/admin/workspaces/${id}`).expect(200)).body

describe('GET /admin/workspaces/:workspace_id', () => {
  it('returns the limits and the API keys', async () => {
    const workspace = await insights.workspace()
    await workspace.setDefault(7).expect(200)
    expect(await getWorkspace(workspace.id)).toEqual({
      workspace_id: workspace.id,
      name: workspace.id,
      default_limit: 7,
      bulk_limit: null,
      rate_limit: 6_000,
      created_at: expect.any(String),
      keys: [expect.objectContaining({ name: 'Default', expires_at: null })],
    })
    await workspace.setAll(9).expect(200)
    expect((await getWorkspace(workspace.id)).bulk_limit).toBe(9)
  })

  it('refuses a workspace that does not exist or was deleted', async () => {
    await insights.admin.put('/admin/workspaces/deleted', { name: 'x' }).expect(200)
    await insights.admin.delete('/admin/workspaces/deleted').expect(200)
    for (const id of ['deleted', 'nobody', 'a%00']) {
      const { body } = await insights.admin.get(`/admin/workspaces/${id}`).expect(404)
      expect(body.code).toBe('workspace_not_found')
    }
  })
})

describe('GET /admin/applications', () => {
  const list = async (query = ''): Promise<{ app_key: string }[]> =>
    (await insights.admin.get(`/admin/applications${query}`).expect(200)).body.applications

  it('keeps settings that another request has changed since the caller read them', async () => {
    const one = await insights.workspace()
    const path = `/admin/applications/${one.appKey}`
    const read = { limit_period: 30, on_limit: 'allow', embed_origins: [] }
    const put = (change: object) => insights.admin.put(path, { workspace_id: one.id, ...change })
    await put({ on_limit: 'block', if_unchanged: read }).expect(200)
    const { body } = await put({ limit_period: 7, if_unchanged: read }).expect(409)
    expect(body).toMatchObject({ code: 'changed_since_read', error_details: ['on_limit: has changed'] })
    await put({ limit_period: 7, if_unchanged: { limit_period: 30 } }).expect(200)
    await put({ embed_origins: ['https://a.example'], if_unchanged: { embed_origins: ['https://b.example'] } }).expect(409)
    expect(await list(`?workspace_id=${one.id}`)).toMatchObject([{ limit_period: 7, on_limit: 'block', embed_origins: [] }])
  })

  it('shows the origins that may embed pages, which do not change until they are set again', async () => {
    const one = await insights.workspace()
    const afterPut = async (change: object) => {
      await insights.admin.put(`/admin/applications/${one.appKey}`, { workspace_id: one.id, ...change }).expect(200)
      return await list(`?workspace_id=${one.id}`)
    }
    const origins = ['https://app.example.com', 'http://localhost:5173']
    expect(await afterPut({ embed_origins: origins })).toMatchObject([{ app_key: one.appKey, embed_origins: origins }])
    expect(await afterPut({ on_limit: 'block' })).toMatchObject([{ embed_origins: origins }])
    expect(await afterPut({ embed_origins: [] })).toMatchObject([{ embed_origins: [] }])
  })

  it.each(['https://a.example.com/', 'https://a.example.com:443', 'https://a;b', 'https://*.example.com', 'ftp://a', 'a.example.com'])(
    'refuses to embed in %s',
    async (origin) => {
      const one = await insights.workspace()
      const body = { workspace_id: one.id, embed_origins: [origin] }
      const { body: response } = await insights.admin.put(`/admin/applications/${one.appKey}`, body).expect(400)
      expect(response.error_details).toEqual([expect.stringMatching(/^embed_origins\[0\]: must/)])
    },
  )

  it('lists the applications of one workspace, without deleted ones', async () => {
    const [one, other] = [await insights.workspace(7), await insights.workspace()]
    for (const appKey of ['z-second', 'z-gone'])
      await insights.admin.put(`/admin/applications/${appKey}`, { workspace_id: one.id }).expect(200)
    await insights.admin.put('/admin/applications/z-second', { workspace_id: one.id, on_limit: 'block' }).expect(200)
    await insights.admin.delete('/admin/applications/z-gone').expect(200)
    const shared = { workspace_id: one.id, embed_origins: [], created_at: expect.any(String) }
    expect(await list(`?workspace_id=${one.id}`)).toEqual([
      { ...shared, app_key: one.appKey, limit_period: 7, on_limit: 'allow' },
      { ...shared, app_key: 'z-second', limit_period: 30, on_limit: 'block' },
    ])
    expect((await list(`?workspace_id=${other.id}`)).map(({ app_key }) => app_key)).toEqual([other.appKey])
    expect(await list('?workspace_id=nobody')).toEqual([])
  })

  it('lists those of all workspaces, and those without one, if no workspace is named', async () => {
    const one = await insights.workspace()
    await insights.consume([task('z-unassigned', 'joe')])
    expect(await list()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ app_key: one.appKey, workspace_id: one.id }),
        expect.objectContaining({ app_key: 'z-unassigned', workspace_id: null }),
      ]),
    )
  })
})
