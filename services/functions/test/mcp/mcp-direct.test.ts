import type { Client } from '@modelcontextprotocol/client'
import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { storeBlocking } from '../../src/db/blocking.ts'
import { visibleTools } from '../../src/mcp/results.ts'
import { callTool, connectClient, createToken, ERAS, sendMessage } from '../support/mcp-support.ts'
import { appFile, appFolder } from '../support/oauth-support.ts'
import { type Functions, openFunctions, type User } from '../support/support.ts'

const LONG = 'get-the-profile-of-the-person-who-owns-this-account'
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
let onward: Functions

beforeAll(async () => {
  const many = Array.from({ length: 129 }, (_, n) => [
    `list-${n}`,
    { title: `List ${n}`, description: 'Lists things.', type: 'QUERY', request: { method: 'GET', path: `/${n}` } },
  ])
  const account = { base_url: '{account.url}', account_settings: { url: { title: 'URL', description: 'Where it runs.' } } }
  const functions = {
    [LONG]: { title: 'Profile', description: 'Returns it.', type: 'QUERY', request: { method: 'GET', path: '/profile' } },
  }
  const folder = await appFolder([
    appFile('many', '', { type: 'none' }, { ...account, functions: Object.fromEntries(many) }),
    appFile('long', '', { type: 'none' }, { ...account, functions }),
    appFile('slate', '', { type: 'none' }, { ...account, error: { pointer: '/ok', equals: false } }),
  ])
  onward = await openFunctions({ env: { APPS_PATH: `services/functions/test/kinds-apps,${folder}` } })
})

let users = 0

describe.each(ERAS)('direct mode with a client of %s', (era) => {
  /** Creates a user with accounts of these apps, and the official client with a token of that user. */
  async function connected(apps: readonly string[], settings: object = {}): Promise<{ user: User; client: Client; token: string }> {
    const user = onward.user(`user-${++users}`)
    for (const app of apps) await user.connect(app as 'desk', app === 'pages' ? { api_key: 'k' } : {})
    const { token } = await createToken(user, settings)
    return { user, token, client: await connectClient(onward.url, token, era) }
  }

  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

  it('lists the functions of connected apps and of apps that need no account, in order', async () => {
    const { client } = await connected(['desk'])
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'clock-get-time',
      'clock-passthrough-request',
      'desk-create-ticket',
      'desk-get-ticket',
      'desk-list-labels',
      'desk-list-tickets',
      'desk-passthrough-request',
    ])
    const hints = Object.fromEntries(
      tools.map(({ name, annotations }) => [name, [annotations?.readOnlyHint, annotations?.destructiveHint]]),
    )
    expect(hints).toMatchObject({
      'desk-create-ticket': [false, false],
      'desk-get-ticket': [true, false],
      'desk-passthrough-request': [false, true],
    })
    expect(tools[3]).toMatchObject({ title: 'Get ticket', inputSchema: { type: 'object', required: ['ticket_id'] } })
    expect(tools[3]?.outputSchema).toBeUndefined()
  })

  it('returns structured content of functions that declare their output, in every case in which the client keeps it', async () => {
    const { client } = await connected(['desk'])
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'desk-list-labels')?.outputSchema).toMatchObject({
      type: 'object',
      required: ['network_code', 'call_id'],
    })
    const labels = async (json: string, status = 200, args = {}) => {
      onward.third.respond((_received, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(json)
      })
      return (await callTool(client, 'desk-list-labels', args)).result.structuredContent
    }
    expect(await labels('{"labels": [{"id": "a", "uses": 1.0, "name": null, "x": 1}]}')).toMatchObject({
      output: [{ id: 'a', uses: 1, name: null, x: 1 }],
      network_code: 200,
    })
    expect(await labels('{"labels": [{"id": "a", "uses": 2}]}', 200, { _fields: ['uses'] })).toMatchObject({ output: [{ uses: 2 }] })
    expect(await labels('{"labels": [{"id": 5}]}')).toMatchObject({ unexpected_output: [{ id: 5 }] })
    expect(await labels('{"labels": [{"uses": 1909699624467843944}]}')).toMatchObject({
      unexpected_output: [{ uses: '1909699624467843944' }],
    })
    expect(await labels('{"problem": "x"}', 404)).toBeUndefined()
  })

  it('offers to connect an account while there is no function, unless the token only reads', async () => {
    const { user, client, token } = await connected([], { apps: ['desk'] })
    expect(await namesOf(client)).toEqual(['connect_account'])
    const { value } = await callTool(client, 'connect_account', { app: 'desk' })
    expect(value).toMatchObject({ app: 'desk', status: 'not_connected', login_url: expect.stringContaining('/connect/') })
    await user.connect('desk')
    // The first client may remember the list for a minute.
    expect(await namesOf(await connectClient(onward.url, token, era))).toContain('desk-get-ticket')

    const lonely = onward.user('lonely')
    expect((await createToken(lonely, { apps: ['desk'] })).tools).toBe(1)
    expect((await createToken(lonely, { apps: ['desk'], mode: 'search' })).tools).toBe(6)
    const reading = await connected([], { apps: ['desk'], read_only: true })
    expect(await namesOf(reading.client)).toEqual([])
    await expect(reading.client.callTool({ name: 'connect_account', arguments: { app: 'desk' } })).rejects.toMatchObject({ code: -32_602 })
  })

  it('never shows or calls functions of another user', async () => {
    const [joe, ann] = [await connected(['desk']), await connected(['notes'])]
    expect(await namesOf(ann.client)).toEqual([
      'clock-get-time',
      'clock-passthrough-request',
      'notes-add-note',
      'notes-passthrough-request',
      'notes-read-notes',
    ])
    expect((await namesOf(joe.client)).includes('notes-add-note')).toBe(false)
    const { isError, value } = await callTool(ann.client, 'desk-list-labels')
    expect([isError, value.code]).toEqual([true, 'account_not_connected'])
  })

  it('offers only what the token allows', async () => {
    const { client } = await connected(['desk', 'notes'], {
      apps: ['desk', 'clock'],
      functions: ['desk-create-ticket', 'desk-get-ticket', 'clock-get-time', 'notes-read-notes'],
      read_only: true,
    })
    expect(await namesOf(client)).toEqual(['clock-get-time', 'desk-get-ticket'])
    await expect(client.callTool({ name: 'desk-get-tickets' })).rejects.toMatchObject({
      message: expect.stringContaining('there is no tool "desk-get-tickets"; did you mean desk-get-ticket?'),
    })
    for (const name of ['desk-create-ticket', 'desk-list-labels', 'notes-read-notes', 'nothing', 'x'.repeat(300)]) {
      const sent = onward.third.received.length
      await expect(client.callTool({ name, arguments: { subject: 'x' } })).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining(`there is no tool "${name.slice(0, 100)}"`),
      })
      expect(onward.third.received).toHaveLength(sent)
    }
  })

  it('calls a function as the API does, and logs and counts the call', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, { id: 7, text: 'a\u0000b\u009f\u202e\u200bc\u{e0041}' }))
    const { client, user } = await connected(['desk'])
    const { isError, value, result } = await callTool(client, 'desk-create-ticket', {
      subject: 'Printer',
      customer: '{"name":"Ada"}',
      text: null,
    })
    expect(isError).toBe(false)
    const output = { id: 7, text: 'a\u0000bc' }
    expect(value).toEqual({ output, network_code: 200, removed_characters: 4, call_id: expect.any(String) })
    expect(JSON.parse(onward.third.received.at(-1)?.body ?? '')).toMatchObject({
      subject: 'Printer',
      priority: 3,
      customer: { name: 'Ada' },
    })
    expect(client.getInstructions()).toMatch(/third-party app/)
    expect(result._meta).toMatchObject({
      'onward/third_party': 'Desk',
      'onward/request_id': expect.any(String),
      'onward/call_id': value.call_id,
    })
    const logged = await user.post(`/calls/${value.call_id}/get`).expect(200)
    // A client of 2025 sends its name only with its first request, and we keep no sessions.
    expect(logged.body).toMatchObject({
      function_name: 'desk-create-ticket',
      network_code: 200,
      via: era === '2026-07-28' ? 'mcp:Test client' : 'mcp',
    })
    expect(await onward.counted(value.call_id)).toBe(true)
    const { body } = await user.call('desk-list-labels').expect(200)
    expect(body).toBeDefined()
    expect((await user.post('/calls/list', { page_size: 1 })).body.calls[0].via).toBeUndefined()
  })

  it.each([
    ['pages-cursor', { items: [1], next: 'abc' }, 'after=abc'],
    ['pages-page', { items: [1], pages: 3 }, 'page=2'],
  ])('reads the next page of %s with the _cursor of the result', async (name, answer, query) => {
    onward.third.respond((_received, response) => sendJson(response, 200, answer))
    const { client } = await connected(['pages'])
    const { value } = await callTool(client, name)
    expect(value).toMatchObject({ output: [1], _cursor: expect.any(String) })
    await callTool(client, name, { _cursor: value._cursor })
    expect(onward.third.received.at(-1)?.url).toContain(query)
  })

  it.each([
    ['a status of 400 or more', 'desk-list-labels', 'desk', 404, { error: 'gone' }],
    ['an error in a 2xx answer', 'slate-get-me', 'slate', 200, { ok: false }],
  ])('returns %s of the app as an error, with what the app said', async (_what, name, app, status, answer) => {
    onward.third.respond((_received, response) => sendJson(response, status, answer))
    const { client } = await connected([app])
    const { isError, value } = await callTool(client, name)
    expect([isError, value]).toEqual([true, { output: answer, network_code: status, call_id: expect.any(String) }])
  })

  it('returns how long the app asks to wait', async () => {
    onward.third.respond((_received, response) => response.writeHead(429, { 'retry-after': '30' }).end('{}') as never)
    const { client } = await connected(['desk'])
    const { value } = await callTool(client, 'desk-create-ticket', { subject: 'x' })
    expect(value).toEqual({ output: {}, network_code: 429, retry_after: 30, call_id: expect.any(String) })
  })

  it('names the argument that is wrong, the request and the nearest parameter', async () => {
    const { client } = await connected(['desk'])
    const { isError, value } = await callTool(client, 'desk-create-ticket', { subjct: 'x' })
    expect(isError).toBe(true)
    expect(value).toEqual({
      error: 'the parameters are not valid',
      error_details: ['subject: is required', 'subjct: is not known here; did you mean subject?'],
      code: 'invalid_parameters',
      request_id: expect.any(String),
    })
  })

  it('answers a call for which an account is missing with a link to our page', async () => {
    const { client } = await connected([])
    const { isError, value } = await callTool(client, 'desk-list-labels')
    expect(isError).toBe(true)
    expect(value).toMatchObject({ code: 'account_not_connected', error_details: ['desk: the user has no connected account'] })
    expect(value.what_to_do).toBe(`Ask the user to open ${value.login_url} and to sign in. Then call the tool again.`)
    expect(await (await fetch(value.login_url)).text()).toContain('Desk')
  })

  it('says that the app did not answer, and that the call may have taken effect', async () => {
    onward.third.respond((_received, response) => void response.destroy())
    const { client } = await connected(['notes'])
    const { isError, value } = await callTool(client, 'notes-read-notes')
    expect(isError).toBe(true)
    expect(value).toMatchObject({
      code: 'upstream_invalid',
      error: expect.stringContaining('may have taken effect'),
      call_id: expect.any(String),
    })
    expect(await onward.counted(value.call_id)).toBe(true)
  })

  it('shortens a long name with a hash, and finds its function again', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, { name: 'Ada' }))
    const { client } = await connected(['long'])
    const name = (await namesOf(client)).find((each) => each.startsWith('long-get'))
    expect(name).toMatch(/^long-get-the-profile-of-the-person-w-[0-9a-f]{8}$/)
    expect(name).toHaveLength(45)
    expect((await callTool(client, name ?? '')).value.output).toEqual({ name: 'Ada' })
  })

  it('refuses more than 128 tools when the token is made, and when the user connects an app later', async () => {
    const advice =
      'the token would offer 132 tools, but at most 128 are useful; create a token with mode "search", or with fewer apps or functions'
    const { client, user } = await connected([])
    await user.connect('many' as 'notes')
    await expect(client.listTools()).rejects.toMatchObject({ code: -32_603, message: expect.stringContaining(advice) })
    const { body } = await user.post('/mcp/tokens', { mode: 'direct' }).expect(400)
    expect(body.error_details).toEqual([`mode: ${advice}`])
    await createToken(user, { apps: ['clock'] })
  })

  it('refuses a cursor, since the list has one page', async () => {
    const { client } = await connected([])
    await expect(client.listTools({ cursor: 'x' })).rejects.toMatchObject({ code: -32_602 })
  })

  it('refuses the calls of a blocked user', async () => {
    const { client, user } = await connected(['notes'])
    const blocked_until = new Date(Date.now() + 3_600_000).toISOString()
    await storeBlocking(onward.db, [{ app_key: onward.application.appKey, user_id: user.userId, seq: 1, blocked_until }])
    await eventually(async () => {
      const { value } = await callTool(client, 'notes-read-notes')
      expect(value).toMatchObject({ code: 'task_limit_reached', retry_after: expect.any(Number) })
    })
  })

  it('returns only the parts of the output in _fields, which are checked', async () => {
    const { client } = await connected(['notes'], { output_chars: 2_000 })
    const items = Array.from({ length: 100 }, (_, id) => ({ id, text: 'x'.repeat(100) }))
    onward.third.respond((_received, response) => sendJson(response, 200, { items }))
    const { value } = await callTool(client, 'notes-read-notes', { _fields: ['items.id', 'items.title'] })
    expect(value).toEqual({
      output: { items: items.map(({ id }) => ({ id })) },
      network_code: 200,
      fields_missing: ['items.title'],
      call_id: expect.any(String),
    })
    const refused = await callTool(client, 'notes-read-notes', { _fields: 'id' })
    expect(refused.value).toMatchObject({ code: 'invalid_parameters', error_details: ['_fields: must be an array'] })
    const { tools } = await client.listTools()
    const { properties } = tools.find(({ name }) => name === 'notes-read-notes')?.inputSchema ?? {}
    expect(properties?._fields).toMatchObject({ type: 'array' })
  })

  it('counts each request against the rate limit of the user', async () => {
    const application = await onward.makeApplication(`limited-${users}`)
    const settings = { workspace_id: 'workspace-1', name: 'x', user_rate_limit: 10 }
    await onward.admin('put', `/admin/applications/${application.appKey}`, settings).expect(200)
    const { token } = await createToken(onward.user('joe', application))
    const send = () => sendMessage(onward.url, { authorization: `Bearer ${token}` }, LIST)
    const statuses = new Set<number>()
    // A minute can end in between.
    for (let n = 0; n < 21 && !statuses.has(429); n++) statuses.add((await send()).status)
    expect([...statuses]).toEqual([200, 429])
    const refused = await send()
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ error: { data: { code: 'rate_limited' } } })
  })

  it('answers a failure of its own without detail, and without a link to connect an account', async () => {
    const { client } = await connected(['notes'])
    await sql`alter table connected_account rename to elsewhere`.execute(onward.db)
    const list = client.listTools().catch((err: Error) => err)
    const { isError, value } = await callTool(client, 'notes-read-notes')
    const failure = await list
    await sql`alter table elsewhere rename to connected_account`.execute(onward.db)
    expect(failure).toMatchObject({ code: -32_603, message: expect.stringContaining('the service failed; the request was not at fault') })
    const error = 'the service failed; the request was not at fault'
    expect([isError, value]).toEqual([true, { error, error_details: [], code: 'internal_error', request_id: expect.any(String) }])
  })

  it('names the call in the header X-Call-ID', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, []))
    const { token } = await connected(['notes'])
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'notes-read-notes', arguments: {} } }
    const response = await sendMessage(onward.url, { authorization: `Bearer ${token}` }, call)
    const callId = response.headers.get('x-call-id')
    expect(callId).not.toBeNull()
    expect(await response.text()).toContain(`\\"call_id\\":\\"${callId}\\"`)
  })

  it('refuses several messages in one request, and methods of sessions', async () => {
    const { token } = await connected([])
    const send = (sent: unknown, method?: string) => sendMessage(onward.url, { authorization: `Bearer ${token}` }, sent, method)
    expect((await send([LIST, LIST])).status).toBe(400)
    expect((await send(undefined, 'GET')).status).toBe(405)
    expect((await send(undefined, 'DELETE')).status).toBe(405)
  })
})

it('logs at most 60 plain characters of the name of a client', async () => {
  onward.third.respond((_received, response) => sendJson(response, 200, []))
  const user = onward.user(`user-${++users}`)
  await user.connect('notes')
  const { token } = await createToken(user)
  const client = await connectClient(onward.url, token, '2026-07-28', { name: `<b>\n"Desk" (1.0)${'x'.repeat(100)}` })
  const { value } = await callTool(client, 'notes-read-notes')
  const { body } = await user.post(`/calls/${value.call_id}/get`).expect(200)
  expect(body.via).toBe(`mcp:bDesk (1.0)${'x'.repeat(49)}`)
})

it('leaves invisible characters out of descriptions only, because a changed name or choice would be another one', () => {
  const tool = (hidden: string) => ({ name: 'x', description: `Reads${hidden}.`, inputSchema: { enum: ['a\u202eb'] } })
  expect(visibleTools([tool('\u202e\u{e0041}')])).toEqual([tool('')])
})
