import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import request from 'supertest'
import { useInsights } from './use-insights.ts'

const folder = mkdtempSync(join(tmpdir(), 'onward-console-'))
mkdirSync(join(folder, 'assets'))
mkdirSync(join(folder, '.vite'))
writeFileSync(join(folder, 'index.html'), '<script src="./first.js"></script><script type="module" src="./assets/index-1.js"></script>')
writeFileSync(join(folder, 'first.js'), '/* theme */')
writeFileSync(join(folder, 'assets', 'index-1.js'), '/* entry */')
writeFileSync(join(folder, 'assets', 'index-1.js.br'), brotliCompressSync('/* entry */'))
writeFileSync(join(folder, 'assets', 'index-1.js.gz'), gzipSync('/* entry */'))
afterAll(() => rmSync(folder, { recursive: true }))

const insights = useInsights({ env: { PUBLIC_URL: 'https://example.com/onward' }, console: folder })

const SAFE = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
    "worker-src 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Headers whose values differ from answer to answer. */
const VARYING = ['x-request-id', 'date', 'etag', 'last-modified']

describe('the console', () => {
  it.each(['/console', '/console/', '/console/sign-in', '/console/w/acme/calls?outcome=error', '/console/.vite/manifest.json'])(
    'answers GET %s with the page and exactly these headers',
    async (path) => {
      const { headers, text } = await request(insights.url).get(path).expect(200)
      expect(text).toBe(
        '<script src="/onward/console/first.js"></script><script type="module" src="/onward/console/assets/index-1.js"></script>',
      )
      const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => !VARYING.includes(name)))
      expect(rest).toEqual({
        ...SAFE,
        'cache-control': 'no-cache',
        'content-type': 'text/html; charset=utf-8',
        'content-length': String(text.length),
        connection: 'close',
      })
    },
  )

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])('sends files to a browser that accepts %s as %s', async (accepted, encoding) => {
    const { headers } = await request(insights.url)
      .get('/console/assets/index-1.js')
      .set('accept-encoding', accepted)
      .expect(200, '/* entry */')
    expect(headers).toMatchObject({
      ...SAFE,
      'content-type': expect.stringMatching(/^text\/javascript; charset=utf-8$/i),
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'Accept-Encoding'])
  })

  it('lets browsers keep files with a hash in their name for a year, and asks for the others again', async () => {
    const { headers } = await request(insights.url).get('/console/assets/index-1.js').expect(200, '/* entry */')
    expect(headers).toMatchObject({
      ...SAFE,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringMatching(/^text\/javascript; charset=utf-8$/i),
    })
    const theme = await request(insights.url).get('/console/first.js').expect(200, '/* theme */')
    expect(theme.headers['cache-control']).toBe('no-cache')
    await request(insights.url).get('/console/first.js').set('if-none-match', String(theme.headers.etag)).expect(304)
  })

  it.each(['/console/assets/index-2.js', '/console/assets/', '/console/assets/..%2findex.html'])(
    'answers 404 and never the page for %s, which is no file',
    async (path) => {
      const { body } = await request(insights.url).get(path).expect(404).expect('content-type', /json/)
      expect(body.code).toBe('not_found')
    },
  )

  it('leaves /console/api to the API', async () => {
    await request(insights.url).get('/console/api/insights/unknown').expect('content-type', /json/)
  })
})

describe('a service without a built console', () => {
  const bare = useInsights()

  it('serves none', async () => {
    await request(bare.url).get('/console/').expect('content-type', /json/)
  })
})
