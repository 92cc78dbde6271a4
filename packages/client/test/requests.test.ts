import { createHmac } from 'node:crypto'
import { hashUserId, Onward, OnwardInsights, type OnwardUser } from '../src/index.ts'
import { useScripted } from './scripted.ts'

const scripted = useScripted()
const B = '/partners/api/insights'

/** What a method sends: the method, the path with its query, and the body. */
type Sent = readonly [string, string, unknown?]

const ofUser: readonly (readonly [string, (user: OnwardUser) => Promise<unknown>, Sent])[] = [
  [
    'apps.list',
    (user) => user.apps.list({ search: 'x y', connectedOnly: true, pageSize: 5 }).toArray(),
    ['POST', '/apps/list?search=x+y&connected_only=true&page_size=5'],
  ],
  ['apps.get', (user) => user.apps.get('slack'), ['POST', '/apps/slack/get']],
  [
    'functions.list',
    (user) => user.functions.list({ app: 'slack', type: 'QUERY', include: 'meta' }).toArray(),
    ['POST', '/functions/list?app=slack&type=QUERY&include=meta'],
  ],
  [
    'functions.get',
    (user) => user.functions.get('f', { prompt: 'p', variables: { a: 1 }, timeZone: 'Europe/Rome' }),
    ['POST', '/functions/f/get', { prompt: 'p', _variables: { a: 1 }, time_zone: 'Europe/Rome' }],
  ],
  [
    'functions.predict',
    (user) => user.functions.predict('p', { app: 'slack', connectedOnly: false, topK: 3, predictArguments: true }),
    ['POST', '/functions/predict?app=slack&connected_only=false', { prompt: 'p', predict_arguments: true, top_k: 3 }],
  ],
  [
    'functions.call',
    (user) => user.functions.call('f', { a: 1 }, { variables: { b: 2 }, cursor: 'c', fields: ['x.y'], connectedAccountId: 7 }),
    ['POST', '/functions/f/call?connected_account_id=7', { a: 1, _variables: { b: 2 }, _cursor: 'c', _fields: ['x.y'] }],
  ],
  [
    'functions.dryRun',
    (user) => user.functions.dryRun('f', { a: 1 }, { variables: { b: 2 }, fields: ['x.y'], connectedAccountId: 7 }),
    ['POST', '/functions/f/call?connected_account_id=7&dry_run=true', { a: 1, _variables: { b: 2 }, _fields: ['x.y'] }],
  ],
  [
    'functions.batchCall',
    (user) =>
      user.functions
        .batchCall(
          [
            { name: 'f', arguments: { a: 1 }, connectedAccountId: 7, variables: { b: 2 }, cursor: 'c', fields: ['x'], idempotencyKey: 'k' },
            { name: 'g' },
          ],
          { inOrder: true },
        )
        .asResponse(),
    [
      'POST',
      '/functions/batch-call',
      {
        calls: [
          {
            function_name: 'f',
            arguments: { a: 1 },
            connected_account_id: 7,
            idempotency_key: 'k',
            _variables: { b: 2 },
            _cursor: 'c',
            _fields: ['x'],
          },
          { function_name: 'g' },
        ],
        mode: 'in_order',
      },
    ],
  ],
  ['accounts.list', (user) => user.accounts.list({ app: 'slack' }), ['POST', '/connected-accounts/list', { app: 'slack' }]],
  ['accounts.rename', (user) => user.accounts.rename(7, 'Work'), ['PATCH', '/connected-accounts/7', { display_name: 'Work' }]],
  ['accounts.setDefault', (user) => user.accounts.setDefault(7), ['POST', '/connected-accounts/7/set_as_default']],
  [
    'connect.session',
    (user) => user.connect.session({ app: 'slack', redirectUri: 'https://x.example/', manage: true, userName: 'Joe' }),
    ['POST', '/connect/session', { app: 'slack', redirect_uri: 'https://x.example/', manage: true, user_name: 'Joe' }],
  ],
  ['accounts.confirm', (user) => user.accounts.confirm(7, 'abc'), ['POST', '/connected-accounts/7/confirm', { confirmation: 'abc' }]],
  ['accounts.disconnect', (user) => user.accounts.disconnect(7, { force: true }), ['DELETE', '/connected-accounts/7?force=true']],
  ['approvals.list', (user) => user.approvals.list({ state: 'pending' }).toArray(), ['POST', '/approvals/list', { state: 'pending' }]],
  ['approvals.get', (user) => user.approvals.get('id-1'), ['GET', '/approvals/id-1']],
  ['approvals.approve', (user) => user.approvals.approve('id-1'), ['POST', '/approvals/id-1/decide', { result: 'approved' }]],
  [
    'approvals.refuse',
    (user) => user.approvals.refuse('id-1', { reason: 'No.' }),
    ['POST', '/approvals/id-1/decide', { result: 'refused', reason: 'No.' }],
  ],
  [
    'mcp.createToken',
    (user) => user.mcp.createToken({ mode: 'direct', apps: ['slack'], readOnly: true, expiresInDays: 7 }),
    ['POST', '/mcp/tokens', { mode: 'direct', apps: ['slack'], read_only: true, expires_in_days: 7 }],
  ],
  ['mcp.listTokens', (user) => user.mcp.listTokens({ pageSize: 5 }).toArray(), ['POST', '/mcp/tokens/list', { page_size: 5 }]],
  [
    'mcp.narrowToken',
    (user) => user.mcp.narrowToken('id-1', { apps: ['slack'], readOnly: true }),
    ['PATCH', '/mcp/tokens/id-1', { apps: ['slack'], read_only: true }],
  ],
  [
    'mcp.createSignInLink',
    (user) => user.mcp.createSignInLink({ expiresInMinutes: 60 }),
    ['POST', '/mcp/sign-in/link', { expires_in_minutes: 60 }],
  ],
  ['mcp.approveSignIn', (user) => user.mcp.approveSignIn('sealed'), ['POST', '/mcp/sign-in/approve', { request: 'sealed' }]],
  ['mcp.revokeToken', (user) => user.mcp.revokeToken('a/b'), ['DELETE', '/mcp/tokens/a%2Fb']],
  [
    'calls.list',
    (user) => user.calls.list({ functionName: 'f', since: new Date(0), internal: true }).toArray(),
    ['POST', '/calls/list', { function_name: 'f', since: '1970-01-01T00:00:00.000Z', internal: true }],
  ],
  ['calls.get', (user) => user.calls.get('id-1'), ['POST', '/calls/id-1/get']],
  ['request', (user) => user.request('PUT', '/new', { query: { a: 'b' }, body: [1] }), ['PUT', '/new?a=b', [1]]],
]

const ofWorkspace: readonly (readonly [string, (insights: OnwardInsights) => Promise<unknown>, Sent])[] = [
  [
    'users.list',
    (insights) => insights.users.list({ minPercent: 80, limitReached: false }).toArray(),
    ['GET', `${B}/users/tasks/?app_key=key&min_percent=80&limit_reached=false&page_size=1000`],
  ],
  ['users.get', (insights) => insights.users.get('joe/x@y'), ['GET', `${B}/users/joe%2Fx%40y/tasks/?app_key=key`]],
  [
    'users.history',
    (insights) => insights.users.history('joe', { since: '2026-11-01' }),
    ['GET', `${B}/users/joe/tasks/history/?app_key=key&since=2026-11-01`],
  ],
  [
    'limits.set',
    (insights) => insights.limits.set({ joe: 5, ann: 0 }),
    [
      'POST',
      `${B}/users/tasks/?app_key=key`,
      [
        { user_id: 'joe', allowed_tasks: 5 },
        { user_id: 'ann', allowed_tasks: 0 },
      ],
    ],
  ],
  ['limits.setAll', (insights) => insights.limits.setAll(9), ['POST', `${B}/users/tasks-bulk/`, { tasks_limit: 9 }]],
  ['limits.setDefault', (insights) => insights.limits.setDefault(9), ['PATCH', '/partners/api/accounts/me/', { tasks_limit: 9 }]],
  [
    'subscriptions.create',
    (insights) => insights.subscriptions.create({ events: ['user_tasks_limit_80'], callbackUrl: 'https://x.example/' }),
    ['POST', `${B}/subscriptions/`, { events: ['user_tasks_limit_80'], callback_url: 'https://x.example/' }],
  ],
  ['subscriptions.list', (insights) => insights.subscriptions.list().toArray(), ['GET', `${B}/subscriptions/`]],
  ['subscriptions.get', (insights) => insights.subscriptions.get('s'), ['GET', `${B}/subscriptions/s/`]],
  [
    'subscriptions.update',
    (insights) => insights.subscriptions.update('s', { callbackUrl: 'https://y.example/' }),
    ['PATCH', `${B}/subscriptions/s/`, { callback_url: 'https://y.example/' }],
  ],
  [
    'subscriptions.update if unchanged',
    (insights) =>
      insights.subscriptions.update('s', { callbackUrl: 'https://y.example/', ifUnchanged: { callbackUrl: 'https://x.example/' } }),
    ['PATCH', `${B}/subscriptions/s/`, { callback_url: 'https://y.example/', if_unchanged: { callback_url: 'https://x.example/' } }],
  ],
  ['subscriptions.delete', (insights) => insights.subscriptions.delete('s'), ['DELETE', `${B}/subscriptions/s/`]],
  ['subscriptions.disable', (insights) => insights.subscriptions.disable('s'), ['POST', `${B}/subscriptions/s/disable/`]],
  ['subscriptions.enable', (insights) => insights.subscriptions.enable('s'), ['POST', `${B}/subscriptions/s/enable/`]],
  [
    'subscriptions.rotateSecret',
    (insights) => insights.subscriptions.rotateSecret('s', { keepPreviousHours: 0 }),
    ['POST', `${B}/subscriptions/s/rotate-secret/`, { keep_previous_hours: 0 }],
  ],
  ['subscriptions.test', (insights) => insights.subscriptions.test('s'), ['POST', `${B}/subscriptions/s/test/`]],
  [
    'subscriptions.deliveries',
    (insights) => insights.subscriptions.deliveries('s', { status: 'failed', pageSize: 9 }).toArray(),
    ['GET', `${B}/subscriptions/s/deliveries/?status=failed&page_size=9`],
  ],
  ['deliveries.replay', (insights) => insights.deliveries.replay('d'), ['POST', `${B}/deliveries/d/replay/`]],
]

function sentRequests(): Sent[] {
  return scripted.server.received.map(({ method, url, body }) => [method, url, body === '' ? undefined : JSON.parse(body)])
}

describe('a method of a user', () => {
  it.each(ofUser)('%s sends its request', async (_name, run, [method, path, body]) => {
    await run(scripted.user())
    expect(sentRequests()).toEqual([[method, path, body]])
  })

  it('sends the credentials of the user', async () => {
    await scripted.user({}, 'Ünï@例.jp').apps.get('a')
    const headers = scripted.server.received[0]?.headers ?? {}
    expect(headers['app-key']).toBe('key')
    expect(Buffer.from(String(headers['user-id']), 'latin1').toString('utf8')).toBe('Ünï@例.jp')
    expect(headers.hash).toBe(createHmac('sha256', 'secret').update('Ünï@例.jp').digest('hex'))
    expect(headers['user-agent']).toMatch(/^onward-sdk\/\d+\.\d+\.\d+ \(node\/[\d.]+; \w+\)$/)
  })

  it('uses a hash that was computed elsewhere, without a secret', async () => {
    const hash = await hashUserId('secret', 'joe')
    await new Onward({ baseUrl: scripted.server.url, appKey: 'key' }).forUser('joe', { hash }).apps.get('a')
    expect(scripted.server.received[0]?.headers.hash).toBe(createHmac('sha256', 'secret').update('joe').digest('hex'))
  })
})

describe('a method of a workspace', () => {
  it.each(ofWorkspace)('%s sends its request', async (_name, run, [method, path, body]) => {
    await run(scripted.insights())
    expect(sentRequests()).toEqual([[method, path, body]])
    expect(scripted.server.received[0]?.headers['api-key']).toBe('pk_1')
  })
})

describe('options', () => {
  const NAMES = ['ONWARD_BASE_URL', 'ONWARD_APP_KEY', 'ONWARD_APP_SECRET', 'ONWARD_INSIGHTS_URL', 'ONWARD_API_KEY']

  afterEach(() => {
    for (const name of NAMES) delete process.env[name]
  })

  it('come from the environment by default', async () => {
    Object.assign(process.env, { ONWARD_BASE_URL: scripted.server.url, ONWARD_APP_KEY: 'k', ONWARD_APP_SECRET: 's' })
    await new Onward().forUser('joe').apps.get('a')
    expect(scripted.server.received[0]?.headers['app-key']).toBe('k')
  })

  it.each([
    ['baseUrl', () => new Onward({ appKey: 'k', appSecret: 's' }), 'ONWARD_BASE_URL'],
    ['appKey', () => new Onward({ baseUrl: 'http://x', appSecret: 's' }), 'ONWARD_APP_KEY'],
    ['appSecret', () => new Onward({ baseUrl: 'http://x', appKey: 'k' }).forUser('joe'), 'ONWARD_APP_SECRET'],
    ['apiKey', () => new OnwardInsights({ baseUrl: 'http://x' }), 'ONWARD_API_KEY'],
    ['baseUrl', () => new OnwardInsights({ apiKey: 'k' }), 'ONWARD_INSIGHTS_URL'],
  ])('that are missing are named: %s', (option, make, variable) => {
    expect(make).toThrow(new RegExp(`^${option} is missing: .*${variable}`))
  })

  it.each([[''], ['.'], ['..'], [' joe'], ['joe\n']])('refuse the user id %j', (userId) => {
    expect(() => scripted.user({}, userId)).toThrow(TypeError)
  })

  it.each([['ftp://x'], ['x'], ['http://u:p@x/'], ['http://x/?a']])('refuse the address %s', (baseUrl) => {
    expect(() => new Onward({ baseUrl, appKey: 'k', appSecret: 's' }).forUser('joe')).toThrow(/baseUrl must/)
  })

  it('refuse path segments that URL libraries remove', () => {
    expect(() => scripted.user().apps.get('..')).toThrow('name must not be empty, . or ..')
  })

  it('log no credentials, queries or bodies', async () => {
    const lines: string[] = []
    const write = (line: string) => lines.push(line)
    const logger = { error: write, warn: write, info: write, debug: write }
    const user = scripted.user({ logger, logLevel: 'debug' })
    await user.functions.call('f', { text: 'private' }, { connectedAccountId: 77 })
    expect(lines).toEqual([expect.stringMatching(/^onward: POST \/functions\/f\/call answered 200 in \d+ ms, attempt 1$/)])
  })

  it('call the hooks for each attempt', async () => {
    const events: unknown[] = []
    const user = scripted.user({ onRequest: (event) => events.push(event), onResponse: (event) => events.push(event) })
    await user.apps.get('a')
    const event = { method: 'POST', url: `${scripted.server.url}/apps/a/get`, attempt: 1 }
    expect(events).toEqual([event, { ...event, status: 200, requestId: null, durationMs: expect.any(Number) }])
  })
})
