import { eventually, openScriptedServer, type ScriptedServer } from '@onward/testbed'
import { openTestClient } from './outgoing.ts'
import { openTcpServer } from './tcp.ts'

let server: ScriptedServer
const client = openTestClient()
beforeAll(async () => {
  server = await openScriptedServer()
})
afterAll(async () => {
  await Promise.all([client.close(), server.close()])
})

const last = () => server.received.at(-1)

describe('a request', () => {
  it('has the given headers and five default ones', async () => {
    await client.get(`${server.url}/path?a=1`, { headers: { authorization: 'Bearer x' } })
    expect(last()).toMatchObject({ method: 'GET', url: '/path?a=1', body: '' })
    expect(last()?.headers).toEqual({
      host: new URL(server.url).host,
      connection: 'keep-alive',
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'Onward',
      'cdn-loop': 'onward',
      authorization: 'Bearer x',
    })
  })

  it('can replace the default headers', async () => {
    await client.get(server.url, { headers: { 'User-Agent': 'other', Accept: 'text/plain' } })
    expect(last()?.headers).toMatchObject({ 'user-agent': 'other', accept: 'text/plain' })
  })

  it.each(['post', 'put', 'patch', 'delete'])('sends its body unchanged: %s', async (method) => {
    const data = '{"a": "é", "a": 1}'
    await client.http.request({ method, url: server.url, data, headers: { 'content-type': 'application/json' } })
    expect(last()).toMatchObject({ method: method.toUpperCase(), body: data })
    expect(last()?.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(data)) })
  })

  it('sends its path unchanged', async () => {
    await client.get(`${server.url}/a%2Fb/%C3%A9?x=%26&y=+`)
    expect(last()?.url).toBe('/a%2Fb/%C3%A9?x=%26&y=+')
  })

  it('cannot be split into two by a line break in a header', async () => {
    const before = server.received.length
    await client.get(server.url, { headers: { 'x-a': 'b\r\nx-injected: yes\r\n\r\nGET /second HTTP/1.1' } }).catch(() => {})
    for (const { url, headers } of server.received.slice(before)) {
      expect(url).toBe('/')
      expect(headers).not.toHaveProperty('x-injected')
    }
    expect(server.received.length - before).toBeLessThanOrEqual(1)
  })

  it('ignores proxy settings in the environment', async () => {
    const proxy = await openTcpServer((socket) => socket.destroy())
    const before = { ...process.env }
    const url = `http://127.0.0.1:${proxy.port}`
    const settings = { HTTP_PROXY: url, http_proxy: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: '' }
    Object.assign(process.env, settings)
    const other = openTestClient()
    try {
      expect((await other.get(server.url)).status).toBe(200)
      expect(proxy.made).toBe(0)
    } finally {
      for (const name of Object.keys(settings)) delete process.env[name]
      Object.assign(process.env, before)
      await other.close()
      await proxy.close()
    }
  })

  it('shares connections with other requests to the same origin', async () => {
    const response = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
    const counting = await openTcpServer((socket) => socket.on('data', () => socket.write(response)))
    for (let i = 0; i < 10; i++) await client.get(`http://127.0.0.1:${counting.port}/`)
    expect(counting.made).toBeLessThan(4)
    await counting.close()
  })

  it('leaves no connection open after its client is closed', async () => {
    const counting = await openTcpServer((socket) => socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n')))
    const other = openTestClient()
    await other.get(`http://127.0.0.1:${counting.port}/`)
    expect(counting.open).toBe(1)
    await other.close()
    await eventually(() => expect(counting.open).toBe(0))
    await counting.close()
  })
})
