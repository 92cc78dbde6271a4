import type { PolicyRule } from '@onward/contract'
import { uuidv7 } from '@onward/runtime'
import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { headingOf, openBrowser } from '../support/connecting.ts'
import { callTool, connectClient, createToken } from '../support/mcp-support.ts'
import { signIn } from '../support/sign-in-support.ts'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/learning-apps' } })
const ASK: PolicyRule = { functions: ['desk-create-ticket'], result: 'ask', message: 'New tickets cost money.' }
const CREATE = 'desk-create-ticket'
const PRINTER = { subject: 'Printer' }
let applications = 0

/** Creates an application with rules, and a user with an account of Desk and of Orchard. */
async function userWith(rules: readonly PolicyRule[] = [ASK]) {
  onward.third.respond((_received, response) => sendJson(response, 200, {}))
  const application = await onward.makeApplication(`asking-${++applications}`)
  const user = onward.user('joe', application)
  await user.connect('desk')
  const path = `/admin/applications/${application.appKey}`
  const orchard = { user_id: 'joe', app: 'orchard', credentials: { token: 't', url: onward.third.url } }
  await onward.admin('post', `${path}/connected-accounts`, orchard).expect(200)
  await onward.admin('put', `${path}/policy`, { rules }).expect(200)
  onward.third.received.length = 0
  return { user, application, path }
}

/** Makes a call that asks, and returns the body of its error. */
async function ask(user: User, args: object = PRINTER) {
  return (await user.call(CREATE, args).expect(403)).body
}

const decide = (user: User, id: string, result: 'approved' | 'refused', reason?: string) =>
  user.post(`/approvals/${id}/decide`, { result, reason })

describe('a call that a rule asks about', () => {
  it('is refused with an approval, shows the exact request, and runs once when it is repeated', async () => {
    const { user, application } = await userWith()
    const rows = await onward.rows()
    const refused = await ask(user)
    expect(refused).toMatchObject({
      code: 'approval_required',
      error: 'New tickets cost money.',
      approval_url: `${onward.url}/oauth/approvals/${refused.approval_id}`,
    })
    // Asking again finds the same approval.
    expect((await ask(user)).approval_id).toBe(refused.approval_id)
    expect(await onward.rows()).toEqual(rows)

    const { approvals } = (await user.post('/approvals/list', { state: 'pending' }).expect(200)).body
    expect(approvals).toMatchObject([{ id: refused.approval_id, function_name: CREATE, app: 'desk', via: null, hidden_characters: 0 }])
    const [{ request }] = approvals
    expect([request.method, JSON.parse(request.body).subject]).toEqual(['POST', 'Printer'])
    expect(JSON.stringify(approvals)).not.toContain('desk-key-0123456789')

    await decide(user, refused.approval_id, 'approved').expect(200)
    const { headers } = await user.call(CREATE, PRINTER).expect(200)
    expect(onward.third.received).toHaveLength(1)
    const { body } = await onward.admin('get', `/admin/applications/${application.appKey}/approvals?state=used`).expect(200)
    expect(body.approvals).toMatchObject([{ id: refused.approval_id, call_id: headers['x-call-id'], decided_by: 'application' }])
    // The next call asks again.
    expect((await ask(user)).approval_id).not.toBe(refused.approval_id)
  })

  it('is in the audit log when it asks, and when the user decides on its page', async () => {
    const { user, application } = await userWith()
    const { approval_id: id, approval_url: url } = await ask(user)
    const browser = await signIn(user)
    await browser.submit(await browser.open(url), { decision: 'approve' })
    const { entries } = (await onward.admin('get', `/admin/audit?action=function.call`).expect(200)).body
    expect(entries[0]).toMatchObject({ code: 'approval_required', target: { app_key: application.appKey, approval_id: id } })
    const decisions = (await onward.admin('get', `/admin/audit?action=approval.decide`).expect(200)).body.entries
    expect(decisions[0]).toMatchObject({ target: { id, function_name: CREATE }, after: { result: 'approved' } })
  })

  it('is not asked about by a dry run, which says that the call would ask', async () => {
    const { user } = await userWith()
    const { body } = await user.call(CREATE, PRINTER, '?dry_run=true').expect(200)
    expect(body.policy).toEqual({ result: 'ask', message: 'New tickets cost money.' })
    expect((await user.post('/approvals/list').expect(200)).body.approvals).toEqual([])
  })

  it('has another approval for other arguments, another account and another function', async () => {
    const { user } = await userWith([{ apps: ['desk'], result: 'ask' }])
    const { approval_id: id } = await ask(user)
    await decide(user, id, 'approved').expect(200)
    const ids = [id, (await ask(user, { subject: 'Scanner' })).approval_id, (await ask(user, { ...PRINTER, priority: 1 })).approval_id]
    const second = await user.connect('desk')
    ids.push((await user.call(CREATE, PRINTER, `?connected_account_id=${second}`).expect(403)).body.approval_id)
    ids.push((await user.call('desk-get-ticket', { ticket_id: '1' }).expect(403)).body.approval_id)
    expect(new Set(ids).size).toBe(5)
    expect(onward.third.received).toHaveLength(0)
    // Values that are filled in count, not how they were written.
    await user.call(CREATE, { subject: '{what}', priority: 3, _variables: { what: 'Printer' } }).expect(200)
  })

  it('stays refused with the reason that came with the refusal', async () => {
    const { user } = await userWith()
    const { approval_id: id } = await ask(user)
    await decide(user, id, 'refused', 'Use the old ticket.').expect(200)
    for (let i = 0; i < 2; i++) {
      expect((await user.call(CREATE, PRINTER).expect(403)).body).toMatchObject({ code: 'approval_refused', error: 'Use the old ticket.' })
    }
    expect((await decide(user, id, 'approved').expect(409)).body.code).toBe('already_decided')
    expect(onward.third.received).toHaveLength(0)
  })

  it('runs once of many that are sent to two services at the same time, also with an Idempotency-Key', async () => {
    const { user } = await userWith()
    const other = await onward.startAnother()
    const callThere = () => request(other.url).post(`/functions/${CREATE}/call`).set(user.headers).send(PRINTER)
    const { approval_id: id } = (await user.call(CREATE, PRINTER).set('Idempotency-Key', 'one').expect(403)).body
    await decide(user, id, 'approved').expect(200)
    const waiting = async () => {
      const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%update approval%'`.execute(
        onward.db,
      )
      return rows.length
    }
    // While this transaction holds the approval, several calls find it approved and wait to use it.
    const sent = await onward.db.transaction().execute(async (tx) => {
      await sql`select from approval where id = ${id} for update`.execute(tx)
      const calls = Array.from({ length: 8 }, (_, at) => [user.call(CREATE, PRINTER), keyed(user, 'one'), callThere()][at % 3])
      const all = Promise.all(calls.map(async (call) => (await call)?.status ?? 0))
      await eventually(async () => expect(await waiting()).toBeGreaterThanOrEqual(3))
      return { all }
    })
    const statuses = await sent.all
    expect(onward.third.received).toHaveLength(1)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(statuses.every((status) => [200, 403, 409, 503].includes(status))).toBe(true)
  })

  it('keeps its approval when nothing could be sent', async () => {
    const { user, application } = await userWith()
    const settings = { user_id: 'joe', app: 'desk', credentials: { api_key: 'k', url: 'http://127.0.0.1:9' } }
    const { body: account } = await onward
      .admin('post', `/admin/applications/${application.appKey}/connected-accounts`, settings)
      .expect(200)
    const call = () => user.call(CREATE, PRINTER, `?connected_account_id=${account.id}`)
    const { approval_id: id } = (await call().expect(403)).body
    await decide(user, id, 'approved').expect(200)
    expect((await call().expect(502)).body.code).toBe('upstream_unreachable')
    expect((await user.post('/approvals/list').expect(200)).body.approvals[0]).toMatchObject({ id, state: 'approved' })
  })

  it('expires, and is deleted then', async () => {
    const { user } = await userWith()
    const { approval_id: id } = await ask(user)
    await decide(user, id, 'approved').expect(200)
    await onward.db
      .updateTable('approval')
      .set({ expires_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    expect((await ask(user)).approval_id).not.toBe(id)
    expect((await decide(user, id, 'refused').expect(404)).body.code).toBe('approval_not_found')
  })

  it('is one of at most 100 that wait, and leaves the tokens of the user as many', async () => {
    const { user } = await userWith()
    const client = await connectClient(onward.url, (await createToken(user)).token, '2025-11-25')
    await Promise.all(Array.from({ length: 100 }, (_, n) => ask(user, { subject: `Ticket ${n}` })))
    expect((await user.call(CREATE, { subject: 'One more' }).expect(409)).body.code).toBe('too_many_approvals')
    expect((await callTool(client, CREATE, { subject: 'One more' })).value.code).toBe('approval_required')
    await onward.db.updateTable('approval').set({ token_id: uuidv7() }).where('token_id', 'is', null).execute()
    expect((await user.call(CREATE, { subject: 'Now' }).expect(403)).body.code).toBe('approval_required')
  })

  it('can be one of a batch', async () => {
    const { user } = await userWith()
    const calls = [
      { function_name: CREATE, arguments: PRINTER },
      { function_name: 'desk-get-ticket', arguments: { ticket_id: '1' } },
    ]
    const [first, second] = (await user.post('/functions/batch-call', { calls }).expect(200)).body.results
    expect([first.error.code, typeof first.error.approval_url, second.result.network_code]).toEqual(['approval_required', 'string', 200])
    await decide(user, first.error.approval_id, 'approved').expect(200)
    expect((await user.post('/functions/batch-call', { calls }).expect(200)).body.results[0].result.network_code).toBe(200)
  })
})

const keyed = (user: User, key: string) => user.call(CREATE, PRINTER).set('Idempotency-Key', key)

describe('who decides', () => {
  it('is not another user, and not another application', async () => {
    const { user, application } = await userWith()
    const { approval_id: id } = await ask(user)
    const other = await userWith()
    expect((await decide(onward.user('jane', application), id, 'approved').expect(404)).body.code).toBe('approval_not_found')
    expect((await decide(other.user, id, 'approved').expect(404)).body.code).toBe('approval_not_found')
    await onward.admin('post', `${other.path}/approvals/${id}/decide`, { result: 'approved' }).expect(404)
  })

  it('can be an operator, who sees the calls that wait by user and function', async () => {
    const { user, application, path } = await userWith()
    const { approval_id: id } = await ask(user)
    const ids = async (query: string) =>
      (await onward.admin('get', `${path}/approvals?${query}`).expect(200)).body.approvals.map((each: { id: string }) => each.id)
    expect(await ids('state=pending')).toEqual([id])
    expect(await ids(`user_id=joe&function_name=${CREATE}`)).toEqual([id])
    expect([await ids('user_id=jane'), await ids('function_name=desk-get-ticket'), await ids('state=used')]).toEqual([[], [], []])
    const { body: one } = await onward.admin('get', `/admin/approvals/${id}`).expect(200)
    expect(one).toMatchObject({ id, app_key: application.appKey, user_id: 'joe', state: 'pending' })
    expect((await onward.admin('get', '/admin/approvals/none').expect(404)).body.code).toBe('approval_not_found')
    expect((await onward.admin('get', `/admin/approvals/${id}?workspace_id=other`).expect(404)).body.code).toBe('approval_not_found')
    await onward.admin('post', `${path}/approvals/${id}/decide`, { result: 'approved' }).expect(200)
    await user.call(CREATE, PRINTER).expect(200)
  })
})

describe('the page of an approval', () => {
  it('shows nothing before the user has signed in, and then the request', async () => {
    const { user } = await userWith()
    const { approval_url: url } = await ask(user)
    const stranger = await openBrowser().open(url)
    expect([stranger.status, headingOf(stranger)]).toEqual([200, `Sign in to asking-${applications}`])
    expect(stranger.text).not.toContain('Printer')
    expect(stranger.text).toContain(`A call in asking-${applications} waits for your approval.`)
    expect(stranger.text).toContain(`Get a sign-in link where you use asking-${applications}.`)
    // No site of the application is known.
    expect(stranger.text).not.toContain('Go back to')
    expect(stranger.text).toMatch(/<a href="http\S+\/console\/w\/[\w-]+\/approvals\?approval=[\w-]{36}">Decide at the console<\/a>/)

    const browser = await signIn(user)
    const page = await browser.open(url)
    expect(headingOf(page)).toBe('Approve “Create ticket”?')
    // Titles of functions are English on the pages of all languages.
    expect(page.text).toContain('“<bdi lang="en">Create ticket</bdi>”')
    // The request is in one place, which is closed.
    expect(page.text.split('<details>').map((part) => part.includes(`POST ${onward.third.url}/tickets`))).toEqual([false, true])
    expect([...page.text.matchAll(/<button[^>]*value="(\w+)"/g)].map(([, decision]) => decision)).toEqual(['approve', 'refuse'])
    expect(page.text).not.toContain('name="reason"')
    expect(page.text).toContain('Printer')
    expect(page.text).toContain('New tickets cost money.')
    const approved = await browser.submit(page, { decision: 'approve' })
    expect(headingOf(approved)).toBe('“Create ticket” is approved')
    expect(approved.text).toMatch(
      /The call can run once, until <time datetime="\S+" data-as="minute">\w+ \d+, \d{4} at \d+:\d\d [AP]M UTC<\/time>\./,
    )
    expect((await browser.submit(page, { decision: 'refuse', reason: '' })).status).toBe(410)
    await user.call(CREATE, PRINTER).expect(200)
    expect((await user.post('/approvals/list').expect(200)).body.approvals[0]).toMatchObject({ state: 'used', decided_by: 'user' })
  })

  it('names the application as its users know it, in the language of the reader, and leads back to it', async () => {
    const { user, path } = await userWith()
    const settings = { connect_pages: { name: 'Bright CRM' }, allowed_redirects: ['https://crm.example.com/connected'] }
    const put = { workspace_id: 'workspace-1', name: 'crm-prod-2', ...settings }
    await onward.admin('put', path, put).expect(200)
    const { approval_url: url } = await ask(user)
    const stranger = await openBrowser().open(url)
    expect(stranger.text).toContain('<a href="https://crm.example.com">Go back to Bright CRM</a>')
    const browser = await signIn(user)
    const page = await browser.open(url, { 'accept-language': 'de-CH' })
    expect(page.text).toContain('<strong>Bright CRM</strong> möchte diese Funktion von Desk für')
    expect(page.text).toMatch(/bis <time datetime="\S+" data-as="minute">\d+\. \S+ \d{4} um \d\d:\d\d UTC<\/time>\./)
    expect(page.text + stranger.text).not.toMatch(/crm-prod-2|Onward/)
  })

  it('takes the reason of a refusal', async () => {
    const { user } = await userWith()
    const { approval_url: url } = await ask(user)
    const browser = await signIn(user)
    const asks = await browser.submit(await browser.open(url), { decision: 'refuse' })
    expect([headingOf(asks), asks.text.includes('name="reason"')]).toEqual(['Refuse “Create ticket”?', true])
    // Nothing is decided yet, and the user can go back.
    const back = await browser.submit(asks, { decision: 'back', reason: 'Not sure' })
    expect(headingOf(back)).toBe('Approve “Create ticket”?')
    await browser.submit(asks, { decision: 'refuse', reason: ' Too late. ' })
    expect((await user.call(CREATE, PRINTER).expect(403)).body).toMatchObject({ code: 'approval_refused', error: 'Too late.' })
  })

  it('refuses another user, another browser, and the page of another form', async () => {
    const { user, application } = await userWith()
    const rows = await onward.rows()
    const { approval_url: url } = await ask(user)
    const jane = await signIn(onward.user('jane', application))
    expect((await jane.open(url)).status).toBe(403)
    const browser = await signIn(user)
    const page = await browser.open(url)
    expect((await openBrowser().submit(page, { decision: 'approve' })).status).toBe(403)
    expect((await browser.submit(page, { decision: 'approve' }, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await user.post('/approvals/list').expect(200)).body.approvals[0].state).toBe('pending')
    expect((await openBrowser().open(`${onward.url}/oauth/approvals/none`)).status).toBe(410)
    expect([onward.third.received, await onward.rows()]).toEqual([[], rows])
  })

  it('approves nothing with a link whose secret was replaced, or that a developer made for a destructive function', async () => {
    const { user, application, path } = await userWith([{ apps: ['desk', 'orchard'], result: 'ask' }])
    const { approval_url: url } = await ask(user)
    const destructive = (await user.call('orchard-fell-tree').expect(403)).body.approval_url
    const browser = await signIn(user)
    const [page, other] = [await browser.open(url), await browser.open(destructive)]
    const made = onward.db.updateTable('mcp_authorization').where('app_key', '=', application.appKey)
    await made.set({ secret_digest: null, person_id: 'dev-1', person_role: 'developer' }).execute()
    expect((await browser.submit(other, { decision: 'approve' })).status).toBe(403)
    await made.set({ secret_digest: Buffer.from('old'), person_id: null, person_role: null }).execute()
    expect((await browser.submit(page, { decision: 'approve' })).status).toBe(403)
    const { body } = await onward.admin('get', `${path}/approvals?state=pending`).expect(200)
    expect(body.approvals).toHaveLength(2)
    expect(headingOf(await browser.submit(page, { decision: 'refuse', reason: '' }))).toBe('“Create ticket” is refused')
  })

  it('shows characters that hide or turn text', async () => {
    const { user } = await userWith()
    const { approval_url: url } = await ask(user, { subject: 'pay \u202eeod\u202c \u200b<b>now</b>' })
    const browser = await signIn(user)
    const page = await browser.open(url)
    expect(page.text).toContain('pay \\u{202e}eod\\u{202c} \\u{200b}&lt;b&gt;now')
  })
})

describe('an MCP client', () => {
  it('is named on the page as the application knows it, and as it names itself', async () => {
    const { user, path } = await userWith([])
    const { token, id } = await createToken(user, { name: 'Editor' })
    const client = await connectClient(onward.url, token, '2026-07-28', { name: 'acme-bank' })
    const { value } = await callTool(client, 'orchard-fell-tree')
    const browser = await signIn(user)
    const page = await browser.open(value.approval_url)
    expect(page.text).toContain('An application with the access <strong>Editor</strong> wants to call')
    expect(page.text).toContain(`Editor, a token of asking-${applications}`)
    expect(page.text).toContain('acme-bank, as it calls itself')
    const read = async () => (await user.post('/approvals/list').expect(200)).body.approvals[0]
    expect(await read()).toMatchObject({ via: 'mcp:acme-bank', token: { id, name: 'Editor', redirect_host: null } })
    const legacy = await connectClient(onward.url, token, '2025-11-25', { name: 'acme-bank' })
    const unnamed = await callTool(legacy, 'orchard-passthrough-request', { method: 'DELETE', url: '/tree' })
    expect((await browser.open(unnamed.value.approval_url)).text).not.toContain('<dt>Program</dt>')

    await onward.db.updateTable('mcp_token').set({ client_id: 'c', redirect_host: 'host.example' }).where('id', '=', id).execute()
    expect((await browser.open(value.approval_url)).text).toContain('An application added from <strong>host.example</strong>')
    await onward.admin('delete', `${path}/mcp-tokens/${id}`).expect(200)
    expect((await browser.open(value.approval_url)).text).toContain('An application whose access has ended wants to call')
    expect((await read()).token).toEqual({ id, name: '', redirect_host: null })
  })

  it('does not use an approval that another token asked for', async () => {
    const { user } = await userWith([])
    const [one, two] = await Promise.all(
      ['One', 'Two'].map(async (name) => await connectClient(onward.url, (await createToken(user, { name })).token, '2025-11-25')),
    )
    if (one === undefined || two === undefined) throw new Error('a client is missing')
    const { approval_id: id } = (await callTool(one, 'orchard-fell-tree')).value
    await decide(user, id, 'approved').expect(200)
    expect((await callTool(two, 'orchard-fell-tree')).value.code).toBe('approval_required')
    expect((await callTool(one, 'orchard-fell-tree')).isError).toBe(false)
  })

  it('gets a link for a destructive function without any rule, and the user approves it', async () => {
    const { user } = await userWith([])
    const { token } = await createToken(user)
    const client = await connectClient(onward.url, token, '2025-11-25')
    const { isError, value } = await callTool(client, 'orchard-fell-tree')
    expect([isError, value.code]).toEqual([true, 'approval_required'])
    expect(value.what_to_do).toContain(value.approval_url)
    expect((await callTool(client, 'orchard-plant-tree')).isError).toBe(false)
    // The credentials of the client open no endpoint that decides.
    for (const [method, path] of [
      ['POST', `/approvals/${value.approval_id}/decide`],
      ['GET', `/approvals/${value.approval_id}`],
    ] as const) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const sent = method === 'POST' ? { body: '{"result": "approved"}' } : {}
      expect((await fetch(`${onward.url}${path}`, { method, headers, ...sent })).status).toBe(401)
    }
    const browser = await signIn(user)
    await browser.submit(await browser.open(value.approval_url), { decision: 'approve' })
    expect((await callTool(client, 'orchard-fell-tree')).isError).toBe(false)
    expect((await callTool(client, 'orchard-fell-tree')).value.code).toBe('approval_required')
    // The API is as before.
    await user.call('orchard-fell-tree').expect(200)
  })

  it('receives the reason of a refusal', async () => {
    const { user } = await userWith([])
    const client = await connectClient(onward.url, (await createToken(user)).token, '2025-11-25')
    const { value } = await callTool(client, 'orchard-fell-tree')
    await decide(user, value.approval_id, 'refused', 'The tree is old.').expect(200)
    const { isError, value: refused } = await callTool(client, 'orchard-fell-tree')
    expect([isError, refused]).toEqual([true, expect.objectContaining({ code: 'approval_refused', error: 'The tree is old.' })])
    expect(onward.third.received).toEqual([])
  })

  it.each<['direct' | 'search', string, object]>([
    ['direct', 'orchard-fell-tree', {}],
    ['search', 'call_function', { name: 'orchard-fell-tree' }],
  ])('that can show links asks the user to open the page, and then repeats the call, in %s mode', async (mode, tool, args) => {
    const { user } = await userWith([])
    const { token } = await createToken(user, { mode })
    const client = await connectClient(onward.url, token, '2026-07-28', { capabilities: { elicitation: { url: {} } } })
    const browser = await signIn(user)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      await browser.submit(await browser.open((params as { url: string }).url), { decision: 'approve' })
      return { action: 'accept' }
    })
    expect((await callTool(client, tool, { ...args })).isError).toBe(false)
    expect(onward.third.received).toHaveLength(1)
  })

  it('does not use an approval that the application asked for', async () => {
    const { user } = await userWith()
    const { approval_id: id } = await ask(user)
    await decide(user, id, 'approved').expect(200)
    const { token } = await createToken(user)
    const client = await connectClient(onward.url, token, '2025-11-25')
    const { value } = await callTool(client, CREATE, PRINTER)
    expect([value.code, value.approval_id === id]).toEqual(['approval_required', false])
    await user.call(CREATE, PRINTER).expect(200)
  })

  it('runs destructive functions at once if a rule allows them', async () => {
    const { user } = await userWith([{ apps: ['orchard'], via: ['mcp'], result: 'allow' }])
    const { token } = await createToken(user)
    expect((await callTool(await connectClient(onward.url, token, '2025-11-25'), 'orchard-fell-tree')).isError).toBe(false)
  })
})
