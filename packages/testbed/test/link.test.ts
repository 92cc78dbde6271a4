import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { eventually, type Hold, type Link, openLink } from '../src/index.ts'

/** What one end of a connection has received so far. */
type End = { readonly socket: Socket; text: string; closed: boolean }

const clients: End[] = []
const accepted: End[] = []
const server = createServer((socket) => accepted.push(watch(socket)))
let link: Link

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

beforeEach(async () => {
  link = await openLink(urlOf(server))
})

afterEach(async () => {
  await link.close()
  for (const { socket } of [...clients.splice(0), ...accepted.splice(0)]) socket.destroy()
})

afterAll(() => server.close())

describe('a link', () => {
  it('withholds everything during a stall, and then delivers it in order without a reset', async () => {
    const [client, peer] = await open()
    link.set({ kind: 'stall' })
    client.socket.write('one ')
    peer.socket.write('two ')
    const [late, latePeer] = [dial(), () => accepted[1]]
    late.socket.write('three')
    // Another link shows that bytes would have arrived by now.
    await roundTrip()
    expect([client.text, peer.text, latePeer()?.text]).toEqual(['', '', ''])

    client.socket.write('four')
    link.set({ kind: 'normal' })
    await eventually(() => expect([client.text, peer.text, latePeer()?.text]).toEqual(['two ', 'one four', 'three']))
    expect(client.closed || peer.closed).toBe(false)
  })

  it('keeps silent connections silent for ever and hides their end, while new ones work', async () => {
    const [client, peer] = await open()
    expect(link.silence()).toBe(1)
    client.socket.write('lost')
    const [next, nextPeer] = await open()
    link.set({ kind: 'stall' })
    link.set({ kind: 'normal' })
    client.socket.destroy()
    next.socket.write('heard')
    await eventually(() => expect(nextPeer.text).toBe('heard'))
    await roundTrip()
    expect(peer).toMatchObject({ text: '', closed: false })
    expect(link.silence()).toBe(1)
  })

  it.each([
    ['deliver', 'done', false],
    ['silence', '', false],
    ['cut', '', true],
  ] as const)('withholds the response to a statement, and can then %s', async (then, text, closed) => {
    const [client, peer] = await open()
    const hold = link.hold(['insert', 'commit'], 'response')
    client.socket.write('insert')
    await eventually(() => expect(peer.text).toBe('insert'))
    client.socket.write('commit')
    await eventually(() => expect(peer.text).toBe('insertcommit'))
    peer.socket.write('done')
    await hold.held
    expect(client.text).toBe('')
    hold.end(then)
    await roundTrip()
    await eventually(() => expect({ text: client.text, closed: client.closed }).toEqual({ text, closed }))
  })

  it.each([
    ['deliver', 'the client has closed it', (client: End) => void client.socket.destroy()],
    ['heal', 'the client has closed it', (client: End) => void client.socket.destroy()],
    ['deliver', 'the link has reset it', (_client: End, hold: Hold) => hold.resetClient()],
  ] as const)('withholds a request while its connection is silent, and can %s it although %s', async (then, _who, close) => {
    const [client, peer] = await open()
    const hold = link.hold(['insert'], 'request')
    client.socket.write('insert')
    await hold.held
    close(client, hold)
    await eventually(() => expect(client.closed).toBe(true))
    await roundTrip()
    expect(peer).toMatchObject({ text: '', closed: false })
    if (then === 'heal') link.heal()
    else hold.end(then)
    await eventually(() => expect(peer).toMatchObject({ text: 'insert', closed: true }))
  })

  it('heals silent connections, which then stay open, and does not hold the response to a request that it held', async () => {
    const [client, peer] = await open()
    const hold = link.hold(['insert'], 'request')
    client.socket.write('insert')
    await hold.held
    link.heal()
    await eventually(() => expect(peer.text).toBe('insert'))
    peer.socket.write('done')
    await eventually(() => expect(client.text).toBe('done'))
  })

  it('counts the connections that clients have reset', async () => {
    const [client] = await open()
    const [orderly] = await open()
    link.silence()
    client.socket.resetAndDestroy()
    orderly.socket.destroy()
    await eventually(() => expect(link.resets).toBe(1))
  })
})

/** Opens a connection through the link, and returns both ends. */
async function open(): Promise<[client: End, peer: End]> {
  const before = accepted.length
  const client = dial()
  await eventually(() => expect(accepted.length).toBe(before + 1))
  const peer = accepted[before]
  if (peer === undefined) throw new Error('the server accepted no connection')
  return [client, peer]
}

function dial(): End {
  const end = watch(connect(portOf(link)))
  clients.push(end)
  return end
}

function urlOf(of: Server): string {
  return `tcp://127.0.0.1:${(of.address() as AddressInfo).port}`
}

function portOf({ url }: Link): number {
  return Number(new URL(url).port)
}

/** Sends bytes through a new link. By then, what another link forwards at the same time has arrived. */
async function roundTrip(): Promise<void> {
  const echo = createServer((socket) => socket.pipe(socket))
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const other = await openLink(urlOf(echo))
  for (let i = 0; i < 20; i++) {
    const socket = connect(portOf(other))
    socket.write('x')
    await once(socket, 'data')
    socket.destroy()
  }
  await other.close()
  echo.close()
}

function watch(socket: Socket): End {
  const end: End = { socket, text: '', closed: false }
  socket.on('data', (chunk) => {
    end.text += chunk
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    end.closed = true
  })
  return end
}
