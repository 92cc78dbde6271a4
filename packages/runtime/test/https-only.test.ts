import { Agent, get } from 'node:https'
import request from 'supertest'
import { ConfigError, listen, openLog, publicApp, sendErrors } from '../src/index.ts'
import { selfSigned } from './certificate.ts'
import { openRequestLog } from './log-file.ts'

function openApp(trustedProxies: string[], allowPlainHttp = false) {
  const app = publicApp({ trustedProxies, allowPlainHttp }, openRequestLog())
  app.get('/', (req, res) => {
    res.json({ ip: req.ip })
  })
  return app.use(sendErrors(openLog('test', 'silent')))
}

const FORWARDED = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' }

describe('publicApp', () => {
  it('answers 403 to plain HTTP and does not redirect', async () => {
    const { status, headers, body } = await request(openApp([])).get('/')
    expect({ status, code: body.code, location: headers.location }).toEqual({ status: 403, code: 'https_required' })
  })

  it('answers plain HTTP when it is allowed', async () => {
    await request(openApp([], true)).get('/').expect(200)
  })

  it.each(['/', '/unknown', '/%zz'])('sends HSTS on every answer over HTTPS, and on none over plain HTTP: %s', async (path) => {
    const secure = await request(openApp(['127.0.0.1'], true))
      .get(path)
      .set(FORWARDED)
    expect(secure.headers['strict-transport-security']).toBe('max-age=31536000')
    for (const allowed of [true, false]) {
      expect((await request(openApp([], allowed)).get(path)).headers).not.toHaveProperty('strict-transport-security')
    }
  })

  it.each([['127.0.0.1'], ['127.0.0.0/8'], ['loopback'], ['10.0.0.0/8', '::ffff:127.0.0.1']])(
    'trusts a listed proxy: %s',
    async (...proxies) => {
      const { body } = await request(openApp(proxies)).get('/').set(FORWARDED).expect(200)
      expect(body.ip).toBe('198.51.100.7')
    },
  )

  it.each([[[]], [['10.0.0.0/8']], [['127.0.0.2', '::2']]])('does not trust a peer that is not listed: %j', async (proxies) => {
    await request(openApp(proxies)).get('/').set(FORWARDED).expect(403)
    const { body } = await request(openApp(proxies, true)).get('/').set(FORWARDED)
    expect(body.ip).toMatch(/127\.0\.0\.1$/)
  })

  it.each(['http', 'HTTPSX', '', 'http, https'])('answers 403 when the proxy received the request over %j', async (proto) => {
    await request(openApp(['127.0.0.1']))
      .get('/')
      .set('x-forwarded-proto', proto)
      .expect(403)
  })

  it.each([
    ['forwarded', 'proto=https'],
    ['x-forwarded-ssl', 'on'],
    ['x-forwarded-protocol', 'https'],
    ['front-end-https', 'on'],
  ])('ignores other headers: %s: %s', async (name, value) => {
    await request(openApp(['127.0.0.1']))
      .get('/')
      .set(name, value)
      .expect(403)
  })

  it('uses the address that the last trusted proxy saw as the address of the peer', async () => {
    const spoofed = { ...FORWARDED, 'x-forwarded-for': '192.0.2.1, 198.51.100.7' }
    const { body } = await request(openApp(['127.0.0.1']))
      .get('/')
      .set(spoofed)
    expect(body.ip).toBe('198.51.100.7')
  })

  it('does not reveal its software in a header', async () => {
    const { headers } = await request(openApp([], true)).get('/')
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('etag')
  })

  it('throws for a proxy setting that is no address', () => {
    expect(() => openApp(['everyone'])).toThrow(ConfigError)
    expect(() => openApp(['everyone'])).toThrow(/^TRUSTED_PROXIES must hold addresses or subnets/)
  })
})

describe('listen with a certificate', () => {
  const tls = selfSigned()

  it('answers over TLS, whatever the headers claim', async () => {
    const server = await listen(openApp([]), '127.0.0.1', 0, tls)
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const agent = new Agent({ ca: tls.cert as string })
    const status = await new Promise((resolve, reject) => {
      get(server.url, { agent, headers: { 'x-forwarded-proto': 'http' } }, (res) => resolve(res.resume().statusCode)).on('error', reject)
    })
    expect(status).toBe(200)
    agent.destroy()
    await server.close(0)
  })

  it('throws when the certificate and the key do not match', async () => {
    await expect(listen(openApp([]), '127.0.0.1', 0, { ...tls, key: selfSigned().key })).rejects.toThrow(/key values mismatch/)
  })
})
