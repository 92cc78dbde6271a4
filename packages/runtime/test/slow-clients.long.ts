import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { eventually } from '@onward/testbed'
import express from 'express'
import { type Listening, listen } from '../src/index.ts'
import { selfSigned } from './certificate.ts'

jest.setTimeout(600_000)
const WAIT_MS = 180_000

describe.each([
  ['plain HTTP', undefined],
  ['HTTPS', selfSigned()],
])('a server of %s', (_name, tls) => {
  let server: Listening
  let ended = 0
  let release = () => {}
  const clients: Socket[] = []

  beforeAll(async () => {
    const app = express()
    app.get('/', (_req, res) => void res.send('done'))
    app.get('/large', (req, res) => {
      req.socket.once('close', () => ended++)
      res.send(Buffer.alloc(20_000_000, 'x'))
    })
    app.get('/late', async (_req, res) => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      res.send('late')
    })
    server = await listen(app, '127.0.0.1', 0, tls)
  })
  afterAll(async () => {
    for (const client of clients) client.destroy()
    await server.close(0)
  })

  function open(text: string): Socket {
    const target = { port: Number(new URL(server.url).port), host: '127.0.0.1' }
    const client = tls === undefined ? connect(target) : connectTls({ ...target, rejectUnauthorized: false })
    client.on('error', () => {}).write(text)
    clients.push(client)
    return client
  }
  const get = (path: string) => open(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)

  it('ends connections whose clients read nothing, but not those of slow readers and slow handlers', async () => {
    let response = ''
    get('/late').on('data', (data) => {
      response += data
    })
    let read = 0
    const from = Date.now()
    const reader = get('/large').on('data', (data) => {
      read += data.length
      // 20 MB take 40 s, longer than the 30 s that a connection may make no progress. On a busy machine, no pauses are added to that.
      reader.pause()
      setTimeout(() => reader.resume(), from + read / 500 - Date.now())
    })
    for (let i = 0; i < 20; i++) get('/large').pause()
    await eventually(() => expect(ended).toBe(20), WAIT_MS)
    await eventually(() => expect(read).toBeGreaterThan(20_000_000), WAIT_MS)
    expect(ended).toBe(20)
    release()
    await eventually(() => expect(response).toContain('late'), WAIT_MS)
  })

  it('serves others while a client has 1,000 connections that send one byte per second, and ends these', async () => {
    const other = get('/')
    let answers = 0
    other.on('data', () => answers++)
    await eventually(() => expect(answers).toBe(1))
    let open1000 = 1_000
    const slow = Array.from({ length: 1_000 }, () => {
      const client = open('GET / HTTP/1.1\r\nA: ')
      client.resume().once('close', () => open1000--)
      return client
    })
    const sending = setInterval(() => slow.forEach((client) => void client.write('A')), 1_000)
    const asking = setInterval(() => void other.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), 1_000)
    await eventually(() => expect(open1000).toBe(0), WAIT_MS)
    clearInterval(sending)
    clearInterval(asking)
    expect(answers).toBeGreaterThan(5)
  })
})
