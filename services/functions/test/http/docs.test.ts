import { ERROR_HELP, ERROR_STATUS, type ErrorCode, functionsOpenApi, insightsOpenApi } from '@onward/contract'
import request from 'supertest'
import { useFunctions } from '../support/support.ts'
import { unescapeHtml } from '../support/unescape-html.ts'

const PUBLIC_URL = 'http://onward.example.com'
const onward = useFunctions({ env: { PUBLIC_URL } })
const local = useFunctions()

const get = (path: string, { url } = onward) => request(url).get(path)
const wire = (value: object) => JSON.parse(JSON.stringify(value))
const operations = Object.entries({ ...functionsOpenApi.paths, ...insightsOpenApi.paths }).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
)

describe('GET /', () => {
  it('names the documents, at the public address', async () => {
    const openapi = { functions: `${PUBLIC_URL}/docs/functions.json`, insights: `${PUBLIC_URL}/docs/insights.json` }
    await get('/').expect(200, { name: 'Onward', docs: `${PUBLIC_URL}/docs`, openapi })
  })

  it('names the documents by path where the public address is unknown', async () => {
    const { body } = await get('/', local).expect(200)
    expect(body.docs).toBe('/docs')
  })
})

describe('docs_url of an error', () => {
  it('leads to the page about the hash if App-Key, User-ID and Hash are well formed and wrong', async () => {
    const { body } = await request(onward.url)
      .post('/apps/list')
      .set({ 'App-Key': 'app-1', 'User-ID': 'joe', Hash: '0'.repeat(64) })
      .expect(401)
    expect(body.docs_url).toBe(`${PUBLIC_URL}/docs/hash`)
    expect((await request(onward.url).post('/apps/list').expect(401)).body.docs_url).toBe(`${PUBLIC_URL}/docs/errors#unauthenticated`)
  })
})

describe('the documents', () => {
  it.each([
    ['functions', functionsOpenApi],
    ['insights', insightsOpenApi],
  ])('include the OpenAPI document of %s', async (name, document) => {
    const { body } = await get(`/docs/${name}.json`).expect(200).expect('content-type', /json/)
    expect(body).toEqual(wire(document))
  })

  it('include a page that explains every error code', async () => {
    const { text } = await get('/docs/errors').expect(200).expect('content-type', /html/)
    const entries = new Map(
      [...text.matchAll(/<article id="(\w+)">([\s\S]*?)<\/article>/g)].map(([, code = '', entry = '']) => [code, entry]),
    )
    expect([...entries.keys()].sort((a, b) => a.localeCompare(b))).toEqual(Object.keys(ERROR_STATUS).sort((a, b) => a.localeCompare(b)))
    for (const [code, entry] of entries) {
      expect(entry).toContain(`<small>${ERROR_STATUS[code as ErrorCode]}</small>`)
      const shown = unescapeHtml(entry.replace(/<\/?a\b[^>]*>/g, ''))
      for (const part of Object.values(ERROR_HELP[code as ErrorCode])) expect(shown).toContain(part)
    }
  })

  it('lead from the explanation of wrong credentials to the page about the header Hash', async () => {
    const { text } = await get('/docs/errors').expect(200)
    const [link] = /<a href="\/docs\/hash">/.exec(text.slice(text.indexOf('<article id="unauthenticated">'))) ?? []
    expect(link).toBeDefined()
    expect((await get('/docs/hash').expect(200).expect('content-type', /html/)).text).toContain('<h1>My hash does not match</h1>')
  })

  it('include a text for language models with every operation of both areas', async () => {
    const { text } = await get('/llms.txt')
      .expect(200)
      .expect('content-type', /text\/plain/)
    for (const operation of operations) expect(text).toContain(`- ${operation}: `)
    expect(text).toContain(`(${PUBLIC_URL}/docs/errors)`)
  })

  it('allow nothing from other hosts', async () => {
    for (const path of ['/docs', '/docs/', '/docs/errors', '/docs/hash']) {
      const { headers } = await get(path).expect(200)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain(`default-src 'none'; script-src 'self'; `)
      expect(policy).not.toMatch(/https?:|\*/)
    }
  })

  it('include the files of the viewer, and no other files', async () => {
    await get('/docs/viewer/standalone.js')
      .expect(200)
      .expect('content-type', /javascript/)
    for (const path of [
      '/docs/viewer',
      '/docs/viewer/',
      '/docs/viewer/chunks',
      '/docs/viewer/%2e%2e/%2e%2e/package.json',
      '/docs/nothing',
    ]) {
      const { status } = await get(path)
      expect([path, status >= 400 && status < 500]).toEqual([path, true])
    }
  })
})

describe('an error body', () => {
  it('leads to the explanation of its code', async () => {
    const { body } = await onward.user('joe').post('/apps/none/get').expect(404)
    expect(body.docs_url).toBe(`${PUBLIC_URL}/docs/errors#app_not_found`)
    const unauthenticated = await request(onward.url).post('/apps/list').expect(401)
    expect(unauthenticated.body.docs_url).toBe(`${PUBLIC_URL}/docs/errors#unauthenticated`)
  })

  it('has no link where the public address is unknown, or on the internal port', async () => {
    expect((await local.user('joe').post('/apps/none/get').expect(404)).body).not.toHaveProperty('docs_url')
    expect((await request(onward.internalUrl).get('/none').expect(404)).body).not.toHaveProperty('docs_url')
  })
})
