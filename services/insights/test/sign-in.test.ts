import { sql } from 'kysely'
import request from 'supertest'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)

const API = '/console/api/insights'
const HEADER = { 'x-onward-console': '1' }
type Headers = Record<string, string>
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

const send = (method: Method, path: string, headers: Headers, body?: object) =>
  request(insights.url)[method](`${API}${path}`).set(headers).send(body)

const codeOf = (url: string) => /#code=([\w-]{43})$/.exec(url)?.[1] ?? ''

async function linkFor(email: string, operator?: boolean): Promise<string> {
  const { body } = await insights.admin.post('/admin/sign-in-links', { email, ...(operator === undefined ? {} : { operator }) }).expect(200)
  return codeOf(body.url)
}

/** Signs in with a code. Returns the cookies as a browser sends them. */
async function signIn(code: string): Promise<Headers> {
  const { headers } = await send('post', '/admin/session/redeem', HEADER, { code }).expect(200)
  return { ...HEADER, cookie: cookiesOf(headers) }
}

const setCookies = (headers: Record<string, unknown>) => headers['set-cookie'] as unknown as string[]
const cookiesOf = (headers: Record<string, unknown>) =>
  setCookies(headers)
    .map((each) => each.split(';')[0])
    .join('; ')

const invite = async (as: Headers, email: string, role: string) =>
  (await send('post', `/admin/workspaces/${workspace.id}/members`, as, { email, role }).expect(200)).body as {
    person_id: string
    sign_in_url: string
  }

let operator: Headers
// An access token is valid for 45 s, so each test begins a session.
beforeEach(async () => {
  operator = await signIn(await linkFor('op@example.com', true))
})

describe('a sign-in link', () => {
  it('works once and sets cookies that scripts and other sites cannot use', async () => {
    const code = await linkFor('Ann@Example.com')
    const { headers, body } = await send('post', '/admin/session/redeem', HEADER, { code }).expect(200)
    expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    expect(headers['cache-control']).toBe('no-store')
    expect(setCookies(headers).map((each) => each.replace(/=[^;]+;/, '=…;').replace(/Expires=[^;]+/, 'Expires=…'))).toEqual([
      'onward-session=…; Path=/; Expires=…; HttpOnly; SameSite=Strict',
      'onward-access=…; Path=/; Expires=…; HttpOnly; SameSite=Strict',
    ])
    const again = await send('post', '/admin/session/redeem', HEADER, { code }).expect(403)
    expect(again.body.code).toBe('sign_in_link_invalid')
  })

  it('says whom it signs in, to which workspace, and who is signed in now, and stays valid', async () => {
    const preview = async (code: string, as: Headers = HEADER) => await send('post', '/admin/session/preview', as, { code })
    const code = await linkFor('who@example.com')
    expect((await preview(code)).body).toEqual({ email: 'who@example.com', workspace: null, signed_in: null })
    const invited = codeOf((await invite(operator, 'invited@example.com', 'viewer')).sign_in_url)
    expect((await preview(invited, await signIn(code))).body).toEqual({
      email: 'invited@example.com',
      workspace: { workspace_id: workspace.id, name: workspace.id },
      signed_in: { email: 'who@example.com' },
    })
    expect([(await preview(code)).status, (await preview(code)).body.code]).toEqual([403, 'sign_in_link_invalid'])
  })

  it('ends the session that the browser had before, which the audit log shows', async () => {
    const before = await signIn(await linkFor('before@example.com'))
    const session = await send('get', '/admin/session', before).expect(200)
    await send('post', '/admin/session/redeem', before, { code: await linkFor('after@example.com') }).expect(200)
    await send('post', '/admin/session/renew', before).expect(401)
    const { body } = await insights.admin.get('/admin/audit?action=session.begin&page_size=1').expect(200)
    expect(body.entries[0].before).toEqual({ session_id: session.body.session.id })
  })

  it('ends no session if it is invalid', async () => {
    const before = await signIn(await linkFor('stays@example.com'))
    await send('post', '/admin/session/redeem', before, { code: 'x'.repeat(43) }).expect(403)
    await send('post', '/admin/session/renew', before).expect(200)
  })

  it('expires', async () => {
    const code = await linkFor('late@example.com')
    await sql`update sign_in_link set expires_at = now() - interval '1 second'`.execute(insights.db)
    await send('post', '/admin/session/redeem', HEADER, { code }).expect(403)
  })

  it('is one of at most 10 of a person to a workspace, also when 20 are made at once', async () => {
    const other = codeOf((await invite(operator, 'many@example.com', 'viewer')).sign_in_url)
    const first = await linkFor('many@example.com')
    const codes = await Promise.all(Array.from({ length: 20 }, () => linkFor('many@example.com')))
    const valid = async (code: string) => (await send('post', '/admin/session/preview', HEADER, { code })).status === 200
    const open = await Promise.all([first, ...codes].map(valid))
    expect([open[0], open.filter(Boolean).length]).toEqual([false, 10])
    expect([await valid(await linkFor('many@example.com')), await valid(other)]).toEqual([true, true])
  })

  it('is made only by operators, and its code is stored nowhere', async () => {
    const as = await signIn(await linkFor('nobody@example.com'))
    await send('post', '/admin/sign-in-links', as, { email: 'x@example.com' }).expect(403)
    const code = await linkFor('y@example.com')
    const { rows } = await sql<{ all: string }>`select coalesce(string_agg(a::text, ' '), '') as all from audit_entry a`.execute(
      insights.db,
    )
    expect(rows[0]?.all).not.toContain(code)
  })

  it('uses the Host header of the request, and refuses an invalid one', async () => {
    const make = (host: string) => insights.admin.post('/admin/sign-in-links', { email: `${host.length}@example.com` }).set('host', host)
    expect((await make('onward.example:8443').expect(200)).body.url).toMatch(/^http:\/\/onward\.example:8443\/console\//)
    for (const host of ['a/b', 'a b', 'user@host', 'a"b']) expect([host, (await make(host)).status]).toEqual([host, 400])
  })
})

describe('a session', () => {
  it('shows the person and all workspaces to an operator', async () => {
    const { body } = await send('get', '/admin/session', operator).expect(200)
    expect(body).toMatchObject({ person: { email: 'op@example.com' }, operator: true })
    expect(body.workspaces).toContainEqual({ workspace_id: workspace.id, name: workspace.id, role: 'operator' })
  })

  it('is renewed with its cookie alone, and ends when the person signs out', async () => {
    const as = await signIn(await linkFor('renewing@example.com'))
    const session = { ...HEADER, cookie: /onward-session=[^;]+/.exec(String(as.cookie))?.[0] ?? '' }
    await send('get', '/admin/session', session).expect(401)
    const { headers, body } = await send('post', '/admin/session/renew', session).expect(200)
    expect(body.access_token).toBeUndefined()
    expect(Date.parse(body.access_expires_at)).toBeLessThanOrEqual(Date.now() + 45_000)
    await send('get', '/admin/session', { ...HEADER, cookie: cookiesOf(headers) }).expect(200)
    await send('post', '/admin/session/sign-out', session).expect(200)
    await send('post', '/admin/session/renew', session).expect(401)
  })

  it('ends when the person has 100 newer ones of browsers, which functions learns; tokens stay', async () => {
    const oldest = await signIn(await linkFor('browsers@example.com', true))
    const { body: read } = await send('get', '/admin/session', oldest).expect(200)
    await send('post', '/admin/tokens', oldest, { name: 'ci', days: 30, role: 'viewer', workspace_id: workspace.id }).expect(200)
    await sql`
      insert into console_session (secret_hash, person_id, kind, name, expires_at)
      select sha256(n::text::bytea), person_id, kind, name, expires_at from console_session, generate_series(1, 98) n
      where id = ${read.session.id}`.execute(insights.db)
    const codes = [await linkFor('browsers@example.com'), await linkFor('browsers@example.com')]
    const next = await signIn(codes[0] ?? '')
    await send('post', '/admin/session/renew', oldest).expect(200)
    await signIn(codes[1] ?? '')
    await send('post', '/admin/session/renew', oldest).expect(401)
    await send('post', '/admin/session/renew', next).expect(200)
    const { rows } = await sql<{ kind: string; n: number }>`
      select kind, count(*)::int as n from console_session where person_id = ${read.person.id} group by kind order by kind`.execute(
      insights.db,
    )
    expect(rows).toEqual([
      { kind: 'browser', n: 100 },
      { kind: 'token', n: 1 },
    ])
    const ended = await insights.db.selectFrom('ended_right').select('message').execute()
    expect(JSON.stringify(ended)).toContain(read.session.id)
  })

  it('ends after 12 hours without use, and after 7 days', async () => {
    for (const [n, column] of ['last_used_at', 'expires_at'].entries()) {
      const as = await signIn(await linkFor(`idle-${n}@example.com`))
      await sql`
        update console_session s set ${sql.ref(column)} = now() - interval '12 hours 1 second'
        from person p where p.id = s.person_id and p.email = ${`idle-${n}@example.com`}`.execute(insights.db)
      await send('post', '/admin/session/renew', as).expect(401)
    }
  })

  it('is listed with its tokens, and ends when it is revoked', async () => {
    const first = await signIn(await linkFor('two@example.com'))
    const second = await signIn(await linkFor('two@example.com'))
    const { body } = await send('get', '/admin/sessions?kind=browser', first).expect(200)
    expect(body.sessions).toHaveLength(2)
    const other = body.sessions.find(({ current }: { current: boolean }) => !current)
    await send('delete', `/admin/sessions/${other.id}`, await signIn(await linkFor('stranger@example.com'))).expect(404)
    await send('delete', `/admin/sessions/${other.id}`, first).expect(200)
    await send('post', '/admin/session/renew', second).expect(401)
    await send('post', '/admin/session/renew', first).expect(200)
  })
})

describe('the API of the console', () => {
  it.each([
    ['without the header', { 'x-onward-console': '' }, 'cross_site_request'],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, 'cross_site_request'],
    ['from another host of the site', { 'sec-fetch-site': 'same-site' }, 'cross_site_request'],
    ['with another kind of Authorization', { authorization: 'Basic x', 'x-onward-console': '' }, 'cross_site_request'],
  ])('refuses cookies %s', async (_what, headers, code) => {
    const { body } = await send('get', '/admin/session', { ...operator, ...headers }).expect(403)
    expect(body.code).toBe(code)
  })

  it('neither reads nor sets cookies beside an access token', async () => {
    const authorization = `Bearer ${/onward-access=([^;]+)/.exec(String(operator.cookie))?.[1] ?? ''}`
    const cookies = await signIn(await linkFor('beside@example.com'))
    await send('post', '/admin/session/renew', { ...cookies, authorization }).expect(401)
    expect((await send('post', '/admin/session/sign-out', { ...cookies, authorization })).headers['set-cookie']).toBeUndefined()
    const link = await linkFor('beside@example.com')
    const refused = await send('post', '/admin/session/redeem', { authorization }, { code: link }).expect(400)
    expect(refused.headers['set-cookie']).toBeUndefined()
    await send('post', '/admin/session/renew', cookies).expect(200)
    await signIn(link)
  })

  it('accepts cookies of its own pages, and no CORS', async () => {
    const { headers } = await send('get', '/admin/session', { ...operator, 'sec-fetch-site': 'same-origin', origin: 'https://a.example' })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  it('refuses ADMIN_TOKEN, an API key, and a token that was changed', async () => {
    const access = /onward-access=([^;]+)/.exec(String(operator.cookie))?.[1] ?? ''
    await send('get', '/admin/workspaces', { authorization: `Bearer ${access}` }).expect(200)
    for (const token of [insights.config.adminToken, `${access}x`, access.replace(/\.[^.]+\./, '.e30.')]) {
      await send('get', '/admin/workspaces', { authorization: `Bearer ${token}` }).expect(401)
    }
  })

  it('does not read a large body of somebody who is not signed in', async () => {
    await send('post', '/admin/session/redeem', HEADER, { code: 'x'.repeat(20_000) }).expect(401)
  })
})

describe('members', () => {
  it('are invited, get another role, and are removed', async () => {
    const { person_id, sign_in_url } = await invite(operator, 'dev@example.com', 'developer')
    const path = `/admin/workspaces/${workspace.id}/members`
    const before = await send('get', path, operator).expect(200)
    expect(before.body.members).toMatchObject([{ email: 'dev@example.com', role: 'developer', invited: true, last_seen_at: null }])
    const as = await signIn(codeOf(sign_in_url))
    const { body } = await send('get', '/admin/session', as).expect(200)
    expect(body).toMatchObject({ operator: false, workspaces: [{ workspace_id: workspace.id, role: 'developer' }] })

    await send('patch', `${path}/${person_id}`, operator, { role: 'viewer' }).expect(200)
    const { headers } = await send('post', '/admin/session/renew', as).expect(200)
    const lower = { ...HEADER, cookie: cookiesOf(headers) }
    await send('get', path, lower).expect(200)
    await send('patch', `/admin/workspaces/${workspace.id}/partners/api/accounts/me`, lower, { tasks_limit: 5 }).expect(403)

    await send('delete', `${path}/${person_id}`, operator).expect(200)
    await send('post', '/admin/session/renew', as).expect(401)
    await send('delete', `${path}/${person_id}`, operator).expect(404)
  })

  it('change nothing with an access token that was signed before they were removed or got a lower role', async () => {
    const member = await invite(operator, 'former@example.com', 'owner')
    const as = await signIn(codeOf(member.sign_in_url))
    const members = `/admin/workspaces/${workspace.id}/members`
    await invite(as, 'other-owner@example.com', 'owner')
    await send('patch', `${members}/${member.person_id}`, operator, { role: 'viewer' }).expect(200)
    const refused = await send('post', members, as, { email: 'late-guest@example.com', role: 'viewer' }).expect(403)
    expect(refused.body.code).toBe('role_required')
    await send('delete', `${members}/${member.person_id}`, operator).expect(200)
    await send('post', members, as, { email: 'late-guest@example.com', role: 'viewer' }).expect(401)
    // Reading ends when the token expires.
    await send('get', members, as).expect(200)
  })

  it('get no sign-in link of another member who has signed in', async () => {
    const path = `/admin/workspaces/${workspace.id}/members`
    const body = { email: 'first-owner@example.com', role: 'owner' }
    const first = await invite(operator, body.email, 'owner')
    const other = await signIn(codeOf((await invite(operator, 'other-owner@example.com', 'owner')).sign_in_url))
    await send('post', path, other, body).expect(200)
    await signIn(codeOf(first.sign_in_url))
    const refused = await send('post', path, other, { ...body, role: 'viewer' }).expect(400)
    expect(refused.body.error_details).toEqual([expect.stringMatching(/^email: belongs to a member who has signed in/)])
    expect(JSON.stringify(refused.body)).not.toContain('sign-in/')
    const { members } = (await send('get', path, other).expect(200)).body
    expect(members.find(({ email }: { email: string }) => email === body.email)).toMatchObject({ role: 'owner' })
    await send('post', path, operator, body).expect(200)
  })

  it('may rename the workspace as owners, but not change its rate limit', async () => {
    const owner = await signIn(codeOf((await invite(operator, 'rate@example.com', 'owner')).sign_in_url))
    await send('put', `/admin/workspaces/${workspace.id}`, owner, { name: 'New name' }).expect(200)
    await send('put', `/admin/workspaces/${workspace.id}`, owner, { name: 'New name', rate_limit: 1_000_000 }).expect(403)
    await send('put', '/admin/workspaces/another', owner, { name: 'Another' }).expect(404)
  })

  it('keep an owner', async () => {
    const { person_id } = await invite(operator, 'only@example.com', 'owner')
    const path = `/admin/workspaces/${workspace.id}/members/${person_id}`
    for (const refused of [
      await send('patch', path, operator, { role: 'viewer' }),
      await send('delete', path, operator),
      await send('post', `/admin/workspaces/${workspace.id}/members`, operator, { email: 'only@example.com', role: 'viewer' }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([409, 'last_owner'])
    }
    await invite(operator, 'second@example.com', 'owner')
    await send('delete', path, operator).expect(200)
  })

  it('keep an owner when both owners are removed at the same time', async () => {
    const owners = [await invite(operator, 'left@example.com', 'owner'), await invite(operator, 'right@example.com', 'owner')]
    const removing = owners.map(({ person_id }) => send('delete', `/admin/workspaces/${workspace.id}/members/${person_id}`, operator))
    const answers = await Promise.all(removing)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('are in 20 workspaces at most', async () => {
    const email = 'busy@example.com'
    for (let n = 0; n < 20; n++) {
      await insights.admin.put(`/admin/workspaces/${workspace.id}-${n}`, { name: 'n' }).expect(200)
      await send('post', `/admin/workspaces/${workspace.id}-${n}/members`, operator, { email, role: 'viewer' }).expect(200)
    }
    const { body } = await send('post', `/admin/workspaces/${workspace.id}/members`, operator, { email, role: 'viewer' }).expect(409)
    expect(body.code).toBe('too_many_memberships')
  })

  it('are 1,000 at most, and people who never signed in are forgotten', async () => {
    const { id } = workspace
    await sql`
      with added as (
        insert into person (email) select 'many-' || n || '@example.com' from generate_series(1, 998) n returning id
      )
      insert into membership (person_id, workspace_id, role, created_by) select id, ${id}, 'viewer', '' from added`.execute(insights.db)
    const add = (email: string) => send('post', `/admin/workspaces/${id}/members`, operator, { email, role: 'viewer' })
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => add(`more-${n}@example.com`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('too_many_members')
    await add('Many-1@example.com').expect(200)
    const exists = async (personId: string) =>
      (await insights.db.selectFrom('person').select('id').where('id', '=', personId).execute()).length > 0
    const added = answers.find(({ status }) => status === 200)?.body
    await send('delete', `/admin/workspaces/${id}/members/${added.person_id}`, operator).expect(200)
    expect(await exists(added.person_id)).toBe(false)
    const seen = await invite(operator, 'seen@example.com', 'viewer')
    await signIn(codeOf(seen.sign_in_url))
    await send('delete', `/admin/workspaces/${id}/members/${seen.person_id}`, operator).expect(200)
    expect(await exists(seen.person_id)).toBe(true)
  })

  it('cannot become somebody else: the link of an invitation shows only its workspace', async () => {
    const owner = await signIn(codeOf((await invite(operator, 'owner@example.com', 'owner')).sign_in_url))
    const asOperator = await signIn(codeOf((await invite(owner, 'op@example.com', 'viewer')).sign_in_url))
    const { body } = await send('get', '/admin/session', asOperator).expect(200)
    expect(body).toMatchObject({ operator: false, workspaces: [{ workspace_id: workspace.id, role: 'viewer' }] })
    await send('get', '/admin/workspaces', asOperator).expect(403)
    // Nor does it show or end the other sessions of that person.
    const { body: listed } = await send('get', '/admin/sessions', asOperator).expect(200)
    expect(listed.sessions).toHaveLength(1)
    const { body: all } = await send('get', '/admin/sessions', operator).expect(200)
    const own = all.sessions.find(({ current }: { current: boolean }) => current)
    await send('delete', `/admin/sessions/${own.id}`, asOperator).expect(404)
  })
})

describe('a token', () => {
  const create = (as: Headers, body: object) => send('post', '/admin/tokens', as, { name: 'ci', days: 30, ...body })

  it('gets access tokens, acts with its role, and ends when it is revoked', async () => {
    const owner = await signIn(codeOf((await invite(operator, 'tokens@example.com', 'owner')).sign_in_url))
    const { body } = await create(owner, { workspace_id: workspace.id, role: 'viewer' }).expect(200)
    expect(body.token).toMatch(/^onw_ot_[A-Za-z0-9]{49}$/)
    const renewed = await send('post', '/admin/session/renew', { authorization: `Bearer ${body.token}` }).expect(200)
    const as = { authorization: `Bearer ${renewed.body.access_token}` }
    await send('get', `/admin/workspaces/${workspace.id}/members`, as).expect(200)
    await send('post', `/admin/workspaces/${workspace.id}/members`, as, { email: 'a@example.com', role: 'viewer' }).expect(403)
    await create(as, { workspace_id: workspace.id, role: 'viewer' }).expect(403)
    await send('post', '/admin/session/renew', { ...HEADER, cookie: `onward-session=${body.token}` }).expect(401)
    await send('delete', `/admin/sessions/${body.id}`, owner).expect(200)
    await send('post', '/admin/session/renew', { authorization: `Bearer ${body.token}` }).expect(401)
  })

  it('is one of at most 25 of its person, also if they are created at the same time', async () => {
    const viewer = await signIn(codeOf((await invite(operator, 'many@example.com', 'viewer')).sign_in_url))
    const made = await Promise.all(Array.from({ length: 28 }, () => create(viewer, { workspace_id: workspace.id, role: 'viewer' })))
    const refused = made.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([409, 'too_many_tokens']))
    const [first] = made.filter(({ status }) => status === 200)
    await send('delete', `/admin/sessions/${first?.body.id}`, viewer).expect(200)
    await create(viewer, { workspace_id: workspace.id, role: 'viewer' }).expect(200)
  })

  it('of an operator shows its workspace, also without a membership', async () => {
    const { body } = await create(operator, { workspace_id: workspace.id, role: 'developer' }).expect(200)
    const renewed = await send('post', '/admin/session/renew', { authorization: `Bearer ${body.token}` }).expect(200)
    const session = await send('get', '/admin/session', { authorization: `Bearer ${renewed.body.access_token}` }).expect(200)
    const workspaces = [{ workspace_id: workspace.id, name: expect.any(String), role: 'developer' }]
    expect(session.body).toMatchObject({ operator: false, workspaces })
  })

  it('never has a role above that of its person', async () => {
    const developer = await signIn(codeOf((await invite(operator, 'low@example.com', 'developer')).sign_in_url))
    await create(developer, { workspace_id: workspace.id, role: 'owner' }).expect(403)
    await create(developer, { role: 'operator' }).expect(403)
    await create(operator, { workspace_id: workspace.id, role: 'operator' }).expect(400)
    await create(operator, { role: 'owner' }).expect(400)
    await create(operator, { role: 'operator' }).expect(200)
  })
})

describe('the endpoints of area B in the admin API', () => {
  const path = () => `/admin/workspaces/${workspace.id}/partners/api/insights`

  it('answer as the API key of the workspace', async () => {
    const as = await signIn(codeOf((await invite(operator, 'area@example.com', 'developer')).sign_in_url))
    await send('patch', `/admin/workspaces/${workspace.id}/partners/api/accounts/me`, as, { tasks_limit: 7 }).expect(200)
    await send('post', `${path()}/users/tasks?app_key=${workspace.appKey}`, as, [{ user_id: 'joe', allowed_tasks: 3 }]).expect(200)
    const { body } = await send('get', `${path()}/users/joe/tasks?app_key=${workspace.appKey}`, as).expect(200)
    expect(body).toMatchObject({ user_id: 'joe', current_limit: 3 })
    const { body: audit } = await send('get', `/admin/audit?workspace_id=${workspace.id}&action=user-limits.set`, operator).expect(200)
    expect(audit.entries).toMatchObject([{ actor: { kind: 'person', name: 'area@example.com' }, after: { items: 1 } }])
  })

  it('answer 404 for another workspace, for its application, and for an unknown one', async () => {
    const other = await insights.workspace()
    const as = await signIn(codeOf((await invite(operator, 'area2@example.com', 'owner')).sign_in_url))
    await send('get', `/admin/workspaces/${other.id}/partners/api/insights/subscriptions`, as).expect(404)
    await send('get', `${path()}/users/tasks?app_key=${other.appKey}`, as).expect(404)
    await send('get', '/admin/workspaces/nowhere/partners/api/insights/subscriptions', operator).expect(404)
  })
})
