import { insightsOpenApi } from '@onward/contract'
import request from 'supertest'
import { publicRoutes } from '../src/app.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights({ env: { ALLOW_PLAIN_HTTP: 'false', TRUSTED_PROXIES: 'loopback' } })

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
