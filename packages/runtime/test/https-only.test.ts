import { Agent, get } from 'node:https'
import request from 'supertest'
import { answerErrors, ConfigError, listen, openLog, publicApp } from '../src/index.ts'
import { selfSigned } from './certificate.ts'

function openApp(trustedProxies: string[], allowPlainHttp = false) {
  const app = publicApp({ trustedProxies, allowPlainHttp })
  app.get('/', (req, res) => {
    res.json({ ip: req.ip })
  })
  return app.use(answerErrors(openLog('test', 'silent')))
}

const FORWARDED = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' }

describe('publicApp', () => {
  it('answers 403 to plain HTTP, and does not redirect', async () => {
    const { status, headers, body } = await request(openApp([])).get('/')
    expect({ status, code: body.code, location: headers.location }).toEqual({ status: 403, code: 'https_required' })
  })

  it('answers plain HTTP where that is allowed', async () => {
    await request(openApp([], true)).get('/').expect(200)
  })

  it.each([['127.0.0.1'], ['127.0.0.0/8'], ['loopback'], ['10.0.0.0/8', '::ffff:127.0.0.1']])(
    'believes a proxy that is listed: %s',
    async (...proxies) => {
      const { body } = await request(openApp(proxies)).get('/').set(FORWARDED).expect(200)
      expect(body.ip).toBe('198.51.100.7')
    },
  )

  it.each([[[]], [['10.0.0.0/8']], [['127.0.0.2', '::2']]])('does not believe a peer that is not: %j', async (proxies) => {
    await request(openApp(proxies)).get('/').set(FORWARDED).expect(403)
    const { body } = await request(openApp(proxies, true)).get('/').set(FORWARDED)
    expect(body.ip).toMatch(/127\.0\.0\.1$/)
  })

  it.each(['http', 'HTTPSX', '', 'http, https'])('answers 403 when the proxy was asked over %j', async (proto) => {
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
  ])('reads no other header: %s: %s', async (name, value) => {
    await request(openApp(['127.0.0.1']))
      .get('/')
      .set(name, value)
      .expect(403)
  })

  it('takes the address that the last trusted proxy saw for the peer', async () => {
    const spoofed = { ...FORWARDED, 'x-forwarded-for': '192.0.2.1, 198.51.100.7' }
    const { body } = await request(openApp(['127.0.0.1']))
      .get('/')
      .set(spoofed)
    expect(body.ip).toBe('198.51.100.7')
  })

  it('does not say what it runs on', async () => {
    const { headers } = await request(openApp([], true)).get('/')
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('etag')
  })

  it('refuses a setting that is no address', () => {
    expect(() => openApp(['everyone'])).toThrow(ConfigError)
    expect(() => openApp(['everyone'])).toThrow(/^TRUSTED_PROXIES must hold addresses or subnets/)
  })
})

describe('listen, with a certificate', () => {
  const tls = selfSigned()

  it('answers over TLS of its own, whatever a header claims', async () => {
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

  it('fails at once when certificate and key do not belong together', async () => {
    await expect(listen(openApp([]), '127.0.0.1', 0, { ...tls, key: selfSigned().key })).rejects.toThrow(/key values mismatch/)
  })
})
