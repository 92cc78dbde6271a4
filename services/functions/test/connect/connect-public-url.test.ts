import { connect } from 'node:net'
import request from 'supertest'
import { readConfig } from '../../src/index.ts'
import { headingOf, loginUrlOf, openBrowser, openConnecting } from '../support/connecting.ts'
import type { Functions } from '../support/support.ts'

const HTTPS_ONLY = { ALLOW_PLAIN_HTTP: 'false', TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'https://onward.example' }

describe('PUBLIC_URL', () => {
  const needed = {
    DATABASE_URL: 'postgres://x',
    QUEUE_URL: 'redis://x',
    ADMIN_TOKEN: 'a'.repeat(16),
    SEALING_KEYS: `k:${Buffer.alloc(32).toString('base64')}`,
  }
  const read = (url: string, more = {}) =>
    readConfig(
      { ...needed, PUBLIC_URL: url, ...more },
      { apps: 'apps', weights: 'weights', viewer: 'viewer', font: 'none', importWorker: 'none' },
    ).publicUrl

  it('accepts an https URL with an optional path', () => {
    expect(read('https://onward.example')).toBe('https://onward.example')
    expect(read('https://Onward.example:443/a/b//')).toBe('https://onward.example/a/b')
    expect(read('http://127.0.0.1:4000/', { ALLOW_PLAIN_HTTP: 'true' })).toBe('http://127.0.0.1:4000')
  })

  it('may be missing only where plain HTTP is allowed', () => {
    expect(read('', { ALLOW_PLAIN_HTTP: 'true' })).toBeUndefined()
    expect(() => read('')).toThrow('PUBLIC_URL is not set')
  })

  it.each([
    'http://onward.example',
    'onward.example',
    'https://a:b@onward.example',
    'https://onward.example/?x',
    'https://onward.example/#x',
  ])('refuses %s', (url) => {
    expect(() => read(url)).toThrow(/^PUBLIC_URL must /)
  })

  it('is the start of every login_url and of the form action', async () => {
    const onward = await openConnecting({ PUBLIC_URL: 'https://onward.example/onward' })
    const url = await loginUrlOf(onward.user('joe'), 'shelf')
    expect(url).toMatch(/^https:\/\/onward\.example\/onward\/connect\/[\w-]+$/)
    const page = await openBrowser(onward).open(url.replace('/onward/connect', '/connect'))
    expect(page.text).toContain(`<form method="post" action="${url}"`)
    expect(page.headers['set-cookie']?.[0]).toMatch(
      /^__Host-onward-connect=[\w-]{43}; Max-Age=3600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    )
  })
})

describe('a service without PUBLIC_URL', () => {
  it('builds each login_url from a valid host, in development', async () => {
    const onward = await openConnecting({ TRUSTED_PROXIES: '127.0.0.1' })
    const get = (headers: Record<string, string>) => onward.user('joe').post('/apps/shelf/get').set(headers)
    const { body } = await get({ host: 'onward.example' }).expect(200)
    expect(body.login_url).toMatch(/^http:\/\/onward\.example\/connect\//)
    const outer = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'outer.example:8443' }
    const forwarded = await get({ host: 'inner:4000', ...outer }).expect(200)
    expect(forwarded.body.login_url).toMatch(/^https:\/\/outer\.example:8443\/connect\//)
    for (const host of ['a b', 'evil.example/x', 'x@evil.example', 'evil.example:99999', '"><script>']) await get({ host }).expect(400)
  })
})

describe('a service that accepts only HTTPS', () => {
  let onward: Functions
  beforeAll(async () => {
    onward = await openConnecting(HTTPS_ONLY)
  })

  it('builds no login_url from a header of the request', async () => {
    const headers = { 'X-Forwarded-Proto': 'https', host: 'evil.example', 'X-Forwarded-Host': 'evil.example' }
    const { body } = await onward.user('joe').post('/apps/shelf/get').set(headers).expect(200)
    expect(body.login_url).toMatch(/^https:\/\/onward\.example\/connect\//)
  })

  it('refuses plain HTTP with an HTML page', async () => {
    const { body } = await onward.user('joe').post('/apps/shelf/get').set('X-Forwarded-Proto', 'https').expect(200)
    const { pathname } = new URL(body.login_url)
    const page = await request(onward.url).get(pathname)
    expect([page.status, page.type, headingOf(page)]).toEqual([403, 'text/html', 'This page needs a secure connection'])
    expect(page.headers['set-cookie']).toBeUndefined()
    const { headers } = await request(onward.url).get(pathname).set('X-Forwarded-Proto', 'https').expect(200)
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })

  it.each(['http://x:999999/connect/callback?state=a', '//x:999999/connect/callback?state=a', '/connect/callback?state=%zz'])(
    'answers 400 or 404 to the target %s',
    async (target) => {
      const { hostname, port } = new URL(onward.url)
      const socket = connect(Number(port), hostname)
      socket.end(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n`)
      let response = ''
      for await (const chunk of socket) response += chunk
      expect(response).toMatch(target.startsWith('//') ? /^HTTP\/1.1 40[14] / : /^HTTP\/1.1 400 /)
    },
  )
})
