import { connect } from 'node:net'

/** Sends bytes to a server as they are, and gives all that it answers until it closes the connection. */
export async function exchange(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(bytes)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
