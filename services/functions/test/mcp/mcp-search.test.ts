import type { Client } from '@modelcontextprotocol/client'
import { sendJson } from '@onward/testbed'
import { callTool, connectClient, createToken, ERAS } from '../support/mcp-support.ts'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let users = 0

async function connected(apps: readonly ('desk' | 'notes')[], settings: object = {}, era: (typeof ERAS)[number] = '2026-07-28') {
  const user: User = onward.user(`user-${++users}`)
  for (const app of apps) await user.connect(app)
  const { token } = await createToken(user, { mode: 'search', ...settings })
  return { user, token, client: await connectClient(onward.url, token, era) }
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

describe.each(ERAS)('search mode with a client of %s', (era) => {
  it('offers six small tools, and four to a token that only reads', async () => {
    const { client } = await connected([], {}, era)
    const { tools } = await client.listTools()
    const hints = tools.map(({ name, annotations }) => [
      name,
      annotations?.readOnlyHint,
      annotations?.destructiveHint,
      annotations?.openWorldHint,
    ])
    expect(hints).toEqual([
      ['search_functions', true, false, false],
      ['get_function_schemas', true, false, false],
      ['call_read_function', true, false, true],
      ['call_function', false, true, true],
      ['call_functions', false, true, true],
      ['connect_account', false, false, true],
    ])
    // About 2,000 tokens of a model.
    expect(JSON.stringify(tools).length).toBeLessThan(8_000)
    const reading = await connected([], { read_only: true }, era)
    expect(await namesOf(reading.client)).toEqual(['search_functions', 'get_function_schemas', 'call_read_function', 'call_functions'])
    await expect(reading.client.callTool({ name: 'call_function', arguments: { name: 'clock-get-time' } })).rejects.toMatchObject({
      code: -32_602,
    })
    const unknown = async (name: string, advice: string) => {
      const message = expect.stringContaining(`there is no tool "${name}"; ${advice}`)
      await expect(client.callTool({ name })).rejects.toMatchObject({ code: -32_602, message })
    }
    await unknown('clock-get-time', 'it is a function: call it with call_read_function')
    await unknown('desk-create-ticket', 'it is a function: call it with call_function')
    await unknown('search_function', 'did you mean search_functions?')
  })

  it('finds a function, and calls it with the suggested arguments', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, { id: 7 }))
    const { client, user } = await connected(['desk'], {}, era)
    const queries = [{ task: 'open a ticket with the subject "Printer"' }, { task: 'read the notes' }]
    const { value } = await callTool(client, 'search_functions', { queries: JSON.stringify(queries), limit: 4 })
    const [ticket, notes] = value.queries
    expect(ticket.functions[0]).toMatchObject({
      name: 'desk-create-ticket',
      description: 'Opens a ticket for a customer.',
      read_only: false,
      connected: true,
      input_schema: { type: 'object', required: ['subject'] },
      suggested_arguments: { subject: 'Printer' },
    })
    expect(notes.functions[0]).toMatchObject({ name: 'notes-read-notes', read_only: true, connected: false })
    expect(value.connect_first).toContainEqual({ app: 'notes', title: 'Notes' })
    expect(Math.abs(Date.parse(value.now) - Date.now())).toBeLessThan(60_000)
    for (const { functions } of value.queries) {
      expect(functions.length).toBeLessThanOrEqual(4)
      for (const each of functions.slice(3)) expect(each.input_schema).toBeUndefined()
    }

    const { name, suggested_arguments: args } = ticket.functions[0]
    const called = await callTool(client, 'call_function', { name, arguments: args })
    expect([called.isError, called.value]).toEqual([false, { output: { id: 7 }, network_code: 200, call_id: expect.any(String) }])
    const logged = await user.post(`/calls/${called.value.call_id}/get`).expect(200)
    expect(logged.body).toMatchObject({ function_name: 'desk-create-ticket', via: era === '2026-07-28' ? 'mcp:Test client' : 'mcp' })
    expect(await onward.counted(called.value.call_id)).toBe(true)
  })
})

describe('search_functions', () => {
  it('finds only functions that the token allows, and only of the app of a query', async () => {
    const { client } = await connected(['desk', 'notes'], { read_only: true, apps: ['desk', 'notes'] })
    const queries = [{ task: 'open a ticket' }, { task: 'read notes', app: 'Desk' }]
    const { value } = await callTool(client, 'search_functions', { queries, limit: 10 })
    const [all, desk] = value.queries.map(({ functions }: { functions: { name: string }[] }) => functions.map(({ name }) => name))
    expect(all).not.toContain('desk-create-ticket')
    for (const name of [...all, ...desk])
      expect(['desk-get-ticket', 'desk-list-labels', 'desk-list-tickets', 'notes-read-notes']).toContain(name)
    expect(desk).not.toContain('notes-read-notes')
  })

  it.each(['desk', 'notes'] as const)('prefers functions of a connected app: %s', async (app) => {
    const { client } = await connected([app])
    const { value } = await callTool(client, 'search_functions', { queries: [{ task: 'read the notes of a ticket' }] })
    expect(value.queries[0].functions[0].name).toBe(app === 'desk' ? 'desk-get-ticket' : 'notes-read-notes')
  })

  it('says why a task has no function', async () => {
    const { client } = await connected(['desk'])
    const { value } = await callTool(client, 'search_functions', {
      queries: [{ task: 'what is love' }, { task: 'open a ticket' }],
    })
    expect(value.queries[0]).toEqual({
      task: 'what is love',
      functions: [],
      refused: { reason: 'out_of_scope', nearest: [{ name: 'desk-create-ticket', confidence: expect.any(Number) }] },
    })
    expect(value.queries[1]).not.toHaveProperty('refused')
  })

  it('shows each schema once, and none beyond the size that the token allows', async () => {
    const { client } = await connected(['desk'])
    const queries = [{ task: 'create a ticket' }, { task: 'open a ticket' }]
    const { value } = await callTool(client, 'search_functions', { queries })
    const withSchema = value.queries
      .flatMap(({ functions }: { functions: object[] }) => functions)
      .filter((each: object) => 'input_schema' in each)
    expect(new Set(withSchema.map(({ name }: { name: string }) => name)).size).toBe(withSchema.length)
    expect(withSchema.length).toBeGreaterThan(0)
    const small = await connected(['desk'], { output_chars: 1_000 })
    const { value: cut } = await callTool(small.client, 'search_functions', { queries })
    expect(cut.queries[0].functions[0]).toMatchObject({ name: 'desk-create-ticket' })
    expect(cut.queries[0].functions[0].input_schema).toBeUndefined()
  })

  it('counts each query as a prediction', async () => {
    const application = await onward.makeApplication('few-predictions')
    const settings = { workspace_id: 'workspace-1', name: 'x', user_predict_rate_limit: 4 }
    await onward.admin('put', `/admin/applications/${application.appKey}`, settings).expect(200)
    const { token } = await createToken(onward.user('joe', application), { mode: 'search' })
    const client = await connectClient(onward.url, token, '2026-07-28')
    const search = () => callTool(client, 'search_functions', { queries: Array.from({ length: 5 }, () => ({ task: 'open a ticket' })) })
    // A minute can end within one of the two.
    const results = [await search(), await search()]
    const refused = results.find(({ isError }) => isError)
    expect(refused?.value).toMatchObject({ code: 'rate_limited', error: expect.stringContaining('the user may predict 4 times a minute') })
  })
})

describe('the other tools of search mode', () => {
  it('get_function_schemas returns schemas, and the nearest names for those that do not exist', async () => {
    const { client } = await connected(['desk'], { apps: ['desk'] })
    const { value } = await callTool(client, 'get_function_schemas', {
      names: ['desk-get-ticket', 'desk-list-labels', 'desk-get-tickt', 'notes-read-notes'],
    })
    expect(value.functions).toEqual([
      {
        name: 'desk-get-ticket',
        description: 'Reads one ticket by its number.',
        read_only: true,
        connected: true,
        input_schema: expect.objectContaining({ required: ['ticket_id'] }),
      },
      expect.objectContaining({ name: 'desk-list-labels', output_schema: expect.objectContaining({ items: expect.anything() }) }),
    ])
    expect(value.not_found).toEqual([
      { name: 'desk-get-tickt', suggestions: ['desk-get-ticket'] },
      { name: 'notes-read-notes', suggestions: expect.not.arrayContaining(['notes-read-notes']) },
    ])
  })

  it('call_read_function refuses a function that changes data, and names the other tool', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, { tickets: [1] }))
    const { client } = await connected(['desk'])
    const sent = onward.third.received.length
    const refused = await callTool(client, 'call_read_function', { name: 'desk-create-ticket', arguments: { subject: 'x' } })
    expect([refused.isError, refused.value.error]).toEqual([true, 'desk-create-ticket does not only read; call it with call_function'])
    expect(onward.third.received).toHaveLength(sent)
    expect((await callTool(client, 'call_read_function', { name: 'desk-list-tickets' })).value.output).toEqual([1])
  })

  it.each([
    ['call_function', { name: 'desk-lst-tickets' }, { code: 'function_not_found', suggestions: ['desk-list-tickets'] }],
    ['call_function', { name: 'notes-read-notes' }, { code: 'function_not_found' }],
    [
      'call_function',
      { nam: 'x' },
      { code: 'invalid_parameters', error_details: ['name: is required', 'nam: is not known here; did you mean name?'] },
    ],
    ['search_functions', { queries: [] }, { code: 'invalid_parameters' }],
    ['connect_account', { app: 'dsk' }, { code: 'app_not_found', suggestions: ['desk'] }],
    ['connect_account', { app: 'notes' }, { code: 'app_not_found' }],
  ])('%s refuses %j', async (name, args, expected) => {
    const { client } = await connected(['desk'], { apps: ['desk', 'clock'] })
    const { isError, value } = await callTool(client, name, args)
    expect(isError).toBe(true)
    expect(value).toMatchObject(expected)
  })

  it('call_functions calls several functions, and returns a result or an error for each', async () => {
    const { client } = await connected(['desk'], { output_chars: 2_000 })
    onward.third.respond(({ body }, response) => sendJson(response, 201, { text: 'x'.repeat(3_000), body }))
    const calls = [
      { name: 'desk-create-ticket', arguments: { subject: 'a' }, _fields: ['body'], idempotency_key: 'several' },
      { name: 'desk-creat-ticket' },
      { name: 'crm-list-contacts' },
      { name: 'desk-create-ticket', arguments: { subject: 'b' } },
    ]
    const { value } = await callTool(client, 'call_functions', { calls, in_order: true })
    expect(value.results).toEqual([
      { network_code: 201, output: { body: expect.stringContaining('"subject":"a"') }, call_id: expect.any(String) },
      expect.objectContaining({ code: 'function_not_found', suggestions: ['desk-create-ticket'] }),
      expect.objectContaining({ code: 'account_not_connected', login_url: expect.any(String) }),
      expect.objectContaining({ network_code: 201, truncated: expect.objectContaining({ of: expect.any(Number) }) }),
    ])
    expect(JSON.stringify(value.results[3].output).length).toBeLessThanOrEqual(500)
    const again = await callTool(client, 'call_functions', { calls: calls.slice(0, 1) })
    expect(again.value.results[0].call_id).toBe(value.results[0].call_id)
  })

  it('returns the output of a function that declares it as structured content too, unless it has another shape', async () => {
    const { client } = await connected(['desk'])
    const read = async (labels: unknown) => {
      onward.third.respond((_received, response) => sendJson(response, 200, { labels }))
      const one = await callTool(client, 'call_read_function', { name: 'desk-list-labels' })
      const two = await callTool(client, 'call_functions', { calls: [{ name: 'desk-list-labels' }, { name: 'desk-list-tickets' }] })
      return [one, two]
    }
    const [one, two] = await read([{ id: 'a', uses: 3 }])
    expect(one?.result.structuredContent).toEqual(one?.value)
    expect(two?.result.structuredContent).toEqual(two?.value)
    expect(two?.value.results[0].output).toEqual([{ id: 'a', uses: 3 }])
    const others = await read([{ id: 'a', uses: 'three' }])
    expect(others[0]?.value.output).toEqual([{ id: 'a', uses: 'three' }])
    expect(others.map(({ result }) => result.structuredContent)).toEqual([undefined, undefined])
    const undeclared = await callTool(client, 'call_read_function', { name: 'desk-list-tickets' })
    expect(undeclared.result.structuredContent).toBeUndefined()
  })

  it('call_functions of a token that only reads calls only functions that read', async () => {
    const { client } = await connected(['desk'], { read_only: true })
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'call_functions')?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    const before = onward.third.received.length
    const { value } = await callTool(client, 'call_functions', { calls: [{ name: 'desk-create-ticket', arguments: { subject: 'a' } }] })
    expect(value.results).toEqual([expect.objectContaining({ code: 'function_not_found' })])
    expect(onward.third.received.length).toBe(before)
  })

  it('call_function executes once per idempotency_key', async () => {
    let answers = 0
    onward.third.respond((_received, response) => sendJson(response, 200, { id: ++answers }))
    const { client } = await connected(['desk'])
    const call = (args: object, name = 'desk-create-ticket') => callTool(client, 'call_function', { name, ...args, idempotency_key: 'k-1' })
    const ticket = { arguments: { subject: 'a' } }
    const [first, second] = [await call(ticket), await call(ticket)]
    expect(second.value).toEqual(first.value)
    expect(answers).toBe(1)
    for (const other of [{ arguments: { subject: 'b' } }, { ...ticket, _cursor: 'next' }]) {
      expect((await call(other)).value.code).toBe('idempotency_conflict')
    }
    expect((await call({}, 'desk-list-labels')).isError).toBe(false)
    expect(answers).toBe(2)
  })

  it('connect_account returns a link to our page, and says when there is an account', async () => {
    const { client, user } = await connected([])
    const { isError, value } = await callTool(client, 'connect_account', { app: 'Desk' })
    expect(isError).toBe(false)
    expect(value).toEqual({
      app: 'desk',
      status: 'not_connected',
      login_url: expect.any(String),
      what_to_do: `Ask the user to open ${value.login_url} and to sign in. Then call the tool again.`,
    })
    expect((await fetch(value.login_url)).status).toBe(200)
    await user.connect('desk')
    expect((await callTool(client, 'connect_account', { app: 'desk' })).value).toEqual({
      app: 'desk',
      status: 'connected',
      accounts: [expect.any(String)],
    })
    expect((await callTool(client, 'connect_account', { app: 'desk', reconnect: true })).value.status).toBe('not_connected')
    expect((await callTool(client, 'connect_account', { app: 'clock' })).value.status).toBe('needs_no_account')
    await onward.db.updateTable('connected_account').set({ status: 'reconnect_required' }).where('user_id', '=', user.userId).execute()
    expect((await callTool(client, 'connect_account', { app: 'desk' })).value.status).toBe('not_connected')
  })

  it.each<[string, object, string, string | undefined]>([
    ['that only reads', { read_only: true }, 'notes-read-notes', undefined],
    ['of one function of the app', { functions: ['notes-read-notes'] }, 'notes-read-notes', 'account_not_connected'],
    ['of a function of another app', { functions: ['clock-get-time'] }, 'clock-get-time', undefined],
  ])('gives a link to connect an app only to a token that may change something in it: one %s', async (_what, settings, name, code) => {
    const { client } = await connected([], settings)
    const names = await namesOf(client)
    const { value } = await callTool(client, 'call_read_function', { name })
    expect([value.code, typeof value.login_url]).toEqual([
      name === 'clock-get-time' ? value.code : 'account_not_connected',
      code === undefined ? 'undefined' : 'string',
    ])
    if (!names.includes('connect_account')) return
    const { value: link } = await callTool(client, 'connect_account', { app: 'notes', reconnect: true })
    expect(typeof link.login_url).toBe(code === undefined ? 'undefined' : 'string')
  })

  it('returns a link as text to a client that can ask the user for values, but cannot show links', async () => {
    const { token } = await connected([])
    const client = await connectClient(onward.url, token, '2026-07-28', { capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }))
    const { value } = await callTool(client, 'connect_account', { app: 'desk' })
    expect(value).toMatchObject({ status: 'not_connected', login_url: expect.any(String) })
  })

  it('asks a client that can show links to open one, and returns the link when the call comes again too early', async () => {
    const { user, token } = await connected([])
    const client = await connectClient(onward.url, token, '2026-07-28', { capabilities: { elicitation: { url: {} } } })
    const asked: { url?: string; message?: string }[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params as { url?: string; message?: string })
      return { action: 'accept' }
    })
    const early = await callTool(client, 'call_function', { name: 'desk-list-tickets' })
    expect(asked).toEqual([
      expect.objectContaining({ mode: 'url', url: expect.stringContaining('/connect/'), message: 'connect an account of Desk first' }),
    ])
    expect(early.value).toMatchObject({ code: 'account_not_connected', login_url: expect.any(String) })
    client.setRequestHandler('elicitation/create', async () => {
      await user.connect('desk')
      return { action: 'accept' }
    })
    onward.third.respond((_received, response) => sendJson(response, 200, { tickets: [] }))
    expect((await callTool(client, 'call_function', { name: 'desk-list-tickets' })).value.output).toEqual([])
  })
})
