import { eventually } from '@onward/testbed'
import request from 'supertest'
import { useInsights } from './use-insights.ts'

describe('the rate limit of a workspace', () => {
  const insights = useInsights()
  const ofWorkspace = (apiKey: string) => request(insights.url).get('/partners/api/insights/subscriptions/').set('api-key', apiKey)

  it('is 6,000 requests a minute unless an administrator sets it', async () => {
    const [one, other] = [await insights.workspace(), await insights.workspace()]
    const { headers } = await ofWorkspace(one.apiKey).expect(200)
    expect(headers['ratelimit-policy']).toBe('"workspace";q=6000;w=60')
    expect(headers.ratelimit).toMatch(/^"workspace";r=5999;t=\d+$/)
    await insights.admin.put(`/admin/workspaces/${one.id}`, { name: 'One', rate_limit: 3 }).expect(200)
    await insights.admin.put(`/admin/workspaces/${one.id}`, { name: 'Renamed' }).expect(200)
    for (const rate_limit of [0, '5', null]) await insights.admin.put(`/admin/workspaces/${one.id}`, { name: 'x', rate_limit }).expect(400)
    const { body: list } = await insights.admin.get('/admin/workspaces').expect(200)
    expect(list.workspaces).toContainEqual(expect.objectContaining({ workspace_id: one.id, name: 'Renamed', rate_limit: 3 }))

    const refused = await eventually(async () => await ofWorkspace(one.apiKey).expect(429))
    const seconds = Number(refused.headers['retry-after'])
    const error = `the workspace may send 3 requests a minute; retry in ${seconds} s`
    expect(refused.body).toEqual({ error, error_details: [], code: 'rate_limited', request_id: expect.any(String) })
    expect(refused.headers.ratelimit).toBe(`"workspace";r=0;t=${seconds}`)
    expect((await ofWorkspace(other.apiKey).expect(200)).headers.ratelimit).toMatch(/^"workspace";r=5999;/)
    expect(await insights.metric('rate_limited_total')).toBeGreaterThanOrEqual(1)
  })

  it('applies from the creation of a workspace', async () => {
    const { body } = await insights.admin.put('/admin/workspaces/narrow', { name: 'Narrow', rate_limit: 7 }).expect(200)
    const { headers } = await ofWorkspace(body.partner_api_key).expect(200)
    expect(headers['ratelimit-policy']).toBe('"workspace";q=7;w=60')
  })
})

describe('an address that sends wrong API keys', () => {
  const insights = useInsights({ env: { TRUSTED_PROXIES: '127.0.0.1' } })

  it('is refused, except with a key that was right from there', async () => {
    const known = await insights.workspace()
    const ask = async (apiKey: string, address = '203.0.113.7') =>
      await fetch(`${insights.url}/partners/api/insights/subscriptions/`, { headers: { 'api-key': apiKey, 'x-forwarded-for': address } })
    expect((await ask(known.apiKey)).status).toBe(200)
    await eventually(async () => {
      const [first] = await Promise.all(Array.from({ length: 100 }, async () => (await ask('wrong')).status))
      expect(first).toBe(429)
      const unknown = await insights.workspace()
      expect((await ask(unknown.apiKey)).status).toBe(429)
      expect((await ask(unknown.apiKey, '203.0.113.8')).status).toBe(200)
      expect((await ask(known.apiKey)).status).toBe(200)
    }, 200_000)
  }, 240_000)
})
