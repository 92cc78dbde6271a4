import express from 'express'
import request from 'supertest'
import { contentPolicy, html, raw, readCookie, renderPage, setCookie } from '../src/index.ts'

describe('a page', () => {
  it('contains texts that cannot become markup', () => {
    const text = `"><script>alert('&')</script>`
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;'
    expect(html`<p title="${text}">${text}</p>`.markup).toBe(`<p title="${escaped}">${escaped}</p>`)
    expect(renderPage({ title: text, meta: {}, head: [], body: html`${text}` })).not.toContain('<script')
  })

  it('contains markup in markup, and nothing for what is missing', () => {
    expect(html`${false}${undefined}${0}${[raw('<b>'), html`${'<'}`]}`.markup).toBe('0<b>\n&lt;')
  })

  it('loads only what its policy names', () => {
    expect(contentPolicy({ 'img-src': 'data:', 'form-action': `'self'` })).toBe(
      "default-src 'none'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
  })
})

describe('a cookie', () => {
  const app = express()
  app.get('/set', (_req, res) => {
    setCookie(res, 'a', 'x', { secure: true, expires: new Date(2e12) })
    setCookie(res, 'b', null, { secure: false, sameSite: 'lax' })
    res.end()
  })
  app.get('/read', (req, res) => {
    res.json([readCookie(req, 'a', true) ?? null, readCookie(req, 'a', false) ?? null])
  })

  it('belongs to this host alone over HTTPS, and is hidden from scripts', async () => {
    const { headers } = await request(app).get('/set')
    expect(headers['set-cookie']).toEqual([
      '__Host-a=x; Path=/; Expires=Wed, 18 May 2033 03:33:20 GMT; HttpOnly; Secure; SameSite=Strict',
      'b=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    ])
  })

  it('is not read if it was sent twice', async () => {
    await request(app).get('/read').set('Cookie', 'a=1; __Host-a=x=y; c').expect(200, ['x=y', '1'])
    await request(app).get('/read').set('Cookie', 'a=1; a=2').expect(200, [null, null])
  })
})
