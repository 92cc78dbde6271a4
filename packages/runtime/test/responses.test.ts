import type { Express, Response } from 'express'
import request from 'supertest'
import { openLog, publicApp, Refusal, sendErrors } from '../src/index.ts'
import { openRequestLog } from './log-file.ts'

let app: Express
const sizes: number[] = []

beforeAll(() => {
  const before = (_res: Response, bytes: number) => {
    sizes.push(bytes)
    if (bytes > 1_000) throw new Refusal('too_much_in_flight', 'there is no room for the response')
  }
  app = publicApp({ trustedProxies: [], allowPlainHttp: true }, openRequestLog(), before)
  app.get('/value', (_req, res) => void res.json({ name: 'Zoë' }))
  app.get('/problem', (_req, res) => void res.status(400).type('application/problem+json').json({ title: 'no' }))
  app.get('/page', (_req, res) => void res.type('html').send('<p>Zoë</p>'))
  app.get('/large', (_req, res) => void res.json('x'.repeat(2_000)))
  app.use(sendErrors(openLog('test', 'silent')))
})
beforeEach(() => void sizes.splice(0))

describe('an answer', () => {
  it('is JSON in UTF-8, and is counted in bytes', async () => {
    const { text, headers } = await request(app).get('/value').expect(200)
    expect([text, headers['content-type'], headers['content-length']]).toEqual([
      '{"name":"Zoë"}',
      'application/json; charset=utf-8',
      String(Buffer.byteLength('{"name":"Zoë"}')),
    ])
    expect(sizes).toEqual([Buffer.byteLength('{"name":"Zoë"}')])
  })

  it('keeps the status and the content type that its route has set', async () => {
    const { status, headers } = await request(app).get('/problem')
    expect([status, headers['content-type']]).toEqual([400, expect.stringContaining('application/problem+json')])
  })

  it('to HEAD has the same headers and no body', async () => {
    const { text, headers } = await request(app).head('/value').expect(200)
    expect([text ?? '', headers['content-length']]).toEqual(['', String(Buffer.byteLength('{"name":"Zoë"}'))])
  })

  it('is counted if it is a text, too', async () => {
    await request(app).get('/page').expect(200, '<p>Zoë</p>')
    expect(sizes).toEqual([Buffer.byteLength('<p>Zoë</p>')])
  })

  it('is an error if there is no room for it', async () => {
    const { status, body } = await request(app).get('/large')
    expect([status, body.code]).toEqual([429, 'too_much_in_flight'])
  })
})
