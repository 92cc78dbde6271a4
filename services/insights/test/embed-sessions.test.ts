import { openEmbedTokens, openSessionTokens } from '@onward/access'
import { ADMIN_TOKEN } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { codeOf, PARENT, useEmbedding } from './embedding.ts'
import { daysAgo } from './insights.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)
const embedding = useEmbedding(insights, workspace)

/** Moves a time of all sessions into the past. */
const age = (column: string, interval: string) =>
  sql`update embed_session set ${sql.ref(column)} = now() - ${interval}::interval`.execute(insights.db)

describe('POST /partners/api/insights/embed-sessions', () => {
  it('returns a link with the code in the fragment, and when both expire', async () => {
    const { body } = await embedding.create({ minutes: 60 }).expect(200)
    expect(body.url).toMatch(new RegExp(`^http://127.0.0.1:\\d+/embed/${body.session_id}#code=[\\w-]{43}$`))
    const inMinutes = (time: string) => Math.round((Date.parse(time) - Date.now()) / 60_000)
    expect([inMinutes(body.url_expires_at), inMinutes(body.expires_at)]).toEqual([5, 60])
  })

  it('stores no code and no token', async () => {
    const { body } = await embedding.create().expect(200)
    const { token } = await embedding.open()
    const { rows } = await sql<{ all: string }>`
      select (select string_agg(s::text, ' ') from embed_session s) || (select string_agg(a::text, ' ') from audit_entry a) as all`.execute(
      insights.db,
    )
    expect(rows[0]?.all).toContain(body.session_id)
    for (const secret of [codeOf(body.url), token]) expect(rows[0]?.all).not.toContain(secret)
  })

  it('refuses wrong parameters and names each of them', async () => {
    const wrong = { user_id: 'a\ud800', return_url: 'javascript:alert(1)', locale: 'not a tag', parent_origins: [PARENT] }
    const { body } = await embedding.create(wrong).expect(400)
    expect(body.error_details).toEqual([
      'user_id: must not hold NUL or half of a surrogate pair',
      'return_url: must be an https URL without a user name',
      'locale: must be a BCP 47 tag such as de-CH',
      'parent_origins[0]: is not one of the embed_origins of the application',
    ])
    for (const body of [
      { views: [] },
      { views: ['calls'] },
      { views: ['usage', 'usage'] },
      { minutes: 1_441 },
      { minutes: 4 },
      { role: 1 },
    ]) {
      await embedding.create(body).expect(400)
    }
  })

  it.each(['http://app.example.com/', 'https://joe@app.example.com/', 'data:text/html,x', '//app.example.com', 'https://'])(
    'refuses to lead back to %s',
    async (return_url) => {
      // Development accepts plain HTTP.
      await embedding.create({ return_url }).expect(return_url.startsWith('http://') ? 200 : 400)
    },
  )

  it('answers 404 for an application of another workspace', async () => {
    const other = await insights.workspace()
    expect((await embedding.create({}, other.appKey).expect(404)).body.code).toBe('application_not_found')
    expect((await embedding.endMany({ all: true }, other.appKey).expect(404)).body.code).toBe('application_not_found')
  })

  it('keeps the newest 100 sessions of a user: one more ends the oldest, and none of another user', async () => {
    const other = await embedding.open({ user_id: 'few' })
    const first = await embedding.open({ user_id: 'many' })
    await sql`
      insert into embed_session (app_key, user_id, views, code_expires_at, expires_at, created_at)
      select app_key, user_id, views, code_expires_at, expires_at, created_at + n * interval '1 ms'
      from embed_session, generate_series(1, 99) n where id = ${first.id}`.execute(insights.db)
    const last = await embedding.open({ user_id: 'many' })
    const { rows } = await sql<{ rows: number }>`
      select count(*)::int as rows from embed_session where user_id = 'many'`.execute(insights.db)
    expect(rows).toEqual([{ rows: 100 }])
    await embedding.usage(first.token).expect(401)
    for (const { token } of [last, other]) await embedding.usage(token).expect(200)
  })

  it('appears in the audit log without its code and where it leads back', async () => {
    const { id } = await embedding.open({ return_url: 'https://app.example.com/?ticket=1' })
    await embedding.end(id).expect(200)
    await embedding.open({ user_id: 'ann' })
    await embedding.endMany({ user_id: 'ann' }).expect(200)
    const { body } = await insights.admin.get(`/admin/audit?workspace_id=${workspace.id}`).expect(200)
    const [endedMany, , ended, created] = body.entries
    expect(created).toMatchObject({
      actor: { kind: 'api-key' },
      action: 'embed-session.create',
      target: { app_key: workspace.appKey },
      after: { session_id: id, user_id: 'joe', views: ['usage'], minutes: 1_440 },
    })
    expect(ended).toMatchObject({ action: 'embed-session.end', before: { session_id: id, user_id: 'joe' }, after: null })
    expect(endedMany).toMatchObject({ action: 'embed-session.end-many', before: { user_id: 'ann', ended: 1 } })
    expect(JSON.stringify(body)).not.toContain('ticket')
  })
})

describe('the code of a link', () => {
  it('works once', async () => {
    const { body } = await embedding.create().expect(200)
    const answers = await Promise.all([1, 2, 3, 4].map(() => embedding.redeem(body.session_id, codeOf(body.url))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
    expect(answers.find(({ status }) => status === 403)?.body.code).toBe('embed_link_invalid')
    for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store')
  })

  it('works for five minutes', async () => {
    const { body } = await embedding.create().expect(200)
    await age('code_expires_at', '1 second')
    await embedding.redeem(body.session_id, codeOf(body.url)).expect(403)
  })

  it('works for its own session only, and not after the session was ended', async () => {
    const [first, second] = [(await embedding.create().expect(200)).body, (await embedding.create().expect(200)).body]
    await embedding.redeem(first.session_id, codeOf(second.url)).expect(403)
    await embedding.end(first.session_id).expect(200)
    await embedding.redeem(first.session_id, codeOf(first.url)).expect(403)
    await embedding.redeem('00000000-0000-4000-8000-000000000000', codeOf(second.url)).expect(403)
    await embedding.redeem(second.session_id, codeOf(second.url)).expect(200)
  })

  it('does not work after the application was deleted', async () => {
    const { body } = await embedding.create().expect(200)
    await insights.admin.delete(`/admin/applications/${workspace.appKey}`).expect(200)
    await embedding.redeem(body.session_id, codeOf(body.url)).expect(403)
  })
})

describe('the session of an embedded page', () => {
  it('ends after an hour without use, at its time of expiry, and when it is ended', async () => {
    for (const end of [
      () => age('last_used_at', '1 hour 1 second'),
      () => age('expires_at', '1 second'),
      () => age('ended_at', '1 second'),
      () => insights.admin.delete(`/admin/applications/${workspace.appKey}`).expect(200),
    ]) {
      const { token } = await embedding.open()
      await embedding.usage(token).expect(200)
      await end()
      expect((await embedding.usage(token).expect(401)).body.code).toBe('unauthenticated')
    }
  })

  it('goes on while it is used', async () => {
    const { token } = await embedding.open()
    for (const _ of [1, 2]) {
      await age('last_used_at', '50 minutes')
      await embedding.usage(token).expect(200)
    }
  })

  it('ends by its id, for its own workspace only', async () => {
    const other = await insights.workspace()
    const { id, token } = await embedding.open()
    await other.send('delete', `/partners/api/insights/embed-sessions/${id}`).expect(404)
    await embedding.usage(token).expect(200)
    await embedding.end(id).expect(200)
    await embedding.usage(token).expect(401)
    for (const gone of [id, 'x', '00000000-0000-4000-8000-000000000000']) {
      expect((await embedding.end(gone).expect(404)).body.code).toBe('session_not_found')
    }
  })

  it('ends with all of its user, or with all of its application', async () => {
    const tokens = await Promise.all(['joe', 'joe', 'ann'].map(async (user_id) => (await embedding.open({ user_id })).token))
    const [first = '', second = '', third = ''] = tokens
    for (const body of [{}, { user_id: 'joe', all: true }, { all: false }]) await embedding.endMany(body).expect(400)
    expect((await embedding.endMany({ user_id: 'joe' }).expect(200)).body).toEqual({ ended: 2 })
    await embedding.usage(first).expect(401)
    await embedding.usage(second).expect(401)
    await embedding.usage(third).expect(200)
    expect((await embedding.endMany({ all: true }).expect(200)).body).toEqual({ ended: 1 })
    await embedding.usage(third).expect(401)
    expect((await embedding.endMany({ all: true }).expect(200)).body).toEqual({ ended: 0 })
  })

  it('is deleted a day after it expired', async () => {
    const { id } = await embedding.open()
    const retain = async () => {
      await insights.admin.post('/admin/retention/run', {}).expect(200)
      return (await sql`select from embed_session where id = ${id}`.execute(insights.db)).rows.length
    }
    await age('expires_at', '23 hours')
    expect(await retain()).toBe(1)
    await age('expires_at', '25 hours')
    expect(await retain()).toBe(0)
  })

  it('may send 120 requests a minute', async () => {
    const { token } = await embedding.open()
    const { headers } = await embedding.usage(token).expect(200)
    expect(headers['ratelimit-policy']).toBe('"embed";q=120;w=60')
  })

  it('counts against the limit of its address until it has a token', async () => {
    const { body } = await embedding.create().expect(200)
    for (const code of ['wrong', codeOf(body.url)]) {
      expect((await embedding.redeem(body.session_id, code)).headers['ratelimit-policy']).toBe('"address";q=600;w=60')
    }
    expect((await embedding.usage('wrong').expect(401)).headers['ratelimit-policy']).toBe('"address";q=600;w=60')
  })
})

describe('the usage on an embedded page', () => {
  it('is that of its own user in its own application', async () => {
    const other = await insights.workspace()
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 4 }]).expect(200)
    await insights.consume([...workspace.tasks('joe', 3), ...workspace.tasks('ann', 2), ...other.tasks('joe', 1)])
    const { token } = await embedding.open()
    const { body } = await embedding.usage(`${token}`).query({ app_key: other.appKey, user_id: 'ann' }).expect(200)
    const today = new Date().toISOString().slice(0, 10)
    expect(body).toMatchObject({ user_id: 'joe', current_limit: 4, tasks_consumed: 3, tasks_remaining: 1, tasks_consumed_percent: 75 })
    expect(body).toMatchObject({ on_limit: 'allow', blocked_until: null })
    expect(body.days.at(-1)).toEqual({ date: today, tasks_consumed: 3 })
    expect(Date.parse(body.period.ends_at) - Date.parse(body.period.starts_at)).toBe(30 * 86_400_000)
  })

  it('has one entry for each day of the period, which add up to the tasks of the period', async () => {
    await insights.consume([
      ...workspace.tasks('joe', 2, daysAgo(34)),
      ...workspace.tasks('joe', 5, daysAgo(3)),
      ...workspace.tasks('joe', 1),
    ])
    const { body } = await embedding.usage((await embedding.open()).token).expect(200)
    expect(body.tasks_consumed).toBe(6)
    expect(body.days).toHaveLength(5)
    expect(body.days.reduce((sum: number, { tasks_consumed }: { tasks_consumed: number }) => sum + tasks_consumed, 0)).toBe(6)
    expect(body.days[0].date).toBe(body.period.starts_at.slice(0, 10))
  })

  it('is nothing of the default limit for a user who does not exist yet', async () => {
    await workspace.setDefault(70).expect(200)
    const { body } = await embedding.usage((await embedding.open({ user_id: 'new' })).token).expect(200)
    expect(body).toMatchObject({ current_limit: 70, tasks_consumed: 0, tasks_remaining: 70, period: null, days: [], limit_period: '30' })
  })

  it('says until when a user is blocked', async () => {
    await insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, on_limit: 'block' }).expect(200)
    await insights.limitChangesApplied()
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 1 }]).expect(200)
    await insights.consume(workspace.tasks('joe', 1))
    const { body } = await embedding.usage((await embedding.open()).token).expect(200)
    expect(body.on_limit).toBe('block')
    expect(body.blocked_until).toBe(body.period.ends_at)
  })

  it('is not shown by a link that shows only accounts', async () => {
    const { token, opened } = await embedding.open({ views: ['accounts'] })
    expect(opened.views).toEqual(['accounts'])
    expect((await embedding.usage(token).expect(404)).body.code).toBe('not_found')
  })
})

describe('the access token for functions', () => {
  it('names the user, the application, its workspace and the views', async () => {
    const { id, token } = await embedding.open({ views: ['usage', 'accounts'] })
    const { body } = await embedding.access(token).expect(200)
    expect(await openEmbedTokens(ADMIN_TOKEN).verify(body.access_token)).toEqual({
      sessionId: id,
      workspaceId: workspace.id,
      appKey: workspace.appKey,
      userId: 'joe',
      views: ['usage', 'accounts'],
    })
    await embedding.usage(body.access_token).expect(401)
  })

  it('says that a link shows only usage', async () => {
    const { body } = await embedding.access((await embedding.open()).token).expect(200)
    expect(await openEmbedTokens(ADMIN_TOKEN).verify(body.access_token)).toMatchObject({ views: ['usage'] })
  })
})

describe('credentials', () => {
  it('of an embedded page work nowhere else', async () => {
    const { token } = await embedding.open({ views: ['accounts'] })
    const access = (await embedding.access(token).expect(200)).body.access_token
    for (const bearer of [token, access]) {
      const authorization = `Bearer ${bearer}`
      await request(insights.url).get('/console/api/insights/admin/session').set({ authorization }).expect(401)
      await request(insights.url).post('/console/api/insights/admin/session/renew').set({ authorization }).expect(401)
      await request(insights.url).get('/partners/api/insights/subscriptions').set({ authorization, 'api-key': bearer }).expect(401)
      await request(insights.internalUrl).get('/admin/workspaces').set({ authorization }).expect(401)
    }
  })

  it('of the console, of programs and of operators do not work on an embedded page', async () => {
    const claims = { sub: 'p', sid: 's', name: 'p@example.com', kind: 'person', operator: true, roles: {} } as const
    const { token } = await openSessionTokens(ADMIN_TOKEN).sign(claims)
    for (const bearer of [token, ADMIN_TOKEN, workspace.apiKey, ''])
      await embedding.usage(bearer).set('api-key', workspace.apiKey).expect(401)
    await request(insights.url).get('/embed/api/insights/usage').set('cookie', `onward-access=${token}`).expect(401)
    await request(insights.url).get('/embed/api/insights/other').expect(401)
  })
})
