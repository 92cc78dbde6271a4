import { eventually, type Link, openLink, queueBackends, testParts } from '@onward/testbed'
import request from 'supertest'
import { type Functions, openFunctions, useFunctions } from '../support/support.ts'

const describeOnRedis = queueBackends().includes('redis') ? describe : describe.skip

type Headers = Readonly<Record<string, string>>

const send = async (url: string, path: string, headers: Headers = {}) =>
  await fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{"prompt": "notes"}' })

/** Repeats a request until it is refused. Returns how many were not, and the refusal. A minute can end between two requests. */
async function untilRefused(attempt: () => Promise<Response>, atMost: number): Promise<{ allowed: number; refused: Response }> {
  for (let allowed = 0; allowed <= atMost; allowed++) {
    const response = await attempt()
    if (response.status === 429) return { allowed, refused: response }
    await response.arrayBuffer()
  }
  throw new Error(`${atMost + 1} requests were allowed`)
}

let applications = 0

/** Creates an application with these rate limits. Returns the credentials of its users. */
async function limited(onward: Functions, rates: Readonly<Record<string, number>>) {
  const application = await onward.makeApplication(`limited-${++applications}`)
  const body = { workspace_id: 'workspace-1', name: 'Limited', ...rates }
  await onward.admin('put', `/admin/applications/${application.appKey}`, body).expect(200)
  return (userId: string) => onward.user(userId, application)
}

describe('rate limits', () => {
  const onward = useFunctions({ env: { TRUSTED_PROXIES: '127.0.0.1' } })

  it.each([
    ['user', 'user_rate_limit', '/apps/list', 'the user may send 3 requests a minute'],
    ['application', 'rate_limit', '/apps/list', 'the application may send 3 requests a minute'],
    ['predict-user', 'user_predict_rate_limit', '/functions/predict', 'the user may predict 3 times a minute'],
    ['predict-application', 'predict_rate_limit', '/Functions/Predict/', 'the application may predict 3 times a minute'],
  ])('refuse requests beyond the limit %s', async (name, setting, path, rule) => {
    const user = await limited(onward, { [setting]: 3 })
    const { headers } = user('joe')
    const { allowed, refused } = await untilRefused(() => send(onward.url, path, headers), 6)
    expect(allowed).toBeGreaterThanOrEqual(3)
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(60)
    const request_id = refused.headers.get('x-request-id')
    expect(await refused.json()).toEqual({ error: `${rule}; retry in ${seconds} s`, error_details: [], code: 'rate_limited', request_id })
    expect(refused.headers.get('ratelimit-policy')).toContain(`"${name}";q=3;w=60`)
    expect(refused.headers.get('ratelimit')).toContain(`"${name}";r=0;t=${seconds}`)

    // The other budget is untouched.
    await request(onward.url)
      .post(path.toLowerCase().includes('predict') ? '/apps/list' : '/functions/predict')
      .set(headers)
      .send({ prompt: 'notes' })
      .expect(200)
    const others = name.endsWith('application') ? 429 : 200
    await eventually(async () => {
      await untilRefused(() => send(onward.url, path, headers), 6)
      expect((await send(onward.url, path, user('ann').headers)).status).toBe(others)
    })
    const { text } = await request(onward.internalUrl).get('/metrics').expect(200)
    expect(text).toMatch(new RegExp(`^onward_functions_rate_limited_total\\{.*limit="${name}".*\\} [1-9]`, 'm'))
  })

  it('log and count no refused call', async () => {
    const joe = (await limited(onward, { user_rate_limit: 1 }))('joe')
    await joe.connect('notes')
    const before = await onward.rows()
    const { allowed } = await untilRefused(async () => await send(onward.url, '/functions/notes-list/call', joe.headers), 3)
    const after = await onward.rows()
    expect(after.call_log - before.call_log).toBeLessThanOrEqual(allowed)
    expect(after.call_attempt).toBe(0)
  })

  it('count no refused request of a user against the application', async () => {
    const user = await limited(onward, { user_rate_limit: 1, rate_limit: 20 })
    for (let n = 0; n < 30; n++) await send(onward.url, '/apps/list', user('joe').headers)
    await user('ann').post('/apps/list').expect(200)
  })

  it('have generous defaults, and show in each answer what remains', async () => {
    const user = await limited(onward, {})
    const first = await user('joe').post('/apps/list').expect(200)
    expect(first.headers['ratelimit-policy']).toBe('"application";q=60000;w=60, "user";q=1200;w=60')
    const predicted = await user('joe').post('/functions/predict', { prompt: 'notes' }).expect(200)
    expect(predicted.headers['ratelimit-policy']).toBe('"predict-application";q=6000;w=60, "predict-user";q=120;w=60')
    await eventually(async () => {
      await user('ann').post('/apps/list').expect(200)
      const { headers } = await user('joe').post('/nowhere').expect(404)
      expect(headers.ratelimit).toMatch(/^"application";r=5999[0-8];t=\d+, "user";r=119\d;t=\d+$/)
    })
  })

  it('change at once when an administrator sets them', async () => {
    const application = await onward.makeApplication('changing')
    const put = (body: object, status: number) =>
      onward.admin('put', '/admin/applications/changing', { workspace_id: 'workspace-1', name: 'Changing', ...body }).expect(status)
    await put({ rate_limit: 7, user_rate_limit: 1, predict_rate_limit: 9, user_predict_rate_limit: 10 }, 200)
    const attempt = () => send(onward.url, '/apps/list', onward.user('joe', application).headers)
    await untilRefused(attempt, 2)
    await put({ user_rate_limit: 5 }, 200)
    expect((await attempt()).status).toBe(200)
    for (const wrong of [0, -1, 1.5, '5', null, 1_000_000_001]) await put({ user_rate_limit: wrong }, 400)
    const { body } = await onward.admin('get', '/admin/applications').expect(200)
    expect(body.applications.find((each: { app_key: string }) => each.app_key === 'changing')).toMatchObject({
      rate_limit: 7,
      user_rate_limit: 5,
      predict_rate_limit: 9,
      user_predict_rate_limit: 10,
    })
  })

  it('refuse an address that sends wrong credentials, except for applications that it served before', async () => {
    const from = (address: string, headers: Headers = {}) => ({ ...headers, 'x-forwarded-for': address })
    const { headers: known } = onward.user('joe')
    const wrong = { ...known, Hash: '0'.repeat(64) }
    const [client, sameNetwork, otherNetwork] = ['2001:db8:1:2::a', '2001:db8:1:2:ffff::b', '2001:db8:1:3::a']
    expect((await send(onward.url, '/apps/list', from(client, known))).status).toBe(200)
    await eventually(async () => {
      // An application is known once it was served. That can happen when the minute ends before the refusal.
      const { headers: unknown } = onward.user('joe', await onward.makeApplication(`unknown-${++applications}`))
      for (let batch = 0; batch < 30; batch++) {
        await Promise.all(Array.from({ length: 25 }, async () => await (await send(onward.url, '/apps/list', from(client))).text()))
      }
      const refused = await send(onward.url, '/apps/list', from(sameNetwork, unknown))
      expect(refused.status).toBe(429)
      expect(await refused.json()).toMatchObject({
        code: 'rate_limited',
        error: expect.stringMatching(/^this address may send 600 requests a minute without valid credentials; retry in \d+ s$/),
      })
      expect((await send(onward.url, '/apps/list', from(otherNetwork))).status).toBe(401)
      expect((await send(onward.url, '/apps/list', from(client, known))).status).toBe(200)
      expect((await send(onward.url, '/apps/list', from(client, wrong))).status).toBe(401)
      expect((await fetch(`${onward.url}/openapi.json`, { headers: from(client) })).status).toBe(429)
      const page = await fetch(`${onward.url}/connect/x`, { headers: from(client) })
      expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await page.text()).toContain('Too many requests')
    }, 60_000)
  })
})

describeOnRedis('rate limits of processes that share a Redis', () => {
  let link: Link
  let onward: Functions
  let other: { readonly url: string }

  beforeAll(async () => {
    link = await openLink(testParts().redisUrl ?? '')
    onward = await openFunctions({ env: { QUEUE_URL: link.url } })
    other = await onward.startAnother()
  })
  afterAll(async () => {
    await onward.close()
    await link.close()
  })

  /** Keeps a user at the limit of 60 in one process, and returns how many requests the other process allows until it refuses one. */
  async function allowedByOther(headers: Headers): Promise<number> {
    let allowed = 0
    await eventually(async () => {
      await untilRefused(() => send(onward.url, '/apps/list', headers), 120)
      const { status } = await send(other.url, '/apps/list', headers)
      if (status === 200) allowed += 1
      expect(status).toBe(429)
    }, 60_000)
    return allowed
  }

  it('apply to all of them together', async () => {
    const user = await limited(onward, { user_rate_limit: 60 })
    expect(await allowedByOther(user('joe').headers)).toBeLessThan(60)
  })

  it('apply to each process while Redis is away, and to all again when it is back', async () => {
    const user = await limited(onward, { user_rate_limit: 60 })
    link.set({ kind: 'reset' })
    for (const { url } of [onward, other]) {
      const { allowed } = await untilRefused(() => send(url, '/apps/list', user('joe').headers), 120)
      expect(allowed).toBeGreaterThanOrEqual(60)
    }
    link.set({ kind: 'normal' })
    expect(await allowedByOther(user('ann').headers)).toBeLessThan(60)
  })
})
