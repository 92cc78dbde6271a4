import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { eventually } from '@onward/testbed'
import { type User, useFunctions } from '../support/support.ts'

const BUSY = 300

/** Opens a connection and sends a request. */
async function send(url: string, request: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(request)
  return socket
}

/** A request that takes some computing but waits for nothing. */
function requestOf(headers: User['headers']): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST /functions/unknown/call HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Length: 0\r\n\r\n`
}

describe('while many requests arrive at once', () => {
  const onward = useFunctions()

  it('answers a new connection of another application before most requests with made-up App-Keys', async () => {
    const quiet = onward.user('joe', await onward.makeApplication('quiet'))
    const headersOf = (n: number) => ({ 'App-Key': `unknown-${n}`, 'User-ID': 'joe', Hash: '0'.repeat(64) })
    // The service accepts a connection some time after it is open, and certainly before it answers.
    const busy = await Promise.all(Array.from({ length: BUSY }, (_, n) => send(onward.url, requestOf(headersOf(n)))))
    const first = await send(onward.url, requestOf(quiet.headers))
    await Promise.all([first, ...busy].map((socket) => once(socket, 'data')))
    let answered = 0
    for (const socket of busy) socket.once('data', () => answered++)
    busy.forEach((socket, n) => void socket.write(requestOf(headersOf(n))))
    const socket = await send(onward.url, requestOf(quiet.headers))
    const [response] = await once(socket, 'data')
    expect(String(response)).toMatch(/^HTTP\/1\.1 404 /)
    expect(answered).toBeLessThan(BUSY / 2)
    await eventually(() => expect(answered).toBe(BUSY))
    for (const each of [first, socket, ...busy]) each.destroy()
  })
})
