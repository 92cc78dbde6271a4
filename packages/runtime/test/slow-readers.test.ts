import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { eventually } from '@onward/testbed'
import express from 'express'
import { type Listening, listen } from '../src/index.ts'
import { selfSigned } from './certificate.ts'

const RESPONSE = Buffer.alloc(20_000_000, 'x')

/** The connections of the server, each as it received its request. */
const served: Socket[] = []
let release = () => {}
const app = express()
app.get('/large', (req, res) => {
  served.push(req.socket)
  res.send(RESPONSE)
})
app.get('/slow', async (req, res) => {
  served.push(req.socket)
  await new Promise<void>((resolve) => {
    release = resolve
  })
  res.send('done')
})

describe.each([
  ['plain HTTP', undefined],
  ['HTTPS', selfSigned()],
])('a connection over %s', (_name, tls) => {
  let server: Listening
  beforeAll(async () => {
    server = await listen(app, '127.0.0.1', 0, tls)
  })
  afterAll(async () => await server.close(0))

  /** Sends a request and reads nothing. Returns both ends of the connection. */
  async function ask(path: string): Promise<{ client: Socket; peer: Socket }> {
    const before = served.length
    const target = { port: Number(new URL(server.url).port), host: '127.0.0.1' }
    const client = tls === undefined ? connect(target) : connectTls({ ...target, rejectUnauthorized: false })
    client.on('error', () => {}).pause()
    client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await eventually(() => expect(served.length).toBe(before + 1))
    return { client, peer: served[before] as Socket }
  }

  it('ends when its client reads nothing of a large answer for a while', async () => {
    const { client, peer } = await ask('/large')
    await eventually(() => expect(peer.writableLength).toBeGreaterThan(1_000_000))
    expect(peer.timeout).toBe(30_000)
    // The timer of 30 s would do this; `slow-clients.long.ts` waits for it.
    peer.emit('timeout')
    expect(peer.destroyed).toBe(true)
    client.destroy()
  })

  it('stays open while the handler works, however long that takes', async () => {
    const { client, peer } = await ask('/slow')
    peer.emit('timeout')
    expect(peer.destroyed).toBe(false)
    release()
    const [response] = await once(client.resume(), 'data')
    expect(String(response)).toMatch(/^HTTP\/1.1 200 /)
    client.destroy()
  })
})
