import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { openPoster } from '../src/index.ts'
import { selfSigned } from './certificate.ts'
import { openDnsServer } from './dns-server.ts'
import { openTestClient, PRIVATE_HOSTS } from './outgoing.ts'

let target: ScriptedServer
let proxy: Awaited<ReturnType<typeof openProxy>>
let refusal: string | undefined

/** A proxy that connects only with its credentials, and records the targets. */
async function openProxy() {
  const targets: string[] = []
  const server = createServer()
  server.on('connect', (request, socket) => {
    socket.on('error', () => {})
    targets.push(String(request.url))
    const isKnown = request.headers['proxy-authorization'] === `Basic ${Buffer.from('me:p@ss').toString('base64')}`
    const refused = isKnown ? refusal : '407 Proxy Authentication Required'
    if (refused !== undefined) {
      socket.end(`HTTP/1.1 ${refused}\r\n\r\n`)
      return
    }
    const { port } = new URL(`http://${request.url}`)
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { targets, host, url: `http://me:p%40ss@${host}`, close: () => new Promise((resolve) => server.close(resolve)) }
}

beforeAll(async () => {
  target = await openScriptedServer()
  proxy = await openProxy()
})
beforeEach(() => {
  refusal = undefined
  proxy.targets.length = 0
})
afterAll(async () => {
  await target.close()
  await proxy.close()
})

describe('a client with a proxy', () => {
  it('connects through it, to the address of the host', async () => {
    const client = openTestClient({ proxyUrl: proxy.url })
    const { port } = new URL(target.url)
    target.respond((_received, response) => sendJson(response, 200, { ok: true }))
    expect(JSON.parse(String((await client.get(`http://localhost:${port}/a`)).data))).toEqual({ ok: true })
    await client.get(`${target.url}/b`)
    expect([...proxy.targets].sort()).toEqual(
      [`127.0.0.1:${port}`, expect.stringMatching(new RegExp(`^(127\\.0\\.0\\.1|\\[::1\\]):${port}$`))].sort(),
    )
    expect(target.received.at(-1)?.headers).not.toHaveProperty('proxy-authorization')
    await client.close()
  })

  it('checks the certificate of the host through the tunnel', async () => {
    const server = createTlsServer(selfSigned(), (_request, response) => response.end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const client = openTestClient({ proxyUrl: proxy.url })
    const { port } = server.address() as AddressInfo
    await expect(client.get(`https://localhost:${port}/`)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(proxy.targets).toHaveLength(1)
    await client.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it('opens no tunnel to an address that is not public', async () => {
    let addresses = ['10.0.0.1']
    const dns = await openDnsServer((_name, type) => (type === 'A' ? addresses : []))
    const client = openTestClient({ reach: 'public', proxyUrl: proxy.url })
    for (const host of PRIVATE_HOSTS) expect(await client.failure(`https://${host}/`)).toEqual({ kind: 'blocked', sent: false })
    expect(await client.failure('https://private.example/')).toEqual({ kind: 'blocked', sent: false })
    expect(await client.failure('http://8.8.8.8/')).toEqual({ kind: 'blocked', sent: false })
    expect(proxy.targets).toEqual([])
    // The proxy gets the address that was checked, and cannot look up another one.
    addresses = ['8.8.8.8']
    refusal = '403 Forbidden'
    expect(await client.failure('https://public.example/')).toEqual({ kind: 'unreachable', sent: false, proxy: true })
    expect(proxy.targets).toEqual(['8.8.8.8:443'])
    await client.close()
    await dns.close()
  })

  it('names the proxy, without its credentials, when the proxy is at fault', async () => {
    const messageOf = async (proxyUrl: string) => {
      const client = openTestClient({ proxyUrl })
      const err: Error & { code?: string } = await client.get(target.url).then(
        () => new Error('it connected'),
        (reason) => reason,
      )
      await client.close()
      expect([err.code, err.message]).toEqual(['EPROXY', expect.not.stringContaining('p@ss')])
      return err.message
    }
    expect(await messageOf(`http://me:wrong@${proxy.host}`)).toMatch(/^the outgoing proxy 127\.0\.0\.1:\d+ refused to connect to .*407/)
    refusal = '502 Bad Gateway'
    expect(await messageOf(proxy.url)).toContain('502 Bad Gateway')
    expect(await messageOf('http://me:p%40ss@127.0.0.1:1')).toBe('the outgoing proxy 127.0.0.1:1 cannot be reached (ECONNREFUSED)')
  })

  it('sends webhooks through it', async () => {
    const poster = openPoster({ reach: 'local', deadlineMs: 2_000, connections: 4, maxResponseBytes: 1_000, proxyUrl: proxy.url })
    expect(await poster.post(`${target.url}/hook`, {}, '{}')).toMatchObject({ status: 200 })
    refusal = '403 Forbidden'
    const other = openPoster({ reach: 'local', deadlineMs: 2_000, connections: 4, maxResponseBytes: 1_000, proxyUrl: proxy.url })
    expect(await other.post(`${target.url}/hook`, {}, '{}')).toEqual({ failure: 'unreachable', code: 'EPROXY' })
    expect(proxy.targets).toHaveLength(2)
    await poster.close()
    await other.close()
  })
})
