import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { eventually } from '@onward/testbed'
import { type Link, openLink } from '../src/rig/link.ts'

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
  link = await openLink((server.address() as AddressInfo).port)
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

  it('withholds a request until its connection is no longer silent, also when the client has closed it', async () => {
    const [client, peer] = await open()
    const hold = link.hold(['insert'], 'request')
    client.socket.write('insert')
    await hold.held
    client.socket.destroy()
    await roundTrip()
    expect(peer).toMatchObject({ text: '', closed: false })
    hold.end('deliver')
    await eventually(() => expect(peer).toMatchObject({ text: 'insert', closed: true }))
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
  const end = watch(connect(link.port, '127.0.0.1'))
  clients.push(end)
  return end
}

/** Sends bytes through a link of its own: what another link forwards at the same time has arrived then. */
async function roundTrip(): Promise<void> {
  const echo = createServer((socket) => socket.pipe(socket))
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const other = await openLink((echo.address() as AddressInfo).port)
  for (let i = 0; i < 20; i++) {
    const socket = connect(other.port, '127.0.0.1')
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
