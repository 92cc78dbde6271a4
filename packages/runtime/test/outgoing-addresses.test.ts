import dns from 'node:dns'
import { openTestClient } from './outgoing-client.ts'
import { PRIVATE_HOSTS } from './private-hosts.ts'
import { openTcpServer, type TcpServer } from './tcp-server.ts'

const BLOCKED = { kind: 'blocked', sent: false }

describe('a client with reach public', () => {
  const client = openTestClient({ reach: 'public' })
  let server: TcpServer
  beforeAll(async () => {
    server = await openTcpServer((socket) => socket.destroy(), '::')
  })
  afterEach(() => jest.restoreAllMocks())
  afterAll(async () => {
    await client.close()
    await server.close()
  })

  it.each(PRIVATE_HOSTS)('opens no socket to %s', async (host) => {
    expect(await client.failure(`https://${host}:${server.port}/`)).toEqual(BLOCKED)
    expect(await client.failure(`http://${host}:${server.port}/`)).toEqual(BLOCKED)
    expect(server.made).toBe(0)
  })

  it.each(['localhost', 'LOCALHOST', 'ⓛocalhost'])('opens no socket to the name %s, that resolves to loopback', async (host) => {
    expect(await client.failure(`https://${host}:${server.port}/`)).toEqual(BLOCKED)
    expect(server.made).toBe(0)
  })

  it.each([
    [['127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['2606:4700:4700::1111', '::1']],
    [['8.8.8.8', '::ffff:127.0.0.1']],
    [['8.8.8.8', '64:ff9b::7f00:1']],
    [[]],
  ])('opens no socket to a name that resolves to %j', async (addresses) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((_name: string, _options: object, done: (err: null, found: object) => void) => done(null, found)) as never)
    expect(await client.failure(`https://rebound.example:${server.port}/`)).toEqual(BLOCKED)
    expect(server.made).toBe(0)
  })

  it('speaks https only', async () => {
    expect(await client.failure(`http://8.8.8.8:${server.port}/`)).toEqual(BLOCKED)
  })

  it('calls a name that does not resolve unreachable', async () => {
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((_name: string, _options: object, done: (err: Error) => void) =>
        done(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))) as never)
    expect(await client.failure('https://nowhere.example/')).toEqual({ kind: 'unreachable', sent: false })
  })
})

describe('a client with reach local', () => {
  it.each(['127.0.0.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])(
    'does reach that server at %s, so that the above shows something',
    async (host) => {
      const server = await openTcpServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'), '::')
      const client = openTestClient()
      expect((await client.get(`http://${host}:${server.port}/`)).status).toBe(204)
      expect(server.made).toBeGreaterThan(0)
      await client.close()
      await server.close()
    },
  )
})
