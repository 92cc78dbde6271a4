import { randomUUID } from 'node:crypto'
import { deleteOldAudit } from '@onward/access'
import { ADMIN_TOKEN } from '@onward/testbed'
import { sql } from 'kysely'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)

async function entries(query = '') {
  const { body } = await insights.admin.get(`/admin/audit?workspace_id=${workspace.id}${query}`).expect(200)
  return body.entries
}

describe('GET /admin/audit', () => {
  it('lists the changes of operators and of programs, without their secrets', async () => {
    await workspace.subscribe({ events: ['user_tasks_limit_80'], callback_url: 'https://example.com/hook' }).expect(200)
    await insights.admin.post(`/admin/workspaces/${workspace.id}/rotate-key`, { keep_previous_hours: 1 }).expect(200)
    const [rotated, subscribed, ...earlier] = await entries()
    expect(rotated).toMatchObject({
      actor: { kind: 'bootstrap', id: 'bootstrap' },
      workspace_id: workspace.id,
      action: 'workspace.rotate-key',
      target: { workspace_id: workspace.id },
      outcome: 'done',
      code: null,
      after: { keep_previous_hours: 1 },
    })
    expect(subscribed).toMatchObject({
      actor: { kind: 'api-key', name: 'Default' },
      action: 'subscription.create',
      after: { events: ['user_tasks_limit_80'], callback_url: 'https://example.com/hook' },
    })
    expect(earlier.map(({ action }: { action: string }) => action)).toEqual(['application.change', 'workspace.change'])
    expect(JSON.stringify(await entries())).not.toMatch(/whsec_|pk_\w/)
  })

  it('shows the address and the browser of each request, and cuts a long browser name', async () => {
    const path = `/admin/workspaces/${workspace.id}`
    const change = (agent: string) =>
      fetch(insights.internalUrl + path, {
        method: 'PUT',
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json', 'user-agent': agent },
        body: '{"name":"Named"}',
      })
    for (const agent of ['x'.repeat(257), 'Browser/1']) expect((await change(agent)).status).toBe(200)
    const [short, long] = await entries()
    expect([short.address, short.user_agent]).toEqual([expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$/), 'Browser/1'])
    expect(long.user_agent).toBe(`${'x'.repeat(256)}…`)
  })

  it('has the reads of the users and of the audit log, once an hour for each target', async () => {
    const list = (appKey: string) => insights.admin.get(`/admin/users?app_key=${appKey}`).expect(200)
    const other = `${workspace.id}-other`
    await insights.admin.put(`/admin/applications/${other}`, { workspace_id: workspace.id }).expect(200)
    for (let n = 0; n < 5; n++) {
      await list(workspace.appKey)
      await list(other)
      await entries(`&page_size=${n + 1}`)
    }
    const target = (action: string) => async () => (await entries(`&action=${action}`)).map((entry: { target: object }) => entry.target)
    const users = await target('users.list')()
    expect(users).toEqual(expect.arrayContaining([{ app_key: workspace.appKey }, { app_key: other }]))
    const reads = await target('audit.read')()
    expect(reads).toEqual(expect.arrayContaining([{}]))
    // Twice, if the hour ends meanwhile.
    for (const [{ length }, targets] of [
      [users, 2],
      [reads, 1],
    ] as const) {
      expect([targets, 2 * targets]).toEqual(expect.arrayContaining([length]))
    }
    const changes: { action: string }[] = await entries('&reads=false&page_size=100')
    expect(changes.some(({ action }) => action === 'workspace.change')).toBe(true)
    expect(changes.filter(({ action }) => action === 'users.list' || action === 'audit.read')).toEqual([])
    // A program reads all the time.
    await workspace.list().expect(200)
    expect((await entries('&action=users.list')).every(({ actor }: { actor: { kind: string } }) => actor.kind === 'bootstrap')).toBe(true)
  })

  it('shows the values that a change replaced, and only those', async () => {
    const app_key = `${workspace.id}-audit`
    const put = (body: object) => insights.admin.put(`/admin/applications/${app_key}`, { workspace_id: workspace.id, ...body }).expect(200)
    await put({})
    await put({ limit_period: 7, embed_origins: ['https://app.example.com'] })
    await insights.admin.put(`/admin/workspaces/${workspace.id}`, { name: 'Renamed' }).expect(200)
    const [renamed, changed, created] = await entries()
    expect(renamed).toMatchObject({ action: 'workspace.change', before: { name: expect.any(String) }, after: { name: 'Renamed' } })
    expect(renamed.before).not.toHaveProperty('rate_limit')
    expect(changed.before).toEqual({ workspace_id: workspace.id, limit_period: 30, embed_origins: [] })
    expect(changed.after).toEqual({ workspace_id: workspace.id, limit_period: 7, embed_origins: ['https://app.example.com'] })
    expect(created).toMatchObject({ before: null, after: { workspace_id: workspace.id } })
  })

  it('has no entry for what programs change all the time', async () => {
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 5 }]).expect(200)
    expect(await entries('&action=user-limits.set')).toEqual([])
  })

  it('shows a refused change with its code, and nothing of its body', async () => {
    await workspace.subscribe({ events: ['user_tasks_limit_80'], callback_url: 'https://joe:secret@example.com/' }).expect(400)
    const [refused] = await entries('&outcome=refused')
    expect(refused).toMatchObject({ action: 'subscription.create', code: 'invalid_parameters', before: null, after: null })
    await insights.admin.delete(`/admin/workspaces/${workspace.id}`).expect(409)
    const { body } = await insights.admin.get('/admin/audit?action=workspace.delete&page_size=1').expect(200)
    expect(body.entries).toMatchObject([{ target: { workspace_id: workspace.id }, outcome: 'refused', code: 'workspace_has_applications' }])
  })

  it('filters and pages', async () => {
    const all = await entries()
    // This read has an entry too, the newest.
    const first = await insights.admin.get(`/admin/audit?workspace_id=${workspace.id}&page_size=2`).expect(200)
    const second = await insights.admin
      .get(`/admin/audit?workspace_id=${workspace.id}&page_size=2&_cursor=${first.body._cursor}`)
      .expect(200)
    expect([...first.body.entries, ...second.body.entries].slice(1)).toEqual(all)
    expect(second.body._cursor).toBeNull()
    expect(await entries('&actor=nobody')).toEqual([])
    expect(await entries('&outcome=failed')).toEqual([])
    expect(await entries('&until=2020-01-01T00:00:00Z')).toEqual([])
    expect(await entries('&since=2100-01-01T00:00:00Z')).toEqual([])
    expect((await entries('&until=2100-01-01T00:00:00Z')).slice(1)).toEqual(all)
    expect(await entries('&since=2020-01-01T00:00:00Z&action=workspace.change')).toEqual(all.slice(1))
    await insights.admin.get('/admin/audit?_cursor=WyJub25lIl0').expect(400)
    for (const name of ['since', 'until']) {
      const { body } = await insights.admin.get(`/admin/audit?${name}=2016-12-31T23:59:60Z`).expect(400)
      expect(body.error_details).toEqual([`${name}: must be a valid date-time`])
    }
  })

  it('stores texts that Postgres cannot store, and the beginning of long ones', async () => {
    await insights.admin.put('/admin/workspaces/a%00b', { name: 'n' }).expect(400)
    const { body } = await insights.admin.get('/admin/audit?action=workspace.change&outcome=refused').expect(200)
    expect(body.entries).toMatchObject([{ target: { workspace_id: 'a\ufffdb' } }])
  })

  it('tells denied attempts from calls that wait for an approval', async () => {
    for (const code of ['role_required', 'approval_required', null]) {
      await sql`
        insert into audit_entry (id, actor_kind, actor_id, actor_name, workspace_id, action, target, request_id, outcome, code)
        values (${randomUUID()}, 'person', 'p', 'p', ${workspace.id}, 'call', '{}', 'r', 'denied', ${code})`.execute(insights.db)
    }
    const codes = async (outcome: string) => (await entries(`&outcome=${outcome}`)).map(({ code }: { code: string | null }) => code)
    expect(new Set(await codes('denied'))).toEqual(new Set(['role_required', null]))
    expect(await codes('asked')).toEqual(['approval_required'])
  })

  it('forgets entries after 400 days', async () => {
    const old = '017f0000-0000-7000-8000-000000000000'
    await sql`
      insert into audit_entry (id, actor_kind, actor_id, actor_name, workspace_id, action, target, request_id, outcome)
      values (${old}, 'person', 'p', 'p', ${workspace.id}, 'workspace.change', '{}', 'r', 'started')`.execute(insights.db)
    expect(await entries('&outcome=started')).toHaveLength(1)
    await deleteOldAudit(insights.db)
    expect(await entries('&outcome=started')).toEqual([])
    expect((await entries()).length).toBeGreaterThan(0)
  })
})
