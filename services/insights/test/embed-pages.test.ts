import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { PARENT, useEmbedding } from './embedding.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

const folder = mkdtempSync(join(tmpdir(), 'onward-embed-'))
mkdirSync(join(folder, 'embed/assets'), { recursive: true })
writeFileSync(join(folder, 'index.html'), '<title>Console</title>')
writeFileSync(
  join(folder, 'embed/embed.html'),
  '<meta name="onward-embed" content=""><script type="module" src="./assets/index-1.js"></script>',
)
writeFileSync(join(folder, 'embed/assets/index-1.js'), '/* entry */')
afterAll(() => rmSync(folder, { recursive: true }))

const insights = useInsights({ env: { PUBLIC_URL: 'https://example.com/onward' }, console: folder })
const workspace = useWorkspace(insights)
const embedding = useEmbedding(insights, workspace)

const create = async (body?: object) => (await embedding.create(body).expect(200)).body
const ancestorsOf = (headers: Record<string, unknown>) => /frame-ancestors ([^;]+)/.exec(String(headers['content-security-policy']))?.[1]
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string) => text.replaceAll(/&([#\w]+);/g, (_, name: string) => ENTITIES[name] ?? '')
const settingsOf = (text: string) => JSON.parse(unescaped(/content="([^"]*)"/.exec(text)?.[1] ?? ''))

describe('the page of a session', () => {
  it('is answered under the public address, with exactly these headers', async () => {
    const { session_id, url } = await create()
    expect(url).toMatch(new RegExp(`^https://example.com/onward/embed/${session_id}#code=`))
    const { headers, text } = await embedding.page(session_id).expect(200)
    expect(text).toContain('src="/onward/embed/assets/index-1.js"')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
        "worker-src 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    })
    expect(headers['x-frame-options']).toBeUndefined()
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('may be shown in a frame by the origins of its application, or by those of the link', async () => {
    await embedding.allow([PARENT, 'https://other.example.com'])
    const [all, one, none] = [await create(), await create({ parent_origins: [PARENT] }), await create({ parent_origins: [] })]
    const ancestors = async ({ session_id }: { session_id: string }) => ancestorsOf((await embedding.page(session_id)).headers)
    expect(await ancestors(all)).toBe(`${PARENT} https://other.example.com`)
    expect(await ancestors(one)).toBe(PARENT)
    expect(await ancestors(none)).toBe(`'none'`)
    await embedding.allow(['https://other.example.com'])
    expect(await ancestors(all)).toBe('https://other.example.com')
    expect(await ancestors(one)).toBe(`'none'`)
  })

  it('contains where it may be shown, where it leads back and its language, as text that cannot become markup', async () => {
    await embedding.allow([PARENT])
    const return_url = `https://app.example.com/?a="><script>alert('1')</script>&b`
    const { session_id } = await create({ return_url, locale: 'de-CH' })
    const { text } = await embedding.page(session_id).expect(200)
    expect(settingsOf(text)).toEqual({ parent_origins: [PARENT], return_url, locale: 'de-CH' })
    expect(text.match(/<script/g)).toHaveLength(1)
  })

  it('still leads back after its session was ended', async () => {
    const { session_id } = await create({ return_url: 'https://app.example.com/' })
    await embedding.end(session_id).expect(200)
    expect(settingsOf((await embedding.page(session_id).expect(200)).text).return_url).toBe('https://app.example.com/')
  })

  it('does not exist after the application was deleted', async () => {
    const { session_id } = await create({ return_url: 'https://app.example.com/' })
    await insights.admin.delete(`/admin/applications/${workspace.appKey}`).expect(200)
    expect(settingsOf((await embedding.page(session_id).expect(404)).text).return_url).toBeNull()
  })

  it.each(['00000000-0000-4000-8000-000000000000', 'x', 'api'])('is shown in no frame if there is no session %s', async (id) => {
    const { headers, text } = await embedding.page(id).expect(404).expect('content-type', /html/)
    expect(ancestorsOf(headers)).toBe(`'none'`)
    expect(settingsOf(text)).toEqual({ parent_origins: [], return_url: null, locale: null })
  })

  it('is counted against the limit of its address', async () => {
    const { headers } = await embedding.page('x')
    expect(headers['ratelimit-policy']).toBe('"address";q=600;w=60')
  })
})

describe('the files of the page', () => {
  it('are kept for a year, and a missing one is never answered with the page', async () => {
    const { headers } = await request(insights.url).get('/embed/assets/index-1.js').expect(200, '/* entry */')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    await request(insights.url).get('/embed/assets/index-2.js').expect(404).expect('content-type', /json/)
  })
})

describe('the console', () => {
  it('stays without frames', async () => {
    await embedding.allow([PARENT])
    const { headers } = await request(insights.url).get('/console/').expect(200)
    expect(ancestorsOf(headers)).toBe(`'none'`)
  })
})
