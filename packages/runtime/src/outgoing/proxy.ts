import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { literalAddress } from './address.ts'

/** The outgoing proxy is at fault: it could not be reached, or it refused to connect. */
class ProxyError extends Error {
  readonly code = 'EPROXY'
}

const MAX_HEAD = 16_384

/**
 * Opens a tunnel through an HTTP proxy to an address, with CONNECT. The proxy gets the address and not the name: a name could lead it to an
 * address that was not checked. Rejects with a ProxyError that names the proxy, without its credentials.
 */
export function openTunnel(proxyUrl: string, address: string, port: number, timeoutMs: number): Promise<Socket> {
  const { protocol, hostname, port: proxyPort, username, password } = new URL(proxyUrl)
  const secure = protocol === 'https:'
  const at = { host: literalAddress(hostname) ?? hostname, port: Number(proxyPort) || (secure ? 443 : 80) }
  const place = `the outgoing proxy ${hostname}:${at.port}`
  const target = `${address.includes(':') ? `[${address}]` : address}:${port}`
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return new Promise((resolve, reject) => {
    const servername = literalAddress(hostname) === undefined ? hostname : ''
    const socket = secure ? connectTls({ ...at, servername }) : connectTcp(at)
    const timer = setTimeout(() => fail(`did not connect to ${target} within ${timeoutMs} ms`), timeoutMs)
    let head = Buffer.alloc(0)

    function fail(why: string): void {
      clearTimeout(timer)
      socket.destroy()
      reject(new ProxyError(`${place} ${why}`))
    }
    function onData(chunk: Buffer): void {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) {
        if (head.length > MAX_HEAD) fail('answered something other than HTTP')
        return
      }
      const [line = ''] = head.toString('latin1').split('\r\n', 1)
      if (!/^HTTP\/1\.[01] 2\d\d/.test(line)) {
        fail(`refused to connect to ${target}: ${line.slice(0, 100)}`)
        return
      }
      clearTimeout(timer)
      socket.off('data', onData).off('error', onError).off('close', onClose).pause()
      const rest = head.subarray(end + 4)
      if (rest.length > 0) socket.unshift(rest)
      resolve(socket)
    }
    const onError = (err: NodeJS.ErrnoException) => fail(`cannot be reached (${err.code ?? err.message})`)
    const onClose = () => fail('closed the connection')
    socket.on('data', onData).on('error', onError).on('close', onClose)
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      const authorization = username === '' ? '' : `Proxy-Authorization: Basic ${login}\r\n`
      socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`)
    })
  })
}
