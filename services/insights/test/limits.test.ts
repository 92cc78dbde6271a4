import { daysAgo, isError } from './insights.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)

const limitOf = async (userId: string) => (await workspace.status(userId).expect(200)).body.current_limit as number
const refusal = (...error_details: string[]) => ({ error: 'the parameters are not valid', error_details, code: 'invalid_parameters' })
const WHOLE = 'must be a whole number, 0 or more'
const TOO_LARGE = 'must be a whole number, 0 to 9007199254740991'

describe('POST users/tasks', () => {
  it('sets the limits of users and creates unknown users', async () => {
    await insights.consume(workspace.tasks('joe', 4, daysAgo(10)))
    const limits = [
      { user_id: 'joe', allowed_tasks: 5 },
      { user_id: 'ann', allowed_tasks: Number.MAX_SAFE_INTEGER },
    ]
    await workspace.setLimits(limits).expect(200, { success: 'true' })
    expect((await workspace.status('joe')).body).toMatchObject({
      current_limit: 5,
      tasks_consumed: 4,
      tasks_remaining: 1,
      limit_reset_after: 20,
    })
    expect((await workspace.status('ann')).body).toEqual({
      user_id: 'ann',
      current_limit: Number.MAX_SAFE_INTEGER,
      limit_period: '30',
      tasks_consumed: 0,
      tasks_remaining: Number.MAX_SAFE_INTEGER,
      limit_reset_after: 30,
    })
  })

  it('sets limits in its own application only', async () => {
    const appKey = `${workspace.appKey}-second`
    await insights.admin.put(`/admin/applications/${appKey}`, { workspace_id: workspace.id }).expect(200)
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 5 }])
    await workspace.send('get', `/partners/api/insights/users/joe/tasks/?app_key=${appKey}`).expect(404)
  })

  it('accepts 10,000 users in one request', async () => {
    const limits = Array.from({ length: 10_000 }, (_, i) => ({ user_id: `user-${i}`, allowed_tasks: i }))
    await workspace.setLimits(limits).expect(200)
    expect(await limitOf('user-9999')).toBe(9_999)
  })

  it('creates at most 1,000,000 users a day in a workspace, also when 20 requests come at once, and counts the tasks of others', async () => {
    const users = (name: string, n: number) => Array.from({ length: n }, (_, i) => ({ user_id: `${name}-${i}`, allowed_tasks: 5 }))
    await workspace.setLimits(users('old', 2)).expect(200)
    const set = (new_users: number) =>
      insights.db.updateTable('workspace').set({ new_users }).where('id', '=', workspace.id).where('new_users', '=', 2).execute()
    await set(999_950)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => workspace.setLimits(users(`day-${n}`, 8))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6)
    const refused = answers.filter(({ status }) => status === 429)
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['too_many_new_users']))
    expect(refused).toHaveLength(14)
    const seconds = Number(refused[0]?.headers['retry-after'])
    expect(seconds > 0 && seconds <= 86_400).toBe(true)

    // A request is accepted as a whole or not at all.
    await workspace.setLimits([...users('old', 2), ...users('mixed', 3)]).expect(429)
    await workspace.status('mixed-0').expect(404)
    await workspace.setLimits([...users('old', 2), ...users('last', 2)]).expect(200)
    await workspace.setLimits(users('one', 1)).expect(429)
    await workspace.setLimits(users('last', 2)).expect(200)
    await insights.consume(workspace.tasks('one-0', 3))
    expect((await workspace.status('one-0')).body.tasks_consumed).toBe(3)

    await insights.db
      .updateTable('workspace')
      .set({ new_users_on: daysAgo(1) })
      .where('id', '=', workspace.id)
      .execute()
    await workspace.setLimits(users('two', 1)).expect(200)
  })

  it.each<[string, unknown, string[]]>([
    ['an object', { user_id: 'joe', allowed_tasks: 1 }, ['body: must be an array']],
    ['an empty array', [], ['body: must not be empty']],
    [
      '10 001 items',
      Array.from({ length: 10_001 }, (_, i) => ({ user_id: `${i}`, allowed_tasks: 1 })),
      ['body: must have at most 10000 items'],
    ],
    ['an item that is not an object', [5], ['[0]: must be an object, such as {"user_id": …, "allowed_tasks": …}']],
    ['a missing user', [{ allowed_tasks: 1 }], ['[0].user_id: is required']],
    ['an empty user', [{ user_id: '', allowed_tasks: 1 }], ['[0].user_id: must not be empty']],
    ['the user .', [{ user_id: '.', allowed_tasks: 1 }], ['[0].user_id: must not be "." or ".."']],
    ['the user ..', [{ user_id: '..', allowed_tasks: 1 }], ['[0].user_id: must not be "." or ".."']],
    ['a number for a user', [{ user_id: 5, allowed_tasks: 1 }], ['[0].user_id: must be text']],
    ['a user of 1 025 characters', [{ user_id: 'x'.repeat(1_025), allowed_tasks: 1 }], ['[0].user_id: must have at most 1024 characters']],
    [
      'a user of 1 026 bytes',
      [{ user_id: '界'.repeat(342), allowed_tasks: 1 }],
      ['[0].user_id: must not have more than 1024 bytes of UTF-8'],
    ],
    ['a user with NUL', [{ user_id: 'a\0', allowed_tasks: 1 }], ['[0].user_id: must not hold NUL or half of a surrogate pair']],
    [
      'half of a surrogate pair',
      '[{"user_id":"\\ud83d","allowed_tasks":1}]',
      ['[0].user_id: must not hold NUL or half of a surrogate pair'],
    ],
    ['a missing limit', [{ user_id: 'joe' }], ['[0].allowed_tasks: is required']],
    ['a negative limit', [{ user_id: 'joe', allowed_tasks: -1 }], [`[0].allowed_tasks: ${WHOLE}`]],
    ['a limit of half a task', [{ user_id: 'joe', allowed_tasks: 1.5 }], [`[0].allowed_tasks: ${WHOLE}`]],
    ['a limit as text', [{ user_id: 'joe', allowed_tasks: '100' }], [`[0].allowed_tasks: ${WHOLE}`]],
    ['a limit of null', [{ user_id: 'joe', allowed_tasks: null }], [`[0].allowed_tasks: ${WHOLE}`]],
    ['a limit of true', [{ user_id: 'joe', allowed_tasks: true }], [`[0].allowed_tasks: ${WHOLE}`]],
    ['2^53', [{ user_id: 'joe', allowed_tasks: 2 ** 53 }], [`[0].allowed_tasks: ${TOO_LARGE}`]],
    ['an unknown field', [{ user_id: 'joe', allowed_tasks: 1, tasks_consumed: 0 }], ['[0].tasks_consumed: is not known here']],
    [
      'the same user twice',
      [
        { user_id: 'joe', allowed_tasks: 1 },
        { user_id: 'ann', allowed_tasks: 1 },
        { user_id: 'joe', allowed_tasks: 1 },
      ],
      ['[2].user_id: is the same as [0].user_id'],
    ],
    [
      'several at once',
      [
        { user_id: 'joe', allowed_tasks: 1 },
        { user_id: '', allowed_tasks: -1 },
      ],
      ['[1].user_id: must not be empty', `[1].allowed_tasks: ${WHOLE}`],
    ],
  ])('refuses %s, and changes nothing', async (_what, body, details) => {
    await workspace
      .setLimits(body as object)
      .set('content-type', 'application/json')
      .expect(400)
      .expect(isError(refusal(...details)))
    await workspace.list().expect(200, [])
  })

  it('refuses a form, which cannot hold an array', async () => {
    const { body } = await workspace.setLimits('user_id=joe&allowed_tasks=5').expect(415)
    expect(body.code).toBe('unsupported_media_type')
  })

  it('refuses a POST without a body', async () => {
    await workspace
      .send('post', `/partners/api/insights/users/tasks/?app_key=${workspace.appKey}`)
      .expect(400)
      .expect(isError(refusal('body: must be an array')))
  })
})

describe('PATCH accounts/me', () => {
  it('sets the limit of later users, not of existing ones', async () => {
    await insights.consume(workspace.tasks('before', 1))
    await workspace.setDefault(7).expect(200, { success: 'true' })
    await insights.consume([...workspace.tasks('before', 1), ...workspace.tasks('after', 1)])
    expect(await limitOf('before')).toBe(10_000)
    expect(await limitOf('after')).toBe(7)
  })
})

describe('POST users/tasks-bulk', () => {
  it('sets the limit of existing users, not of later ones', async () => {
    await insights.consume(workspace.tasks('joe', 1))
    await workspace.setLimits([{ user_id: 'ann', allowed_tasks: 3 }])
    await workspace.setAll(50).expect(200, { success: 'true' })
    await insights.consume(workspace.tasks('later', 1))
    expect([await limitOf('joe'), await limitOf('ann'), await limitOf('later')]).toEqual([50, 50, 10_000])
    expect((await workspace.list()).body.map((each: { current_limit: number }) => each.current_limit)).toEqual([50, 50, 10_000])
  })

  it('replaces own limits that were set before it, and is replaced by later ones', async () => {
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 3 }])
    await workspace.setAll(50)
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 4 }])
    expect(await limitOf('joe')).toBe(4)
    await workspace.setAll(60)
    expect(await limitOf('joe')).toBe(60)
    await workspace.setAll(0)
    expect(await limitOf('joe')).toBe(0)
  })

  it('does not change users of other workspaces', async () => {
    const other = await insights.workspace()
    await insights.consume(other.tasks('joe', 1))
    await workspace.setAll(5)
    expect((await other.status('joe')).body.current_limit).toBe(10_000)
  })
})

describe.each([
  ['PATCH accounts/me', 'patch', '/partners/api/accounts/me/'],
  ['POST users/tasks-bulk', 'post', '/partners/api/insights/users/tasks-bulk/'],
] as const)('%s', (_endpoint, method, path) => {
  it('accepts a form, whose values are text', async () => {
    await workspace.send(method, path).type('form').send('tasks_limit=25').expect(200, { success: 'true' })
    await workspace
      .send(method, path)
      .type('form')
      .send('tasks_limit=many')
      .expect(400)
      .expect(isError(refusal(`tasks_limit: ${WHOLE}`)))
    await workspace.send(method, path).type('form').send('tasks_limit=5&tasks_limit=6').expect(400)
  })

  it.each<[unknown, string[]]>([
    [{}, ['tasks_limit: is required']],
    [{ tasks_limit: -1 }, [`tasks_limit: ${WHOLE}`]],
    [{ tasks_limit: 1.5 }, [`tasks_limit: ${WHOLE}`]],
    [{ tasks_limit: '100' }, [`tasks_limit: ${WHOLE}`]],
    [{ tasks_limit: null }, [`tasks_limit: ${WHOLE}`]],
    [{ tasks_limit: true }, [`tasks_limit: ${WHOLE}`]],
    [{ tasks_limit: 2 ** 53 }, [`tasks_limit: ${TOO_LARGE}`]],
    [{ tasks_limit: 5, limit: 5 }, ['limit: is not known here']],
    [[{ tasks_limit: 5 }], ['body: must be an object, such as {"tasks_limit": …}']],
    ['5', ['body: must be an object, such as {"tasks_limit": …}']],
    ['null', ['body: must be an object, such as {"tasks_limit": …}']],
  ])('refuses %j', async (body, details) => {
    await workspace
      .send(method, path)
      .set('content-type', 'application/json')
      .send(body as object)
      .expect(400)
      .expect(isError(refusal(...details)))
  })
})
