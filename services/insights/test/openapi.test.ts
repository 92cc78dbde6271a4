import { insightsOpenApi } from '@onward/contract'
import request from 'supertest'
import { publicRoutes } from '../src/app.ts'
import { useInsights } from './use-insights.ts'

const PUBLIC_URL = 'https://onward.example.com'
const insights = useInsights({ env: { ALLOW_PLAIN_HTTP: 'false', TRUSTED_PROXIES: 'loopback', PUBLIC_URL } })

describe('GET /', () => {
  it('leads to the documents, as each error body does', async () => {
    const https = { 'x-forwarded-proto': 'https' }
    await request(insights.url)
      .get('/')
      .set(https)
      .expect(200, { name: 'Onward', docs: `${PUBLIC_URL}/docs`, openapi: '/openapi.json' })
    const { body } = await request(insights.url).get('/partners/api/insights/subscriptions').set(https).expect(401)
    expect(body.docs_url).toBe(`${PUBLIC_URL}/docs/errors#unauthenticated`)
  })
})

describe('GET /openapi.json', () => {
  it('needs no key, but https', async () => {
    const { body } = await request(insights.url)
      .get('/openapi.json')
      .set('x-forwarded-proto', 'https')
      .expect(200)
      .expect('content-type', /json/)
    expect(body).toEqual(JSON.parse(JSON.stringify(insightsOpenApi)))
    await request(insights.url).get('/openapi.json').expect(403)
  })

  it('describes every route and no other', () => {
    const described = Object.entries(insightsOpenApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((each) => `${each} ${path}`),
    )
    const served = publicRoutes.map(({ endpoint: { method, path } }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(new Set(described)).toEqual(new Set(served))
  })
})
