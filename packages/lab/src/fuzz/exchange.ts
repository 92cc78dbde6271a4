import { connect } from 'node:net'
import type { RawRequest } from './requests.ts'

/** A response as it was read from the socket. `status` is 0 when the connection closed without one. */
export type RawResponse = { readonly status: number; readonly headers: string; readonly body: string }

const MAX_WAIT_MS = 60_000

/** Sends a request over a separate connection, without the checks of an HTTP library. Throws when no end comes within a minute. */
export async function exchange(url: string, { method, path, headers, body }: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(url)
  const bytes = Buffer.from(body)
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${hostname}`, 'Connection: close', `Content-Length: ${bytes.length}`, ...headers]
  const chunks: Buffer[] = []
  const socket = connect(Number(port), hostname)
  await new Promise<void>((resolve, reject) => {
    socket.setTimeout(MAX_WAIT_MS, () => reject(new Error(`no response to ${method} ${path} within ${MAX_WAIT_MS} ms`)))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', () => resolve())
    // The service may close the connection while the request is still being written. What it answered before counts.
    socket.on('error', () => {})
    socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]))
  }).finally(() => socket.destroy())
  return parse(Buffer.concat(chunks))
}

function parse(bytes: Buffer): RawResponse {
  const text = bytes.toString()
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return { status: 0, headers: '', body: '' }
  const headers = text.slice(0, end)
  const rest = text.slice(end + 4)
  const body = /^transfer-encoding: chunked/im.test(headers) ? joinChunks(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)) : rest
  return { status: Number(headers.slice(9, 12)), headers, body }
}

function joinChunks(bytes: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (lineEnd === -1 || !(length > 0)) return Buffer.concat(parts).toString()
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length))
    at = lineEnd + 2 + length + 2
  }
}
