import { errorBody } from '@onward/contract'
import { compileCheck } from '@onward/runtime'
import request from 'supertest'
import type { Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights()
let own: Workspace
let other: Workspace
let othersSubscription: string

const HOOK = 'https://hooks.example/onward'

beforeAll(async () => {
  own = await insights.workspace()
  other = await insights.workspace()
  await other.setLimits([{ user_id: 'joe', allowed_tasks: 5 }]).expect(200)
  const { body } = await other.subscribe({ events: ['user_tasks_limit_80'], callback_url: HOOK }).expect(200)
  othersSubscription = body.subscription_id
})

const fitsError = compileCheck(errorBody, 'strict')

type Row = readonly [what: string, send: () => request.Test, status: number, code: string]

const PATH = '/partners/api/insights'
const limits = (body: unknown) => () => own.setLimits(body as object)
const subscribe = (body: object) => () => own.subscribe({ events: ['user_tasks_limit_80'], callback_url: HOOK, ...body })

const CREDENTIALS: Row[] = [
  ['no api-key', () => request(insights.url).get(`${PATH}/users/tasks?app_key=x`), 401, 'unauthenticated'],
  [
    'an api-key in the query',
    () => request(insights.url).get(`${PATH}/users/tasks?app_key=${own.appKey}&api-key=${own.apiKey}`),
    401,
    'unauthenticated',
  ],
  [
    'an api-key of 10 kB',
    () => request(insights.url).get(`${PATH}/users/tasks`).set('api-key', 'k'.repeat(10_000)),
    401,
    'unauthenticated',
  ],
]

const FOREIGN: Row[] = [
  ...(['get', 'post'] as const).map(
    (method): Row => [
      `the application of another workspace, ${method} users/tasks`,
      () =>
        own
          .send(method, `${PATH}/users/tasks?app_key=${other.appKey}`)
          .send(method === 'post' ? [{ user_id: 'joe', allowed_tasks: 1 }] : undefined),
      404,
      'application_not_found',
    ],
  ),
  ...['joe/tasks', 'joe/tasks/history'].map(
    (path): Row => [
      `the application of another workspace, get users/${path}`,
      () => own.send('get', `${PATH}/users/${path}?app_key=${other.appKey}`),
      404,
      'application_not_found',
    ],
  ),
  ...(
    [
      ['get', ''],
      ['delete', ''],
      ['get', '/deliveries'],
      ['post', '/enable'],
      ['post', '/rotate-secret'],
      ['post', '/test'],
    ] as const
  ).map(
    ([method, path]): Row => [
      `the subscription of another workspace, ${method} ${path}`,
      () => own.send(method, `${PATH}/subscriptions/${othersSubscription}${path}`),
      404,
      'subscription_not_found',
    ],
  ),
  ['a subscription id that is no UUID', () => own.send('get', `${PATH}/subscriptions/..%2f`), 404, 'subscription_not_found'],
]

const BODIES: Row[] = [
  ...[-1, 1.5, '100', null, 2 ** 53, true, [], {}].map(
    (allowed_tasks): Row => [
      `the limit ${JSON.stringify(allowed_tasks)}`,
      limits([{ user_id: 'joe', allowed_tasks }]),
      400,
      'invalid_parameters',
    ],
  ),
  ...['', '.', '..', 'x'.repeat(1_025), 'a\0b', 5].map(
    (user_id): Row => [
      `the user ${JSON.stringify(user_id).slice(0, 20)}`,
      limits([{ user_id, allowed_tasks: 1 }]),
      400,
      'invalid_parameters',
    ],
  ),
  ['no items', limits([]), 400, 'invalid_parameters'],
  ['an object', limits({ user_id: 'joe', allowed_tasks: 1 }), 400, 'invalid_parameters'],
  ['a user twice', limits([1, 2].map((allowed_tasks) => ({ user_id: 'joe', allowed_tasks }))), 400, 'invalid_parameters'],
  ['10,001 items', limits(Array.from({ length: 10_001 }, (_, n) => ({ user_id: `u${n}`, allowed_tasks: 1 }))), 400, 'invalid_parameters'],
  ['100,000 items', limits(Array.from({ length: 100_000 }, (_, n) => ({ user_id: `u${n}`, allowed_tasks: 1 }))), 413, 'body_too_large'],
  ['the field tasks_consumed', limits([{ user_id: 'joe', allowed_tasks: 1, tasks_consumed: 0 }]), 400, 'invalid_parameters'],
  ['an array as a form', () => own.setLimits('0[user_id]=joe&0[allowed_tasks]=1'), 415, 'unsupported_media_type'],
  ...['Infinity', '1e309', '0x10', '-1', '1.5'].flatMap((text): Row[] => [
    [
      `the form tasks_limit=${text}`,
      () => own.send('patch', '/partners/api/accounts/me').send(`tasks_limit=${text}`),
      400,
      'invalid_parameters',
    ],
    [`page_size=${text}`, () => own.send('get', `${PATH}/users/tasks?app_key=${own.appKey}&page_size=${text}`), 400, 'invalid_parameters'],
  ]),
]

const QUERIES: Row[] = [
  ['a misspelt app_key', () => own.send('get', `${PATH}/users/tasks?appkey=${own.appKey}`), 400, 'invalid_parameters'],
  [
    'a misspelt filter of users',
    () => own.send('get', `${PATH}/users/tasks?app_key=${own.appKey}&min_procent=80`),
    400,
    'invalid_parameters',
  ],
  [
    'a misspelt start of a history',
    () => own.send('get', `${PATH}/users/joe/tasks/history?app_key=${own.appKey}&sinse=2026-11-01`),
    400,
    'invalid_parameters',
  ],
  ['a misspelt page size', () => own.send('get', `${PATH}/subscriptions?pagesize=1`), 400, 'invalid_parameters'],
]

const SUBSCRIPTIONS: Row[] = [
  ['no events', subscribe({ events: [] }), 400, 'invalid_parameters'],
  ['an unknown event', subscribe({ events: ['user_tasks_limit_101'] }), 400, 'invalid_parameters'],
  ['an event twice', subscribe({ events: ['user_tasks_limit_80', 'user_tasks_limit_80'] }), 400, 'invalid_parameters'],
  ...[
    'ftp://a.example/',
    'file:///etc/passwd',
    'data:,x',
    'https://user:pw@a.example/',
    'https://a.example/\u0000',
    '',
    'x',
    `https://a.example/${'x'.repeat(2_048)}`,
  ].map(
    (callback_url): Row => [`the URL ${JSON.stringify(callback_url).slice(0, 40)}`, subscribe({ callback_url }), 400, 'invalid_parameters'],
  ),
]

const INSIDE: Row[] = ['/metrics', '/admin/workspaces', '/health', '/ready'].map((path) => [
  `${path} at the public port`,
  () => own.send('get', path),
  404,
  'not_found',
])

describe.each<[string, Row[]]>([
  ['credentials', CREDENTIALS],
  ['ids of another workspace', FOREIGN],
  ['queries', QUERIES],
  ['bodies', BODIES],
  ['subscriptions', SUBSCRIPTIONS],
  ['paths', INSIDE],
])('bad %s', (_group, rows) => {
  it.each(rows)('get their own answer, and nothing changes: %s', async (_what, send, status, code) => {
    const { body } = await send().expect(status)
    expect(fitsError(body)).toEqual([])
    expect(body.code).toBe(code)
  })
})

describe('area B after all bad requests', () => {
  it('has no users and no subscriptions of the workspace that sent them, and the other workspace is as before', async () => {
    expect((await own.list().expect(200)).body).toEqual([])
    expect((await own.send('get', `${PATH}/subscriptions`).expect(200)).body.subscriptions).toEqual([])
    expect((await other.status('joe').expect(200)).body.current_limit).toBe(5)
    await other.send('get', `${PATH}/subscriptions/${othersSubscription}`).expect(200)
  })
})

describe('a user id with special characters', () => {
  it.each(['a/b', 'a b', '%2e%2e', 'zo\u00eb', 'zoe\u0308', '🙂', '...', 'a?b#c'])('is one user: %s', async (user_id) => {
    await own.setLimits([{ user_id, allowed_tasks: 3 }]).expect(200)
    expect((await own.status(user_id).expect(200)).body).toMatchObject({ user_id, current_limit: 3 })
  })
})
