import type { PolicyRule } from '@onward/contract'
import { eventually, sendJson } from '@onward/testbed'
import request from 'supertest'
import { callTool, connectClient, createToken } from '../support/mcp-support.ts'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()
let applications = 0

/** Creates an application with rules, and a user with an account of the app Desk. */
async function userWith(rules: readonly PolicyRule[]) {
  onward.third.respond((_received, response) => sendJson(response, 200, {}))
  const application = await onward.makeApplication(`ruled-${++applications}`)
  const user = onward.user('joe', application)
  await user.connect('desk')
  await put(application.appKey, { rules }).expect(200)
  onward.third.received.length = 0
  return { user, appKey: application.appKey }
}

const put = (appKey: string, body: object) => onward.admin('put', `/admin/applications/${appKey}/policy`, body)
const URGENT = { properties: { priority: { maximum: 2 } }, required: ['priority'] }

describe('the rules of an application', () => {
  it('decide in their order, by the conditions on the function and on the arguments', async () => {
    const { user } = await userWith([
      { functions: ['desk-create-ticket'], arguments: URGENT, result: 'allow' },
      { apps: ['desk'], types: ['ACTION'], result: 'deny', message: 'Only tickets of priority 1 and 2.' },
    ])
    await user.call('desk-create-ticket', { subject: 'a', priority: 2 }).expect(200)
    const { body } = await user.call('desk-create-ticket', { subject: 'a', priority: 3 }).expect(403)
    expect(body).toMatchObject({ code: 'denied_by_policy', error: 'Only tickets of priority 1 and 2.' })
    // The default of the parameter, 3, is not allowed either.
    await user.call('desk-create-ticket', { subject: 'a' }).expect(403)
    await user.call('desk-create-ticket', { subject: 'a', priority: '{p}', _variables: { p: 4 } }).expect(403)
    await user.call('desk-get-ticket', { ticket_id: '1' }).expect(200)
    expect(onward.third.received).toHaveLength(2)
  })

  it('add nothing to a call, also with a default in a condition', async () => {
    const { user } = await userWith([{ apps: ['desk'], arguments: { properties: { text: { default: 'of the rule' } } }, result: 'allow' }])
    await user.call('desk-create-ticket', { subject: 'a' }).expect(200)
    expect(JSON.parse(String(onward.third.received[0]?.body))).toEqual({ subject: 'a', priority: 3 })
  })

  it('leave no trace of a denied call but one entry in the audit log, also with an Idempotency-Key', async () => {
    const { user, appKey } = await userWith([{ functions: ['desk-create-ticket'], result: 'deny' }])
    const rows = await onward.rows()
    for (let i = 0; i < 2; i++) {
      const { headers } = await user.call('desk-create-ticket', { subject: 'a' }).set('Idempotency-Key', 'one').expect(403)
      expect(headers['x-call-id']).toBeUndefined()
    }
    expect(await onward.rows()).toEqual(rows)
    expect(onward.third.received).toEqual([])
    const { entries } = (await onward.admin('get', '/admin/audit?action=function.call').expect(200)).body
    expect(entries[0]).toMatchObject({
      code: 'denied_by_policy',
      target: { app_key: appKey, user_id: 'joe', function_name: 'desk-create-ticket' },
    })
    // The key is free again once the call is allowed.
    await put(appKey, { rules: [] }).expect(200)
    await user.call('desk-create-ticket', { subject: 'a' }).set('Idempotency-Key', 'one').expect(200)
  })

  it('hide functions whose calls are all denied from lists and predictions, and hold for MCP clients', async () => {
    const { user, appKey } = await userWith([
      {
        functions: ['desk-get-ticket'],
        arguments: { properties: { ticket_id: { enum: ['3'] } } },
        result: 'deny',
        message: 'Not this one.',
      },
      { functions: ['desk-create-ticket'], result: 'deny' },
    ])
    const listed = (await user.post('/functions/list?app=desk', {}).expect(200)).body.functions.map(({ name }: { name: string }) => name)
    expect(listed).toContain('desk-get-ticket')
    expect(listed).not.toContain('desk-create-ticket')
    const predict = async () =>
      (await user.post('/functions/predict', { prompt: 'create a ticket in Desk', top_k: 5 }).expect(200)).body.functions
    const names = (all: readonly { name: string }[]) => all.map(({ name }) => name)
    expect(names(await predict())).not.toContain('desk-create-ticket')
    const { token } = await createToken(user)
    const client = await connectClient(onward.url, token, '2026-07-28')
    const tools = (await client.listTools()).tools.map(({ name }) => name)
    expect(tools).toContain('desk-get-ticket')
    expect(tools).not.toContain('desk-create-ticket')
    const denied = await callTool(client, 'desk-get-ticket', { ticket_id: '3' })
    expect(JSON.stringify(denied)).toContain('Not this one.')
    await client.close()
    await put(appKey, { rules: [] }).expect(200)
    expect(names(await predict())).toContain('desk-create-ticket')
    expect(onward.third.received).toEqual([])
  })

  it('can require that a text ends in the own domain', async () => {
    const { user } = await userWith([
      {
        functions: ['phone-send-text'],
        arguments: { properties: { to: { type: 'string', pattern: '@example\\.com$' } }, required: ['to'] },
        result: 'allow',
      },
      { apps: ['phone'], result: 'deny' },
    ])
    await user.connect('phone')
    const send = async (to: unknown) =>
      (await user.call('phone-send-text', { to, body: 'Hi', _variables: { who: 'eve@example.org' } })).status
    expect(await send('ada@example.com')).toBe(200)
    for (const to of ['eve@example.org', 'a@example.com.evil.example', 'a@exampleXcom', 'a@example.com\n', 'a@EXAMPLE.COM', '{who}']) {
      expect([to, await send(to)]).toEqual([to, 403])
    }
    expect(onward.third.received.map(({ body }) => JSON.parse(body).to)).toEqual(['ada@example.com'])
  })

  it('refuse a tool that they hide from an MCP client with their message, and the audit log has it', async () => {
    const { user, appKey } = await userWith([{ functions: ['desk-create-ticket'], result: 'deny', message: 'Tickets are for people.' }])
    for (const [mode, era] of [
      ['direct', '2025-11-25'],
      ['search', '2026-07-28'],
    ] as const) {
      const { token } = await createToken(user, { mode })
      const client = await connectClient(onward.url, token, era)
      const sent = { subject: 'a' }
      const { isError, value } =
        mode === 'direct'
          ? await callTool(client, 'desk-create-ticket', sent)
          : await callTool(client, 'call_function', { name: 'desk-create-ticket', arguments: sent })
      expect([isError, value]).toEqual([true, expect.objectContaining({ code: 'denied_by_policy', error: 'Tickets are for people.' })])
      const { entries } = (await onward.admin('get', '/admin/audit?action=function.call').expect(200)).body
      const target = {
        app_key: appKey,
        user_id: 'joe',
        function_name: 'desk-create-ticket',
        via: mode === 'direct' ? 'mcp' : 'mcp:Test client',
      }
      expect(entries[0]).toMatchObject({ code: 'denied_by_policy', target })
    }
    expect(onward.third.received).toEqual([])
    // A function that the token is not for does not exist for it.
    const { token } = await createToken(user, { mode: 'search', apps: ['clock'] })
    const narrow = await connectClient(onward.url, token, '2025-11-25')
    const { value } = await callTool(narrow, 'call_function', { name: 'desk-create-ticket', arguments: { subject: 'a' } })
    expect(value.code).toBe('function_not_found')
  })

  it('are returned by a dry run', async () => {
    const { user } = await userWith([{ functions: ['desk-create-ticket'], result: 'deny', message: 'No tickets.' }])
    const dryRun = async (name: string, args: object) => (await user.call(name, args, '?dry_run=true').expect(200)).body.policy
    expect(await dryRun('desk-create-ticket', { subject: 'a' })).toEqual({ result: 'deny', message: 'No tickets.' })
    expect(await dryRun('desk-get-ticket', { ticket_id: '1' })).toEqual({ result: 'allow', message: null })
  })

  it('hold for the next call in another process', async () => {
    const { user, appKey } = await userWith([])
    const other = await onward.startAnother()
    const call = async () =>
      (
        await fetch(`${other.url}/functions/desk-create-ticket/call`, {
          method: 'POST',
          headers: { ...user.headers, 'content-type': 'application/json' },
          body: '{"subject": "a"}',
        })
      ).status
    expect(await call()).toBe(200)
    await put(appKey, { rules: [{ destructive: false, result: 'deny' }] }).expect(200)
    await eventually(async () => expect(await call()).toBe(403))
  })
})

describe('locked arguments', () => {
  const LOCK: PolicyRule = { functions: ['desk-create-ticket'], lock: { priority: 2 }, result: 'allow' }
  const last = () => JSON.parse(String(onward.third.received.at(-1)?.body))

  it('are in every call, whichever rule decides, and cannot be sent', async () => {
    const { user } = await userWith([{ types: ['ACTION'], result: 'allow' }, LOCK])
    await user.call('desk-create-ticket', { subject: 'a' }).expect(200)
    expect(last()).toEqual({ subject: 'a', priority: 2 })
    for (const priority of [1, 2, '{p}']) {
      const { body } = await user.call('desk-create-ticket', { subject: 'a', priority, _variables: { p: 1 } }).expect(400)
      expect(body.error_details).toEqual(['priority: is set by a rule; leave it out'])
    }
    await user.call('desk-create-ticket', 'subject=b').expect(200)
    expect(last()).toEqual({ subject: 'b', priority: 2 })
    const { body } = await user.call('desk-create-ticket', { subject: 'a' }, '?dry_run=true').expect(200)
    expect(JSON.parse(body.request.body)).toEqual({ subject: 'a', priority: 2 })
  })

  it('are part of what conditions see', async () => {
    const { user } = await userWith([
      { ...LOCK, lock: { priority: 3 } },
      { functions: ['desk-create-ticket'], result: 'deny' },
    ])
    const { appKey } = { appKey: user.headers['App-Key'] }
    await put(appKey, {
      rules: [
        { functions: ['desk-create-ticket'], arguments: URGENT, result: 'deny' },
        { ...LOCK, lock: { priority: 1 } },
      ],
    }).expect(200)
    await user.call('desk-create-ticket', { subject: 'a' }).expect(403)
  })

  it('are hidden from schemas, tools and predictions', async () => {
    const { user } = await userWith([LOCK])
    const prompt = { prompt: 'create a Desk ticket "Printer" with priority 1' }
    const { body: fn } = await user.post('/functions/desk-create-ticket/get?include=meta', prompt).expect(200)
    const { body: listed } = await user.post('/functions/list?app=desk&format=openai', {}).expect(200)
    const { body: predicted } = await user.post('/functions/predict', { ...prompt, predict_arguments: true }).expect(200)
    const { token } = await createToken(user)
    const client = await connectClient(onward.url, token, '2026-07-28')
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'desk-create-ticket')
    const found = listed.functions.find(({ name }: { name: string }) => name === 'desk-create-ticket')
    for (const shown of [fn, found, predicted.functions[0], tool]) {
      expect(shown).toBeDefined()
      expect(JSON.stringify(shown)).not.toContain('"priority"')
      expect(JSON.stringify(shown)).toContain('"subject"')
    }
    expect((await callTool(client, 'desk-create-ticket', { subject: 'c' })).isError).toBe(false)
    expect(last().priority).toBe(2)
    expect((await callTool(client, 'desk-create-ticket', { subject: 'c', priority: 1 })).isError).toBe(true)
  })
})

describe('the rules of an MCP token', () => {
  const tokenOf = async (rules: readonly PolicyRule[], own: readonly PolicyRule[]) => {
    const { user, appKey } = await userWith(rules)
    const { id, token } = await createToken(user, { rules: own })
    return { user, appKey, id, token, client: await connectClient(onward.url, token, '2025-11-25') }
  }
  const create = (client: Awaited<ReturnType<typeof connectClient>>) => callTool(client, 'desk-create-ticket', { subject: 'a' })

  it('allow less than those of the application, and never more', async () => {
    const { client } = await tokenOf([{ types: ['ACTION'], result: 'deny' }], [{ apps: ['desk'], result: 'allow' }])
    expect(JSON.stringify((await client.listTools()).tools)).not.toContain('desk-create-ticket')
    const asking = await tokenOf([{ apps: ['desk'], result: 'allow' }], [{ types: ['ACTION'], result: 'ask', message: 'An agent.' }])
    expect((await create(asking.client)).value).toMatchObject({ code: 'approval_required', error: 'An agent.' })
    await asking.user.call('desk-create-ticket', { subject: 'a' }).expect(200)
  })

  it('are added when the token is narrowed, and hold from the next call on; the strictest decides', async () => {
    const { user, id, client } = await tokenOf([], [{ types: ['ACTION'], result: 'ask' }])
    const rules = [{ functions: ['desk-create-ticket'], arguments: { properties: { subject: { const: 'a' } } }, result: 'deny' }]
    const { body } = await request(onward.url).patch(`/mcp/tokens/${id}`).set(user.headers).send({ rules }).expect(200)
    expect(body.rules).toHaveLength(2)
    expect((await create(client)).value.code).toBe('denied_by_policy')
    expect((await callTool(client, 'desk-create-ticket', { subject: 'b' })).value.code).toBe('approval_required')
  })

  it('lock arguments, but not those that the application has locked', async () => {
    const functions = ['desk-create-ticket']
    const { client } = await tokenOf(
      [{ functions, lock: { priority: 1 }, result: 'allow' }],
      [{ functions, lock: { priority: 3, subject: 'From an agent' }, result: 'allow' }],
    )
    expect((await callTool(client, 'desk-create-ticket', {})).isError).toBe(false)
    expect(JSON.parse(String(onward.third.received.at(-1)?.body))).toEqual({ subject: 'From an agent', priority: 1 })
  })
})

describe('PUT /admin/applications/:app_key/policy', () => {
  it('stores rules that GET returns', async () => {
    const rules: PolicyRule[] = [{ apps: ['desk'], destructive: true, result: 'deny', message: 'Nothing is deleted here.' }]
    const { appKey } = await userWith(rules)
    expect((await onward.admin('get', `/admin/applications/${appKey}/policy`).expect(200)).body).toEqual({ rules })
    for (const method of ['get', 'put'] as const) {
      expect((await onward.admin(method, '/admin/applications/nobody/policy', { rules }).expect(404)).body.code).toBe(
        'application_not_found',
      )
    }
  })

  it.each<[string, object, RegExp]>([
    ['an unknown function', { functions: ['desk-create-tickets'] }, /functions\[0\]: is not known here; did you mean desk-create-ticket/],
    ['an unknown app', { apps: ['desc'] }, /apps\[0\]: is not known here/],
    ['a condition that is no schema', { arguments: { properties: { a: { type: 'wish' } } } }, /arguments: must be a JSON Schema/],
    [
      'a condition that is not checked at once',
      { arguments: { $async: true, required: ['zzz'] } },
      /arguments: must be a JSON Schema: \$async is not supported/,
    ],
    ['a condition with references', { arguments: { allOf: [{ $ref: '#/$defs/a' }] } }, /\$ref is not supported/],
    ['a lock without functions', { lock: { priority: 1 } }, /rules\[0\]\.functions: is required with lock/],
    [
      'a lock with a condition',
      { functions: ['desk-create-ticket'], lock: { priority: 1 }, arguments: URGENT },
      /arguments: cannot be combined with lock/,
    ],
    [
      'a lock of no parameter',
      { functions: ['desk-create-ticket'], lock: { urgency: 1 } },
      /lock\.urgency: is not a parameter of desk-create-ticket/,
    ],
    ['a lock with a wrong value', { functions: ['desk-create-ticket'], lock: { priority: 'x' } }, /lock\.priority: must be/],
    ['another result', { result: 'perhaps' }, /result: must be one of/],
  ])('refuses %s', async (_what, rule, problem) => {
    const { appKey } = await userWith([])
    const { body } = await put(appKey, { rules: [{ result: 'deny', ...rule }] }).expect(400)
    expect(body.error_details.join('\n')).toMatch(problem)
  })
})
