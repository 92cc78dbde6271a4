import { daysAgo, type Insights, openInsights, type Partner, task } from './insights.ts'

let insights: Insights
let partner: Partner
beforeAll(async () => {
  insights = await openInsights()
})
beforeEach(async () => {
  partner = await insights.partner()
})
afterAll(async () => await insights.close())

const userNotFound = { error: 'there is no such user', error_details: [], code: 'user_not_found' }
const applicationNotFound = { error: 'there is no such application', error_details: [], code: 'application_not_found' }
const missingAppKey = { error: 'the parameters are not valid', error_details: ['app_key: is required'], code: 'invalid_parameters' }

describe('GET users/<id>/tasks', () => {
  it('gives the task status without percents', async () => {
    await insights.consume(partner.tasks('joe@example.com', 3, daysAgo(0.5)))
    const { body } = await partner
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

  it('never has less than nothing remain', async () => {
    await partner.setLimits([{ user_id: 'joe', allowed_tasks: 2 }])
    await insights.consume(partner.tasks('joe', 5))
    expect((await partner.status('joe')).body).toMatchObject({ current_limit: 2, tasks_consumed: 5, tasks_remaining: 0 })
  })

  it('counts days to the reset, rounded up', async () => {
    await insights.consume(partner.tasks('joe', 1, daysAgo(28.5)))
    expect((await partner.status('joe')).body.limit_reset_after).toBe(2)
  })

  it.each([
    ['encoded characters', 'a/b?c#d%2e+é😀 @x'],
    ['dots', '..'],
    ['a name that objects have', '__proto__'],
    ['1024 characters', 'x'.repeat(1_024)],
  ])('finds a user id with %s', async (_what, userId) => {
    await insights.consume(partner.tasks(userId, 1))
    // A client that tidies up its URL would eat a path segment of dots.
    const path = userId === '..' ? '%2e%2e' : encodeURIComponent(userId)
    if (userId !== '..')
      expect((await partner.send('get', `/partners/api/insights/users/${path}/tasks/?app_key=${partner.appKey}`)).body.user_id).toBe(userId)
    expect((await partner.list()).body).toMatchObject([{ user_id: userId }])
  })

  it('tells apart user ids that only look alike', async () => {
    await insights.consume([...partner.tasks('é', 1), ...partner.tasks('e\u0301', 2), ...partner.tasks('JOE', 3)])
    expect((await partner.status('é')).body.tasks_consumed).toBe(1)
    expect((await partner.status('e\u0301')).body.tasks_consumed).toBe(2)
    await partner.status('joe').expect(404, userNotFound)
  })

  it('does not know a user who was never seen', async () => {
    await partner.status('nobody').expect(404, userNotFound)
  })

  it('refuses a user id with NUL', async () => {
    const refused = { error: 'the user id is not valid', error_details: ['id: must not hold NUL'], code: 'invalid_user_id' }
    await partner.status('a\0b').expect(400, refused)
  })

  it('refuses a path that can not be decoded', async () => {
    await partner.send('get', `/partners/api/insights/users/%ff/tasks/?app_key=${partner.appKey}`).expect(400)
  })
})

describe('GET users/tasks', () => {
  it('gives the task status of every user with percents, by user id', async () => {
    await insights.consume([...partner.tasks('joe', 1), ...partner.tasks('ann', 10)])
    await partner.setLimits([
      { user_id: 'joe', allowed_tasks: 3 },
      { user_id: 'bob', allowed_tasks: 7 },
      { user_id: 'zoe', allowed_tasks: 0 },
    ])
    const common = { limit_period: '30', limit_reset_after: 30 }
    await partner.list().expect(200, [
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

  it('is an empty array while there is no user', async () => {
    await partner.list().expect(200, [])
  })

  it('gives users of more pages than one, each once', async () => {
    const users = Array.from({ length: 4_500 }, (_, i) => `user-${String(i).padStart(5, '0')}`)
    for (let i = 0; i < users.length; i += 500) await insights.consume(users.slice(i, i + 500).map((user) => task(partner.appKey, user)))
    const { body } = await partner
      .list()
      .expect(200)
      .expect('content-type', /^application\/json/)
    expect(body.map((each: { user_id: string }) => each.user_id)).toEqual(users)
  })

  it('breaks off, rather than end well, when the database fails midway', async () => {
    const users = Array.from({ length: 2_100 }, (_, i) => ({ user_id: `user-${String(i).padStart(5, '0')}`, allowed_tasks: 1 }))
    await partner.setLimits(users).expect(200)
    // A limit that can't be read as a status stands for a database that fails between two pages.
    await insights.db
      .updateTable('usage_user')
      .set({ task_limit: null })
      .where('app_key', '=', partner.appKey)
      .where('user_id', '=', 'user-02099')
      .execute()
    await expect(partner.list()).rejects.toThrow(/aborted|hang up|ECONNRESET/)
  })
})

describe.each([
  ['GET users/<id>/tasks', (app: string) => partner.send('get', `/partners/api/insights/users/joe/tasks/${app}`)],
  ['GET users/tasks', (app: string) => partner.send('get', `/partners/api/insights/users/tasks/${app}`)],
  [
    'POST users/tasks',
    (app: string) => partner.send('post', `/partners/api/insights/users/tasks/${app}`).send([{ user_id: 'joe', allowed_tasks: 1 }]),
  ],
])('%s', (_endpoint, call) => {
  it('asks for an app_key', async () => {
    await call('').expect(400, missingAppKey)
    await call('?app_key=').expect(400, missingAppKey)
  })

  it('answers alike for an application that is not there and one of another partner', async () => {
    const other = await insights.partner()
    await insights.consume([task('of-nobody', 'joe'), task(other.appKey, 'joe')])
    for (const appKey of [other.appKey, 'unknown', 'of-nobody', 'a%00b', '__proto__']) {
      await call(`?app_key=${appKey}`).expect(404, applicationNotFound)
    }
  })

  it('refuses an app_key that comes twice', async () => {
    await call(`?app_key=${partner.appKey}&app_key=${partner.appKey}`).expect(400)
  })
})
