import { fixedPort, sendJson } from '@onward/testbed'
import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

const ID = '0199a0b2-0000-7000-8000-000000000000'
const USER = ['--user', 'joe']
const parameters = {
  type: 'object',
  properties: { email: { type: 'string', description: 'E-mail address' }, age: { type: 'integer' } },
  required: ['email'],
}
const fn = { name: 'crm-add', title: 'Add a contact', app: 'crm', type: 'ACTION', description: 'Adds a contact.', parameters }
const account = { id: 7, display_name: 'Ada', status: 'active', last_error: null, modified_at: '2026-01-01T00:00:00.000Z' }
const app = { id: 1, name: 'crm', title: 'CRM', docs_url: 'https://crm.example/docs', login_url: 'https://onward.example/connect/abc' }
const usage = { user_id: 'joe', current_limit: 10, limit_period: '30', tasks_consumed: 4, tasks_remaining: 6, limit_reset_after: 12 }
const percents = { ...usage, tasks_consumed_percent: 40, tasks_remaining_percent: 60 }
const subscription = {
  subscription_id: ID,
  status: 'active',
  events: ['a', 'b'],
  callback_url: 'https://x',
  failing_since: null,
  created_at: 'T',
}
const attempts = [
  { number: 1, started_at: 'T', duration_ms: 5, status: 500, failure: null },
  { number: 2, started_at: 'T', duration_ms: 5, status: null, failure: 'timed_out' },
]
const delivery = { delivery_id: ID, event_name: 'user_tasks_limit_80', user_id: 'joe', status: 'pending', attempts, created_at: 'T' }
const secret = { subscription_id: ID, signing_secret: 'whsec_x' }
const logged = { id: ID, function_name: 'crm-add', outcome: 'answered', network_code: 200 }
const PARTNERS = '/partners/api'
const INSIGHTS = `${PARTNERS}/insights`

const DECLARATIONS = [
  '// Made by onward types.',
  "import '@onward/client'",
  '',
  "declare module '@onward/client' {",
  '  interface FunctionArguments {',
  '    "crm-add": { readonly "email": string; readonly "age"?: number }',
  '  }',
  '}',
]

type Case = {
  readonly args: readonly string[]
  /** The answer of the service. */
  readonly answer: object
  /** The request that the command sends: method, path and body. */
  readonly sends: readonly unknown[]
  /** The lines on standard output. */
  readonly prints: readonly string[]
  /** The document that `--json` prints; the answer if it is missing. */
  readonly json?: unknown
  readonly says?: string
}

const AREA_A: readonly Case[] = [
  {
    args: ['mcp', 'add', '--mode', 'direct', '--name', 'Laptop', '--apps', 'crm', '--read-only', '--expires-in-days', '7', ...USER],
    answer: {
      id: ID,
      token: 'mcp_x',
      url: 'https://onward.example/mcp',
      expires_at: 'T',
      tools: 3,
      settings: { claude_code: 'claude mcp add' },
    },
    sends: ['POST', '/mcp/tokens', { mode: 'direct', name: 'Laptop', apps: ['crm'], read_only: true, expires_in_days: 7 }],
    prints: [`id          ${ID}`, 'token       mcp_x', 'url         https://onward.example/mcp', 'expires_at  T', 'tools       3'],
    says: 'Store token now. It is not shown again. --json also prints the settings of clients. For Claude Code, run:\nclaude mcp add\n',
  },
  {
    args: ['mcp', 'list', ...USER],
    answer: { tokens: [{ id: ID, name: 'Laptop', mode: 'direct', read_only: true, last_used_at: null, expires_at: 'T' }], _cursor: null },
    sends: ['POST', '/mcp/tokens/list', { page_size: 100 }],
    prints: [
      'ID                                    NAME    MODE    READ_ONLY  LAST_USED_AT  EXPIRES_AT',
      `${ID}  Laptop  direct  yes        -             T`,
    ],
    json: { tokens: [{ id: ID, name: 'Laptop', mode: 'direct', read_only: true, last_used_at: null, expires_at: 'T' }] },
  },
  {
    args: ['mcp', 'revoke', ID, ...USER],
    answer: { success: true },
    sends: ['DELETE', `/mcp/tokens/${ID}`],
    prints: [`id       ${ID}`, 'revoked  yes'],
    json: { id: ID, revoked: true },
  },
  {
    args: ['types', 'crm-add', ...USER],
    answer: fn,
    sends: ['POST', '/functions/crm-add/get', {}],
    prints: DECLARATIONS,
    json: { declarations: DECLARATIONS.map((line) => `${line}\n`).join('') },
  },
  {
    args: ['call', 'crm-add', '-f', 'email=a=b', '-f', 'age:=36', '--account', '7', '--variable', 'who=Ada', ...USER],
    answer: { network_code: 201, output: { id: 9 }, _cursor: { page: 2 } },
    sends: ['POST', '/functions/crm-add/call?connected_account_id=7', { email: 'a=b', age: 36, _variables: { who: 'Ada' } }],
    prints: ['{', '  "id": 9', '}'],
    json: { network_code: 201, output: { id: 9 }, _cursor: { page: 2 }, call_id: null, replayed: false },
    says: '201, call null; next page: --cursor {"page":2}\n',
  },
  {
    args: ['predict', 'add Ada', '--arguments', '--top', '2', '--app', 'crm', '--connected-only', '--time-zone', 'Europe/Rome', ...USER],
    answer: { functions: [{ ...fn, confidence: 0.9, arguments: { email: 'ada@x' } }] },
    sends: [
      'POST',
      '/functions/predict?app=crm&connected_only=true',
      { prompt: 'add Ada', predict_arguments: true, top_k: 2, time_zone: 'Europe/Rome' },
    ],
    prints: ['NAME     CONFIDENCE  TITLE          ARGUMENTS', 'crm-add  0.9         Add a contact  {"email":"ada@x"}'],
  },
  {
    args: ['functions', 'list', '--app', 'crm', '--type', 'ACTION', '--search', 'add', '--connected-only', ...USER],
    answer: { functions: [fn], _cursor: null },
    sends: ['POST', '/functions/list?app=crm&connected_only=true&search=add&type=ACTION'],
    prints: ['NAME     APP  TYPE    TITLE', 'crm-add  crm  ACTION  Add a contact'],
    json: { functions: [fn] },
  },
  {
    args: ['functions', 'get', 'crm-add', '--prompt', 'add Ada', ...USER],
    answer: { ...fn, arguments: { email: 'ada@x' } },
    sends: ['POST', '/functions/crm-add/get', { prompt: 'add Ada' }],
    prints: [
      'name         crm-add',
      'title        Add a contact',
      'app          crm',
      'type         ACTION',
      'description  Adds a contact.',
      'arguments    {"email":"ada@x"}',
      '',
      'PARAMETER  TYPE     REQUIRED  DESCRIPTION',
      'email      string   yes       E-mail address',
      'age        integer  no        -',
    ],
  },
  {
    args: ['apps', 'list', '--search', 'c', '--connected-only', ...USER],
    answer: { apps: [app], _cursor: null },
    sends: ['POST', '/apps/list?search=c&connected_only=true'],
    prints: ['NAME  TITLE  DOCS_URL', 'crm   CRM    https://crm.example/docs'],
    json: { apps: [app] },
  },
  {
    args: ['apps', 'get', 'crm', ...USER],
    answer: { ...app, connected_accounts: [account] },
    sends: ['POST', '/apps/crm/get'],
    prints: ['ID  DISPLAY_NAME  STATUS  LAST_ERROR  MODIFIED_AT', '7   Ada           active  -           2026-01-01T00:00:00.000Z'],
  },
  {
    args: ['apps', 'connect', 'crm', ...USER],
    answer: { ...app, connected_accounts: [] },
    sends: ['POST', '/apps/crm/get'],
    prints: ['app        crm', 'login_url  https://onward.example/connect/abc'],
    json: { app: 'crm', login_url: 'https://onward.example/connect/abc' },
  },
  {
    args: ['calls', 'find', ID, ...USER],
    answer: logged,
    sends: ['POST', `/calls/${ID}/get`],
    prints: [`id             ${ID}`, 'function_name  crm-add', 'outcome        answered', 'network_code   200'],
  },
  {
    args: ['api', 'post', '/calls/list?_cursor=x', '-f', 'page_size:=5', ...USER],
    answer: { calls: [] },
    sends: ['POST', '/calls/list?_cursor=x', { page_size: 5 }],
    prints: ['{', '  "calls": []', '}'],
  },
]

const AREA_B: readonly Case[] = [
  {
    args: ['usage', 'joe'],
    answer: usage,
    sends: ['GET', `${INSIGHTS}/users/joe/tasks/?app_key=shop`],
    prints: Object.entries(usage).map(([name, value]) => `${name.padEnd(17)}  ${value}`),
  },
  {
    args: ['usage', '--limit-reached', '--search', 'j', '--app-key', 'other'],
    answer: { users: [percents], _cursor: null },
    sends: ['GET', `${INSIGHTS}/users/tasks/?app_key=other&search=j&limit_reached=true&page_size=1000`],
    prints: [
      'USER_ID  TASKS_CONSUMED  CURRENT_LIMIT  TASKS_REMAINING  TASKS_CONSUMED_PERCENT  LIMIT_RESET_AFTER',
      'joe      4               10             6                40                      12',
    ],
    json: { users: [percents] },
  },
  {
    args: ['usage', 'joe', '--history', '--since', '2026-11-01'],
    answer: { user_id: 'joe', days: [{ date: '2026-11-01', tasks_consumed: 4 }] },
    sends: ['GET', `${INSIGHTS}/users/joe/tasks/history/?app_key=shop&since=2026-11-01`],
    prints: ['DATE        TASKS_CONSUMED', '2026-11-01  4'],
  },
  {
    args: ['limits', 'get', 'joe'],
    answer: usage,
    sends: ['GET', `${INSIGHTS}/users/joe/tasks/?app_key=shop`],
    prints: ['user_id            joe', 'current_limit      10', 'limit_period       30', 'tasks_remaining    6', 'limit_reset_after  12'],
    json: { user_id: 'joe', current_limit: 10, limit_period: '30', tasks_remaining: 6, limit_reset_after: 12 },
  },
  {
    args: ['limits', 'set', '50', ...USER],
    answer: { success: 'true' },
    sends: ['POST', `${INSIGHTS}/users/tasks/?app_key=shop`, [{ user_id: 'joe', allowed_tasks: 50 }]],
    prints: ['user_id        joe', 'current_limit  50'],
    json: { user_id: 'joe', current_limit: 50 },
  },
  {
    args: ['limits', 'set', '50', '--all'],
    answer: { success: 'true' },
    sends: ['POST', `${INSIGHTS}/users/tasks-bulk/`, { tasks_limit: 50 }],
    prints: ['users          all', 'current_limit  50'],
    json: { users: 'all', current_limit: 50 },
  },
  {
    args: ['limits', 'default', '0'],
    answer: { success: 'true' },
    sends: ['PATCH', `${PARTNERS}/accounts/me/`, { tasks_limit: 0 }],
    prints: ['default_limit  0'],
    json: { default_limit: 0 },
  },
  {
    args: ['subscriptions', 'list'],
    answer: { subscriptions: [subscription], _cursor: null },
    sends: ['GET', `${INSIGHTS}/subscriptions/`],
    prints: [
      'SUBSCRIPTION_ID                       STATUS  EVENTS  CALLBACK_URL  FAILING_SINCE  CREATED_AT',
      `${ID}  active  a,b     https://x     -              T`,
    ],
    json: { subscriptions: [subscription] },
  },
  {
    args: ['subscriptions', 'create', 'https://x', '--events', 'user_tasks_limit_80', 'user_tasks_limit_100'],
    answer: secret,
    sends: ['POST', `${INSIGHTS}/subscriptions/`, { events: ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url: 'https://x' }],
    prints: [`subscription_id  ${ID}`, 'signing_secret   whsec_x'],
    says: 'Store signing_secret now. It is not shown again.\n',
  },
  {
    args: ['subscriptions', 'get', ID],
    answer: { subscription_id: ID, deliveries: { pending: 1, delivered: 2, failed: 0 } },
    sends: ['GET', `${INSIGHTS}/subscriptions/${ID}/`],
    prints: [`subscription_id  ${ID}`, 'deliveries       {"pending":1,"delivered":2,"failed":0}'],
  },
  {
    args: ['subscriptions', 'delete', ID],
    answer: { success: true },
    sends: ['DELETE', `${INSIGHTS}/subscriptions/${ID}/`],
    prints: [`subscription_id  ${ID}`, 'deleted          yes'],
    json: { subscription_id: ID, deleted: true },
  },
  {
    args: ['subscriptions', 'enable', ID],
    answer: { subscription_id: ID, status: 'active' },
    sends: ['POST', `${INSIGHTS}/subscriptions/${ID}/enable/`],
    prints: [`subscription_id  ${ID}`, 'status           active'],
  },
  {
    args: ['subscriptions', 'rotate-secret', ID, '--keep-previous-hours', '1.5'],
    answer: { ...secret, previous_valid_until: 'T' },
    sends: ['POST', `${INSIGHTS}/subscriptions/${ID}/rotate-secret/`, { keep_previous_hours: 1.5 }],
    prints: [`subscription_id       ${ID}`, 'signing_secret        whsec_x', 'previous_valid_until  T'],
    says: 'Store signing_secret now. It is not shown again.\n',
  },
  {
    args: ['subscriptions', 'test', ID],
    answer: { delivery_id: ID },
    sends: ['POST', `${INSIGHTS}/subscriptions/${ID}/test/`],
    prints: [`delivery_id  ${ID}`],
  },
  {
    args: ['deliveries', 'list', ID, '--status', 'pending'],
    answer: { deliveries: [delivery], _cursor: null },
    sends: ['GET', `${INSIGHTS}/subscriptions/${ID}/deliveries/?status=pending`],
    prints: [
      'DELIVERY_ID                           EVENT_NAME           USER_ID  STATUS   ATTEMPTS  LAST_ANSWER  CREATED_AT',
      `${ID}  user_tasks_limit_80  joe      pending  2         timed_out    T`,
    ],
    json: { deliveries: [delivery] },
  },
  {
    args: ['deliveries', 'replay', ID],
    answer: { delivery_id: ID },
    sends: ['POST', `${INSIGHTS}/deliveries/${ID}/replay/`],
    prints: [`delivery_id  ${ID}`],
  },
  {
    args: ['api', 'GET', '/partners/api/insights/subscriptions', '-f', 'page_size:=10'],
    answer: { subscriptions: [] },
    sends: ['GET', `${INSIGHTS}/subscriptions?page_size=10`],
    prints: ['{', '  "subscriptions": []', '}'],
  },
]

describe.each([
  ['functions', AREA_A],
  ['insights', AREA_B],
] as const)('a command of %s', (service, cases) => {
  it.each(cases.map((each) => [each.args.join(' '), each] as const))(
    'works: %s',
    async (_, { args, answer, sends, prints, json, says }) => {
      answers(stage[service], answer)
      expect(await stage.run(args)).toEqual({ code: 0, out: prints.map((line) => `${line}\n`).join(''), err: says ?? '' })
      expect(stage.requests()).toEqual([[service, ...sends]])
      const { code, out } = await stage.run([...args, '--json'])
      expect([code, JSON.parse(out)]).toEqual([0, json ?? answer])
    },
  )
})

describe('call', () => {
  it('reads arguments from a file or standard input, and prefers fields', async () => {
    answers(stage.functions, { network_code: 200, output: null })
    await stage.run(['call', 'f', '--input', '-', '-f', 'a=2', ...USER], { env: stage.env, stdin: '{"a": 1, "b": [true]}' })
    expect(stage.requests()).toEqual([['functions', 'POST', '/functions/f/call', { a: '2', b: [true] }]])
  })

  it.each([
    [{ network_code: 404, output: { message: 'none' } }, 'f: the app responded with 404'],
    [{ network_code: 200, output: { message: 'none' }, meta: { app_error: true } }, 'f: the app reported an error'],
  ])('prints the output and ends with code 5 if the app refuses: %j', async (answer, problem) => {
    answers(stage.functions, answer)
    const { code, out, err } = await stage.run(['call', 'f', ...USER])
    expect([code, JSON.parse(out), err]).toEqual([5, { message: 'none' }, `${answer.network_code}, call null\nerror: ${problem}\n`])
  })

  it('shows the link if an account is missing, the nearest names, and the id of the request', async () => {
    const refusal = { error: 'connect an account first', error_details: ['crm: none'], code: 'account_not_connected', request_id: 'req-1' }
    answers(stage.functions, { ...refusal, login_url: 'https://onward.example/c', suggestions: ['crm-add', 'crm-get'] }, 400)
    const lines = [
      'error: connect an account first',
      '  crm: none',
      '  did you mean crm-add or crm-get?',
      '  connect the account here: https://onward.example/c',
      '  request req-1',
    ]
    expect(await stage.run(['call', 'f', ...USER])).toEqual({ code: 1, out: '', err: `${lines.join('\n')}\n` })
  })

  it.each([
    ['invalid_parameters', 400, 'a: must be a whole number', '-f gives text; write -f name:=JSON for another type, such as -f age:=36'],
    ['user_not_found', 404, undefined, 'a user appears with the first counted task or with an own limit; onward usage lists all'],
    ['subscription_not_found', 404, undefined, 'onward subscriptions list shows the ids'],
  ])('and other commands say what to do after %s', async (code, status, detail, advice) => {
    answers(stage.functions, { error: 'refused', error_details: detail ? [detail] : [], code, request_id: 'req-1' }, status)
    const lines = ['error: refused', ...(detail ? [`  ${detail}`] : []), `  ${advice}`, '  request req-1']
    expect((await stage.run(['call', 'f', ...USER])).err).toBe(`${lines.join('\n')}\n`)
  })

  it('does not repeat the nearest names of the error', async () => {
    const refusal = {
      error: 'there is no function "g"; did you mean f?',
      error_details: [],
      code: 'function_not_found',
      request_id: 'req-1',
    }
    answers(stage.functions, { ...refusal, suggestions: ['f'] }, 404)
    expect((await stage.run(['call', 'g', ...USER])).err).toBe(`error: ${refusal.error}\n  request req-1\n`)
  })

  it('asks about the address if the service cannot be reached', async () => {
    const env = { ...stage.env, ONWARD_BASE_URL: `http://127.0.0.1:${await fixedPort()}` }
    const { code, err } = await stage.run(['functions', 'list', ...USER], { env })
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: Onward could not be reached: .*\n {2}is the service running, .*\n$/)])
  })

  it.each([
    [['call', 'f', '-f', 'a', ...USER], 'a is not name=text or name:=JSON'],
    [['call', 'f', '-f', 'a:={', ...USER], 'the value of a is not valid JSON; for text, write a=…'],
    [['call', 'f', '-f', 'a=1', '-f', 'a=2', ...USER], 'a is given twice'],
    [['call', 'f', '--input', 'none.json', ...USER], 'none.json does not exist'],
    [['call', 'f', '--input', '-', ...USER], '- must contain a JSON object'],
    [['call', 'f'], 'give --user <user_id>: the user on whose behalf Onward acts'],
    [['limits', 'set', '5'], 'give either --user or --all'],
    [['usage', '--history'], 'a history is that of one user: give a user_id'],
    [['api', 'GET', 'x', ...USER], 'the path must begin with /'],
  ])('and other commands refuse %j without a request', async (args, problem) => {
    expect(await stage.run(args, { env: stage.env, stdin: '[]' })).toEqual({ code: 2, out: '', err: `error: ${problem}\n` })
    expect(stage.requests()).toEqual([])
  })
})

describe('api', () => {
  it('prints the body of an error, and ends with code 1', async () => {
    const refusal = { error: 'there is no such path', error_details: [], code: 'not_found' }
    answers(stage.functions, refusal, 404)
    const { code, out, err } = await stage.run(['api', 'GET', '/none', ...USER])
    expect([code, JSON.parse(out), err]).toEqual([1, refusal, 'error: there is no such path\n'])
  })
})

describe('apps connect --wait', () => {
  it('prints the link, and then the account that the user connects', async () => {
    let requests = 0
    stage.functions.answer((_received, response) => {
      requests++
      sendJson(response, 200, { ...app, connected_accounts: requests < 3 ? [account] : [account, { ...account, id: 8 }] })
    })
    const { code, out, err } = await stage.run(['apps', 'connect', 'crm', '--wait', '--json', ...USER])
    expect([code, JSON.parse(out)]).toEqual([0, { app: 'crm', ...account, id: 8 }])
    expect(err).toBe('Open this link in a browser: https://onward.example/connect/abc\n')
  })
})
