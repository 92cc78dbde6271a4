import type { PolicyRule } from '@onward/contract'
import { sendJson } from '@onward/testbed'
import request from 'supertest'
import { openBrowser } from '../support/connecting.ts'
import { callTool, connectClient, createToken } from '../support/mcp-support.ts'
import { signIn } from '../support/sign-in-support.ts'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/kinds-apps' } })
const CREATE = 'desk-create-ticket'
/** Tickets of priority 1 and 2 are allowed. Everything else of Desk is denied, and pages are those of the folder Inbox. */
const RULES: readonly PolicyRule[] = [
  { functions: [CREATE], arguments: { properties: { priority: { maximum: 2 } }, required: ['priority'] }, result: 'allow' },
  { apps: ['desk'], result: 'deny' },
  { functions: ['pages-next-url'], result: 'allow', lock: { folder: 'inbox' } },
  { functions: ['bodies-upload'], arguments: { properties: { caption: { const: 'harmless' } }, required: ['caption'] }, result: 'allow' },
  { apps: ['bodies'], result: 'deny' },
]
const ASK: readonly PolicyRule[] = [{ functions: [CREATE], result: 'ask' }]
const URGENT = { subject: 'Printer', priority: 5 }
let applications = 0

async function userWith(rules: readonly PolicyRule[]) {
  onward.third.respond((_received, response) => sendJson(response, 200, { items: [], next: '/next?folder=inbox' }))
  const application = await onward.makeApplication(`attacked-${++applications}`)
  const user = onward.user('joe', application)
  await user.connect('desk')
  const path = `/admin/applications/${application.appKey}`
  const pages = { user_id: 'joe', app: 'pages', credentials: { api_key: 'key-0123456789', url: onward.third.url } }
  await onward.admin('post', `${path}/connected-accounts`, pages).expect(200)
  const bodies = { user_id: 'joe', app: 'bodies', credentials: { token: 'token-0123456789', url: onward.third.url } }
  await onward.admin('post', `${path}/connected-accounts`, bodies).expect(200)
  const putRules = (next: readonly PolicyRule[]) => onward.admin('put', `${path}/policy`, { rules: next }).expect(200)
  await putRules(rules)
  onward.third.received.length = 0
  return { user, application, path, putRules }
}

/** The codes of a refusal, of each in a batch, and of a tool's. */
type Refused = string | readonly string[]

/** Makes an attack, and expects that nothing was sent, logged or counted. */
async function expectRefused(attack: () => Promise<Refused>, expected: Refused): Promise<void> {
  const [rows, received] = [await onward.rows(), onward.third.received.length]
  expect(await attack()).toEqual(expected)
  expect(await onward.rows()).toEqual(rows)
  expect(onward.third.received).toHaveLength(received)
}

const asJson = (user: User, text: string) => user.call(CREATE, text).type('json')
const codeOf = async (sent: PromiseLike<{ body: { code?: string } }>): Promise<string> => (await sent).body.code ?? 'called'

describe('a call that the rules deny', () => {
  const attacks: readonly [string, (user: User) => Promise<Refused>, Refused][] = [
    ['is refused', (user) => codeOf(user.call(CREATE, URGENT)), 'denied_by_policy'],
    ['under its name in other letters', (user) => codeOf(user.call('Desk-Create-Ticket', URGENT)), 'function_not_found'],
    ['under its name with encoded letters', (user) => codeOf(user.call('%64esk-create-ticke%74', URGENT)), 'denied_by_policy'],
    ['under its name with a space', (user) => codeOf(user.call(`${CREATE}%20`, URGENT)), 'function_not_found'],
    ['at a path with a final slash', (user) => codeOf(user.post(`/functions/${CREATE}/call/`, URGENT)), 'denied_by_policy'],
    [
      'as the pass-through function',
      (user) => codeOf(user.call('desk-passthrough-request', { method: 'POST', url: '/tickets' })),
      'denied_by_policy',
    ],
    [
      'with a value in a variable',
      (user) => codeOf(user.call(CREATE, { ...URGENT, priority: '{p}', _variables: { p: 5 } })),
      'denied_by_policy',
    ],
    [
      'with a value inside a variable',
      (user) => codeOf(user.call(CREATE, { ...URGENT, priority: '{p.0.q}', _variables: { p: [{ q: 5 }] } })),
      'denied_by_policy',
    ],
    ['with a number as text', (user) => codeOf(user.call(CREATE, { ...URGENT, priority: '5' })), 'denied_by_policy'],
    ['with the default in place of the value', (user) => codeOf(user.call(CREATE, { subject: 'Printer' })), 'denied_by_policy'],
    ['with null in place of the value', (user) => codeOf(user.call(CREATE, { ...URGENT, priority: null })), 'denied_by_policy'],
    ['as a form', (user) => codeOf(user.call(CREATE, 'subject=Printer&priority=5')), 'denied_by_policy'],
    ['as a form with two values', (user) => codeOf(user.call(CREATE, 'subject=Printer&priority=1&priority=5')), 'invalid_parameters'],
    ['with the value twice in JSON', (user) => codeOf(asJson(user, '{"subject": "P", "priority": 1, "priority": 5}')), 'invalid_body'],
    ['with a prototype', (user) => codeOf(asJson(user, '{"subject": "P", "__proto__": {"priority": 1}}')), 'invalid_body'],
    [
      'with another account',
      async (user) => codeOf(user.call(CREATE, URGENT, `?connected_account_id=${await user.connect('desk')}`)),
      'denied_by_policy',
    ],
    [
      'with an Idempotency-Key, twice',
      async (user) => {
        const keyed = () => codeOf(user.call(CREATE, URGENT).set('Idempotency-Key', 'k'))
        return [await keyed(), await keyed()]
      },
      ['denied_by_policy', 'denied_by_policy'],
    ],
    [
      'in a batch, in order and side by side',
      async (user) => {
        const calls = [
          { function_name: CREATE, arguments: URGENT },
          { function_name: 'desk-get-ticket', arguments: { ticket_id: '1' } },
        ]
        const codes: string[] = []
        for (const mode of ['in_order', 'parallel']) {
          const { results } = (await user.post('/functions/batch-call', { calls, mode }).expect(200)).body
          codes.push(...results.map(({ error }: { error: { code: string } }) => error.code))
        }
        return codes
      },
      Array(4).fill('denied_by_policy'),
    ],
    [
      'with files, which are not fetched',
      (user) =>
        codeOf(user.call('bodies-upload', { file: { url: `${onward.third.url}/file` }, more: [{ url: `${onward.third.url}/more` }] })),
      'denied_by_policy',
    ],
    [
      'again and again, at the same time',
      async (user) => await Promise.all(Array.from({ length: 10 }, () => codeOf(user.call(CREATE, URGENT)))),
      Array(10).fill('denied_by_policy'),
    ],
    [
      'by the tools of search mode, alone and together',
      async (user) => {
        const { token } = await createToken(user, { mode: 'search' })
        const client = await connectClient(onward.url, token, '2025-11-25')
        const call = { name: CREATE, arguments: URGENT }
        const { value } = await callTool(client, 'call_functions', { calls: [call, { ...call, idempotency_key: 'k' }], in_order: true })
        return [(await callTool(client, 'call_function', call)).value.code, ...value.results.map(({ code }: { code: string }) => code)]
      },
      Array(3).fill('denied_by_policy'),
    ],
    [
      'by a tool of an MCP client',
      async (user) => {
        const client = await connectClient(onward.url, (await createToken(user)).token, '2025-11-25')
        return (await callTool(client, CREATE, URGENT)).value.code
      },
      'denied_by_policy',
    ],
    [
      'by a tool that is not listed, because all its calls are denied',
      async (user) => {
        const codes: string[] = []
        for (const mode of ['direct', 'search']) {
          const client = await connectClient(onward.url, (await createToken(user, { mode })).token, '2025-11-25')
          const args = { text: 'a' }
          const call = { name: 'bodies-json', arguments: args }
          const { value } = mode === 'direct' ? await callTool(client, call.name, args) : await callTool(client, 'call_function', call)
          codes.push(value.code)
        }
        return codes
      },
      Array(2).fill('denied_by_policy'),
    ],
    [
      'by the short name of a tool',
      async (user) => {
        const { client, name } = await longTool(user)
        return (await callTool(client, name)).value.code
      },
      'denied_by_policy',
    ],
  ]
  it.each(attacks)('%s', async (_title, attack, expected) => {
    const { user } = await userWith(RULES)
    await expectRefused(() => attack(user), expected)
  })

  /** Imports an app whose function has a name that its tool shortens, denies it, and returns an MCP client that knows the name of the tool. */
  async function longTool(user: User) {
    const definition = { title: 'Lend', description: 'Lends a tool.', type: 'ACTION', request: { method: 'POST', path: '/lend' } }
    const phrase = 'lend-the-longest-ladder-of-the-old-shed-to-a-neighbour'
    await onward.admin('put', '/admin/apps/shed', { file: shedFile({ [phrase]: definition }) }).expect(200)
    const client = await connectClient(onward.url, (await createToken(user)).token, '2025-11-25')
    const name = (await client.listTools()).tools.map((tool) => tool.name).find((each) => /^shed-lend-.*-[0-9a-f]{8}$/.test(each)) ?? ''
    const path = `/admin/applications/${user.headers['App-Key']}/policy`
    await onward.admin('put', path, { rules: [{ functions: [`shed-${phrase}`], result: 'deny' }] }).expect(200)
    expect((await client.listTools()).tools.map((tool) => tool.name)).not.toContain(name)
    return { client, name }
  }
})

function shedFile(functions: object) {
  const about = { name: 'shed', title: 'Shed', description: 'The tools of a shed.' }
  return { ...about, base_url: onward.third.url, auth: { type: 'none' }, functions }
}

describe('the pass-through function of an app, which can send what its other functions send', () => {
  const PASS = 'desk-passthrough-request'
  const SMALL = { properties: { priority: { maximum: 2 } } }
  const DENY: PolicyRule = { functions: [CREATE], result: 'deny' }
  const LOCK: PolicyRule = { functions: [CREATE], lock: { priority: 1 }, result: 'allow' }
  const GET_ONLY = { properties: { method: { const: 'GET' } }, required: ['method'] }
  const call = (user: User, method = 'POST') => codeOf(user.call(PASS, { method, url: '/tickets' }))

  it.each<[string, readonly PolicyRule[], string]>([
    ['is denied if a rule denies a function', [DENY], 'denied_by_policy'],
    ['is denied if a rule denies a function with some arguments', [{ ...DENY, arguments: SMALL }], 'denied_by_policy'],
    ['is denied if a rule denies functions of a kind', [{ types: ['ACTION'], result: 'deny' }], 'denied_by_policy'],
    ['is denied if a rule denies arguments of the whole app', [{ apps: ['desk'], arguments: SMALL, result: 'deny' }], 'denied_by_policy'],
    ['is denied if a rule locks an argument', [LOCK], 'denied_by_policy'],
    ['is denied if a later rule locks an argument', [{ apps: ['desk'], result: 'allow' }, LOCK], 'denied_by_policy'],
    ['is denied if another rule asks before one locks', [{ functions: ['desk-get-ticket'], result: 'ask' }, LOCK], 'denied_by_policy'],
    ['is denied if only some calls of a function are allowed', RULES.slice(0, 2), 'denied_by_policy'],
    [
      'is not allowed by the arguments of other functions',
      [{ apps: ['desk'], arguments: SMALL, result: 'allow' }, DENY],
      'denied_by_policy',
    ],
    ['asks if a rule asks about a function', [{ ...DENY, arguments: SMALL, result: 'ask' }], 'approval_required'],
    ['is called if the rule is for other callers', [{ ...DENY, via: ['mcp'] }], 'called'],
    ['is called if the rule is for another app', [{ apps: ['pages', 'bodies'], result: 'deny' }], 'called'],
    ['is called if the app is allowed first', [{ apps: ['desk'], result: 'allow' }, DENY], 'called'],
    ['is called if it is allowed first', [{ types: ['PASSTHROUGH'], result: 'allow' }, DENY, LOCK], 'called'],
    ['is denied by a rule for it alone', [{ functions: [PASS], arguments: GET_ONLY, result: 'allow' }, DENY], 'denied_by_policy'],
    ['is called if a rule for it alone denies other requests', [{ functions: [PASS], arguments: GET_ONLY, result: 'deny' }], 'called'],
  ])('%s', async (_title, rules, expected) => {
    const { user } = await userWith(rules)
    if (expected !== 'called') return await expectRefused(() => call(user), expected)
    expect(await call(user)).toBe('called')
    expect(onward.third.received).toHaveLength(1)
  })

  it.each<[string, readonly PolicyRule[]]>([
    ['denies a function', [DENY]],
    ['locks an argument', [LOCK]],
    ['denies a function after it allows the pass-through function', [{ functions: [PASS], result: 'allow' }, DENY]],
  ])('is denied to a token that %s', async (_title, rules) => {
    const { user } = await userWith([{ types: ['PASSTHROUGH'], result: 'allow' }])
    const clientOf = async (settings: object) => await connectClient(onward.url, (await createToken(user, settings)).token, '2025-11-25')
    const client = await clientOf({ rules })
    await expectRefused(async () => (await callTool(client, PASS, { url: '/tickets' })).value.code, 'denied_by_policy')
    expect((await callTool(await clientOf({}), PASS, { url: '/tickets' })).isError).toBe(false)
  })

  it('is judged by its own arguments in a rule for it alone', async () => {
    const { user } = await userWith([{ functions: [PASS], arguments: GET_ONLY, result: 'allow' }, DENY])
    expect(await call(user, 'GET')).toBe('called')
    await expectRefused(() => call(user, 'PUT'), 'denied_by_policy')
  })

  it.each<[string, readonly PolicyRule[], boolean]>([
    ['denied', [{ ...DENY, arguments: SMALL }], false],
    ['denied by a lock', [LOCK], false],
    ['asked about', [{ ...DENY, result: 'ask' }], true],
  ])('is listed and predicted unless it is denied: %s', async (_title, rules, shown) => {
    const { user } = await userWith(rules)
    const namesOf = ({ functions }: { functions: readonly { name: string }[] }) => functions.map(({ name }) => name)
    expect(namesOf((await user.post('/functions/list?app=desk', {}).expect(200)).body).includes(PASS)).toBe(shown)
    const prompt = { prompt: 'send any request to the API of Desk', top_k: 20 }
    expect(namesOf((await user.post('/functions/predict?app=desk', prompt).expect(200)).body).includes(PASS)).toBe(shown)
  })
})

describe('an argument that a rule locks', () => {
  const attacks: readonly [string, object | string, string][] = [
    ['cannot be sent', { folder: 'sent' }, ''],
    ['cannot be sent with the value of the lock', { folder: 'inbox' }, ''],
    ['cannot be sent as null', { folder: null }, ''],
    ['cannot be sent in a variable', { folder: '{f}', _variables: { f: 'sent' } }, ''],
    ['cannot be sent under its name in other letters', { Folder: 'sent' }, ''],
    ['cannot be sent in a form', 'folder=sent', ''],
    ['cannot be replaced by the address of a page', { _cursor: '/next?folder=sent' }, ''],
    ['cannot be replaced by the address of a page in the query', {}, '?_cursor=%2Fnext%3Ffolder%3Dsent'],
  ]
  it.each(attacks)('%s', async (_title, args, query) => {
    const { user } = await userWith(RULES)
    await expectRefused(() => codeOf(user.call('pages-next-url', args, query)), 'invalid_parameters')
  })

  it('cannot be replaced by a page from before the lock', async () => {
    const { user, putRules } = await userWith([])
    const cursor = (await user.call('pages-next-url', { folder: 'sent' }).expect(200)).body._cursor
    await putRules(RULES)
    await expectRefused(() => codeOf(user.call('pages-next-url', { _cursor: cursor })), 'invalid_parameters')
  })
})

describe('the stored response of a tool', () => {
  it('is not returned to another token, which may have other rules', async () => {
    const { user } = await userWith([])
    const clientOf = async (settings: object) =>
      await connectClient(onward.url, (await createToken(user, { mode: 'search', ...settings })).token, '2025-11-25')
    const sent = { name: CREATE, arguments: URGENT, idempotency_key: 'k' }
    const first = await clientOf({})
    expect((await callTool(first, 'call_function', sent)).isError).toBe(false)
    const narrow = await clientOf({ rules: [{ arguments: { properties: { priority: { minimum: 3 } } }, result: 'deny' }] })
    await expectRefused(async () => (await callTool(narrow, 'call_function', sent)).value.code, 'idempotency_conflict')
    expect((await callTool(first, 'call_function', sent)).isError).toBe(false)
    expect(onward.third.received).toHaveLength(1)
  })
})

describe('an approval', () => {
  const decide = (user: User, id: string, result: string) => user.post(`/approvals/${id}/decide`, { result })

  /** Returns a user whose call with these arguments is approved, and the approval. */
  async function approved(args: object = URGENT) {
    const opened = await userWith(ASK)
    const { approval_id: id } = (await opened.user.call(CREATE, args).expect(403)).body
    await decide(opened.user, id, 'approved').expect(200)
    return { ...opened, id }
  }

  it('cannot be used twice', async () => {
    const { user } = await approved()
    await user.call(CREATE, URGENT).expect(200)
    await expectRefused(() => codeOf(user.call(CREATE, URGENT)), 'approval_required')
    await expectRefused(() => codeOf(user.call(CREATE, URGENT).set('Idempotency-Key', 'k')), 'approval_required')
  })

  const altered: readonly [string, object][] = [
    ['another value', { ...URGENT, priority: 4 }],
    ['a value more', { ...URGENT, text: '' }],
    ['a value less', { subject: 'Printer' }],
    ['other letters', { ...URGENT, subject: 'printer' }],
    ['a letter that looks the same', { ...URGENT, subject: 'Pr\u0456nter' }],
    ['a list in another order', { ...URGENT, tags: ['wish', 'bug'] }],
  ]
  it.each(altered)('does not hold for %s', async (_title, args) => {
    const { user } = await approved({ ...URGENT, ...('tags' in args ? { tags: ['bug', 'wish'] } : {}) })
    await expectRefused(() => codeOf(user.call(CREATE, args)), 'approval_required')
  })

  const lost: readonly [string, Parameters<typeof onward.third.respond>[0], object, string][] = [
    ['came too late', () => {}, { callTimeoutMs: 1_500 }, 'upstream_timeout'],
    ['was cut off', (_received, response) => void response.destroy(), {}, 'upstream_invalid'],
  ]
  it.each(lost)('cannot be used again after a call whose response %s', async (_title, respond, config, code) => {
    const { user } = await approved()
    const other = await onward.startAnother(config)
    const callThere = () => request(other.url).post(`/functions/${CREATE}/call`).set(user.headers).send(URGENT)
    onward.third.respond(respond)
    expect(await codeOf(callThere())).toBe(code)
    expect(onward.third.received).toHaveLength(1)
    await expectRefused(() => codeOf(callThere()), 'approval_required')
    await expectRefused(() => codeOf(user.call(CREATE, URGENT)), 'approval_required')
  })

  it('does not hold for another account, another user or another application', async () => {
    const { user, application } = await approved()
    const second = await user.connect('desk')
    await expectRefused(() => codeOf(user.call(CREATE, URGENT, `?connected_account_id=${second}`)), 'approval_required')
    const jane = onward.user('jane', application)
    await jane.connect('desk')
    await expectRefused(() => codeOf(jane.call(CREATE, URGENT)), 'approval_required')
    const other = await userWith(ASK)
    await expectRefused(() => codeOf(other.user.call(CREATE, URGENT)), 'approval_required')
  })

  it('does not hold for another page', async () => {
    const { user } = await userWith([{ functions: ['pages-cursor'], result: 'ask' }])
    const ask = (body: object, query = '') => user.call('pages-cursor', body, query)
    for (const args of [{}, { _cursor: 'a' }]) {
      const { approval_id: id } = (await ask(args).expect(403)).body
      await decide(user, id, 'approved').expect(200)
    }
    await expectRefused(() => codeOf(ask({ _cursor: 'b' })), 'approval_required')
    await expectRefused(() => codeOf(ask({}, '?_cursor=c')), 'approval_required')
    expect(await codeOf(ask({ _cursor: 'a' }))).toBe('called')
  })

  it('does not hold after it has expired', async () => {
    const { user, id } = await approved()
    await onward.db
      .updateTable('approval')
      .set({ expires_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    await expectRefused(() => codeOf(user.call(CREATE, URGENT)), 'approval_required')
  })

  it('does not hold for another version of the function', async () => {
    const { user, putRules } = await userWith([])
    const file = (path: string) =>
      shedFile({ 'lend-tool': { title: 'Lend tool', description: 'Lends a tool.', type: 'ACTION', request: { method: 'POST', path } } })
    await onward.admin('put', '/admin/apps/shed', { file: file('/lend') }).expect(200)
    await putRules([{ apps: ['shed'], result: 'ask' }])
    const { approval_id: id } = (await user.call('shed-lend-tool').expect(403)).body
    await decide(user, id, 'approved').expect(200)
    await onward.admin('put', '/admin/apps/shed', { file: file('/give-away') }).expect(200)
    await expectRefused(() => codeOf(user.call('shed-lend-tool')), 'approval_required')
  })

  it('cannot be given with the credentials of the MCP client that asked', async () => {
    const { user } = await userWith(ASK)
    const { token } = await createToken(user)
    const client = await connectClient(onward.url, token, '2025-11-25')
    const { approval_id: id, approval_url: page } = (await callTool(client, CREATE, URGENT)).value
    await expectRefused(async () => {
      for (const [path, method] of [
        [`/approvals/${id}/decide`, 'POST'],
        [`/approvals/${id}`, 'GET'],
        ['/approvals/list', 'POST'],
      ] as const) {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const body = method === 'GET' ? null : JSON.stringify({ result: 'approved' })
        expect((await fetch(`${onward.url}${path}`, { method, headers, body })).status).toBe(401)
      }
      // The address of the page is not enough to decide.
      const browser = openBrowser()
      expect((await browser.open(page)).text).not.toContain('Printer')
      const signedIn = await signIn(user)
      const form = await signedIn.open(page)
      expect((await openBrowser().submit(form, { decision: 'approve' })).status).toBe(403)
      return (await callTool(client, CREATE, URGENT)).value.code
    }, 'approval_required')
  })

  it('of the application is not one of an MCP client, and that of a client is not one of the application', async () => {
    const { user } = await approved()
    const client = await connectClient(onward.url, (await createToken(user)).token, '2025-11-25')
    await expectRefused(async () => (await callTool(client, CREATE, URGENT)).value.code, 'approval_required')
    const { value } = await callTool(client, CREATE, { ...URGENT, text: 'x' })
    await decide(user, value.approval_id, 'approved').expect(200)
    await expectRefused(() => codeOf(user.call(CREATE, { ...URGENT, text: 'x' })), 'approval_required')
  })
})
