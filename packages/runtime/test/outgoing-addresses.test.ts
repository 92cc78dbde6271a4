import { type DnsServer, openDnsServer } from './dns-server.ts'
import { openTestClient, PRIVATE_HOSTS } from './outgoing.ts'
import { EVERY_ADDRESS, itWithIpv6, openTcpServer, type TcpServer } from './tcp.ts'

const BLOCKED = { kind: 'blocked', sent: false }

describe('a client with reach public', () => {
  let client: ReturnType<typeof openTestClient>
  let dns: DnsServer
  let server: TcpServer
  let addresses: readonly string[] | number = []
  beforeAll(async () => {
    server = await openTcpServer((socket) => socket.destroy(), EVERY_ADDRESS)
    dns = await openDnsServer((_name, type) =>
      typeof addresses === 'number' ? addresses : addresses.filter((address) => address.includes(':') === (type === 'AAAA')),
    )
    client = openTestClient({ reach: 'public' })
  })
  afterAll(async () => {
    await client.close()
    await dns.close()
    await server.close()
  })

  it.each(PRIVATE_HOSTS)('opens no socket to %s', async (host) => {
    expect(await client.failure(`https://${host}:${server.port}/`)).toEqual(BLOCKED)
    expect(await client.failure(`http://${host}:${server.port}/`)).toEqual(BLOCKED)
    expect(server.made).toBe(0)
  })

  it.each([
    'localhost',
    'LOCALHOST',
    'ⓛocalhost',
    'localhost.',
    'db.localhost',
    'printer.local',
    'metadata.google.internal',
    'nas.home.arpa',
  ])('opens no socket to the name %s and asks no name server for it', async (host) => {
    addresses = ['8.8.8.8']
    dns.asked.length = 0
    expect(await client.failure(`https://${host}:${server.port}/`)).toEqual(BLOCKED)
    expect(server.made).toBe(0)
    expect(dns.asked).toEqual([])
  })

  it.each([
    [['127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['2606:4700:4700::1111', '::1']],
    [['8.8.8.8', '::1']],
    [['127.0.0.1', '2606:4700:4700::1111']],
    [['8.8.8.8', '::ffff:127.0.0.1']],
    [['8.8.8.8', '64:ff9b::7f00:1']],
  ])('opens no socket to a name that resolves to %j', async (found) => {
    addresses = found
    expect(await client.failure(`https://rebound.example:${server.port}/`)).toEqual(BLOCKED)
    expect(server.made).toBe(0)
  })

  it('looks up a name of one label unchanged, and opens no socket to a private address of it', async () => {
    addresses = ['169.254.169.254']
    dns.asked.length = 0
    expect(await client.failure('https://metadata/')).toEqual(BLOCKED)
    expect(new Set(dns.asked)).toEqual(new Set(['metadata A', 'metadata AAAA']))
  })

  it('does not speak plain HTTP', async () => {
    expect(await client.failure(`http://8.8.8.8:${server.port}/`)).toEqual(BLOCKED)
  })

  it.each([
    ['without addresses', []],
    ['that does not exist', 3],
    ['whose name servers fail', 2],
  ])('reports a name %s as unreachable', async (_what, response) => {
    addresses = response
    expect(await client.failure('https://nowhere.example/')).toEqual({ kind: 'unreachable', sent: false })
  })

  it.each(['a..b', `${'x'.repeat(64)}.example`, `${'x.'.repeat(200)}example`])(
    'reports an invalid name as unreachable: %s',
    async (host) => {
      expect(await client.failure(`https://${host}/`)).toEqual({ kind: 'unreachable', sent: false })
    },
  )
})

describe('a client with reach local', () => {
  const name = 'reaches the same server at %s, which shows that the guard is what blocks above'

  async function reach(host: string): Promise<void> {
    const server = await openTcpServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'), EVERY_ADDRESS)
    const client = openTestClient()
    expect((await client.get(`http://${host}:${server.port}/`)).status).toBe(204)
    expect(server.made).toBeGreaterThan(0)
    await client.close()
    await server.close()
  }

  it.each(['127.0.0.1', '2130706433', 'localhost'])(name, reach)
  itWithIpv6.each(['[::1]', '[::ffff:127.0.0.1]'])(name, reach)
})
