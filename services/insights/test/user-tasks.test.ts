import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { daysAgo, isError, task } from './insights.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)

const userNotFound = { error: 'there is no such user', error_details: [], code: 'user_not_found' }
const applicationNotFound = {
  error: 'there is no such application',
  error_details: [],
  code: 'application_not_found',
}
const missingAppKey = {
  error: 'the parameters are not valid',
  error_details: ['app_key: is required'],
  code: 'invalid_parameters',
}

describe('GET users/<id>/tasks', () => {
  it('returns the task status without percentages', async () => {
    await insights.consume(workspace.tasks('joe@example.com', 3, daysAgo(0.5)))
    const { body } = await workspace
      .status('joe@example.com')
      .expect(200)
      .expect('content-type', /^application\/json/)
    expect(body).toEqual({
      user_id: 'joe@example.com',
      current_limit: 10_000,
      limit_period: '30',
      tasks_consumed: 3,
      tasks_remaining: 9_997,
      limit_reset_after: 30,
    })
  })

  it('returns at least 0 remaining tasks', async () => {
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 2 }])
    await insights.consume(workspace.tasks('joe', 5))
    expect((await workspace.status('joe')).body).toMatchObject({ current_limit: 2, tasks_consumed: 5, tasks_remaining: 0 })
  })

  it('returns the days until the reset, rounded up', async () => {
    await insights.consume(workspace.tasks('joe', 1, daysAgo(28.5)))
    expect((await workspace.status('joe')).body.limit_reset_after).toBe(2)
  })

  it.each([
    ['encoded characters', 'a/b?c#d%2e+é😀 @x'],
    ['dots', '..'],
    ['the name of an object property', '__proto__'],
    ['1024 characters', 'x'.repeat(1_024)],
  ])('finds a user id with %s', async (_what, userId) => {
    await insights.consume(workspace.tasks(userId, 1))
    // A client that normalizes URLs would remove a path segment of dots.
    const path = userId === '..' ? '%2e%2e' : encodeURIComponent(userId)
    if (userId !== '..')
      expect((await workspace.send('get', `/partners/api/insights/users/${path}/tasks/?app_key=${workspace.appKey}`)).body.user_id).toBe(
        userId,
      )
    expect((await workspace.list()).body).toMatchObject([{ user_id: userId }])
  })

  it('distinguishes user ids that only look alike', async () => {
    await insights.consume([...workspace.tasks('é', 1), ...workspace.tasks('e\u0301', 2), ...workspace.tasks('JOE', 3)])
    expect((await workspace.status('é')).body.tasks_consumed).toBe(1)
    expect((await workspace.status('e\u0301')).body.tasks_consumed).toBe(2)
    await workspace.status('joe').expect(404).expect(isError(userNotFound))
  })

  it('answers 404 for an unknown user', async () => {
    await workspace.status('nobody').expect(404).expect(isError(userNotFound))
  })

  it('refuses a user id with NUL', async () => {
    const refused = {
      error: 'the user id is not valid',
      error_details: ['id: must not hold NUL'],
      code: 'invalid_user_id',
    }
    await workspace.status('a\0b').expect(400).expect(isError(refused))
  })

  it.each(['.', '..', '%2e', '%2E%2e', '.%2e'])('refuses the user id %s in a path', async (id) => {
    for (const path of [`users/${id}/tasks/`, `users/${id}/tasks`, `users/${id}/tasks/history`]) {
      // Other clients would remove the dots from the path.
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const { hostname, port } = new URL(insights.url)
        const options = { hostname, port, path: `/partners/api/insights/${path}?app_key=${workspace.appKey}` }
        get({ ...options, headers: { 'api-key': workspace.apiKey } }, resolve).on('error', reject)
      })
      expect(JSON.parse(await text(response))).toMatchObject({ code: 'invalid_user_id', error_details: ['id: must not be "." or ".."'] })
      expect(response.statusCode).toBe(400)
    }
  })

  it('refuses a path that cannot be decoded', async () => {
    await workspace.send('get', `/partners/api/insights/users/%ff/tasks/?app_key=${workspace.appKey}`).expect(400)
  })
})

describe('GET users/tasks', () => {
  it('returns the task status of every user with percentages, ordered by user id', async () => {
    await insights.consume([...workspace.tasks('joe', 1), ...workspace.tasks('ann', 10)])
    await workspace.setLimits([
      { user_id: 'joe', allowed_tasks: 3 },
      { user_id: 'bob', allowed_tasks: 7 },
      { user_id: 'zoe', allowed_tasks: 0 },
    ])
    const common = { limit_period: '30', limit_reset_after: 30 }
    await workspace.list().expect(200, [
      {
        user_id: 'ann',
        current_limit: 10_000,
        ...common,
        tasks_consumed: 10,
        tasks_remaining: 9_990,
        tasks_consumed_percent: 0.1,
        tasks_remaining_percent: 99.9,
      },
      {
        user_id: 'bob',
        current_limit: 7,
        ...common,
        tasks_consumed: 0,
        tasks_remaining: 7,
        tasks_consumed_percent: 0,
        tasks_remaining_percent: 100,
      },
      {
        user_id: 'joe',
        current_limit: 3,
        ...common,
        tasks_consumed: 1,
        tasks_remaining: 2,
        tasks_consumed_percent: 33.33,
        tasks_remaining_percent: 66.66,
      },
      {
        user_id: 'zoe',
        current_limit: 0,
        ...common,
        tasks_consumed: 0,
        tasks_remaining: 0,
        tasks_consumed_percent: 100,
        tasks_remaining_percent: 0,
      },
    ])
  })

  it('returns an empty array when there is no user', async () => {
    await workspace.list().expect(200, [])
  })

  it('returns each user once when there are several pages', async () => {
    const users = Array.from({ length: 4_500 }, (_, i) => `user-${String(i).padStart(5, '0')}`)
    for (let i = 0; i < users.length; i += 500) await insights.consume(users.slice(i, i + 500).map((user) => task(workspace.appKey, user)))
    const { body } = await workspace
      .list()
      .expect(200)
      .expect('content-type', /^application\/json/)
    expect(body.map((each: { user_id: string }) => each.user_id)).toEqual(users)
  })

  it('closes the connection when the database fails midway', async () => {
    const users = Array.from({ length: 2_100 }, (_, i) => ({ user_id: `user-${String(i).padStart(5, '0')}`, allowed_tasks: 1 }))
    await workspace.setLimits(users).expect(200)
    // A limit that is not valid in a status simulates a database that fails between two pages.
    await insights.db
      .updateTable('usage_user')
      .set({ task_limit: null })
      .where('app_key', '=', workspace.appKey)
      .where('user_id', '=', 'user-02099')
      .execute()
    await expect(workspace.list()).rejects.toThrow(/aborted|hang up|ECONNRESET/)
  })
})

describe.each([
  ['GET users/<id>/tasks', (app: string) => workspace.send('get', `/partners/api/insights/users/joe/tasks/${app}`)],
  ['GET users/tasks', (app: string) => workspace.send('get', `/partners/api/insights/users/tasks/${app}`)],
  [
    'POST users/tasks',
    (app: string) => workspace.send('post', `/partners/api/insights/users/tasks/${app}`).send([{ user_id: 'joe', allowed_tasks: 1 }]),
  ],
])('%s', (_endpoint, call) => {
  it('requires an app_key', async () => {
    await call('').expect(400).expect(isError(missingAppKey))
    await call('?app_key=').expect(400).expect(isError(missingAppKey))
  })

  it('answers alike for an unknown application and one of another workspace', async () => {
    const other = await insights.workspace()
    await insights.consume([task('of-nobody', 'joe'), task(other.appKey, 'joe')])
    for (const appKey of [other.appKey, 'unknown', 'of-nobody', 'a%00b', '__proto__']) {
      await call(`?app_key=${appKey}`).expect(404).expect(isError(applicationNotFound))
    }
  })

  it('refuses a repeated app_key', async () => {
    await call(`?app_key=${workspace.appKey}&app_key=${workspace.appKey}`).expect(400)
  })
})
