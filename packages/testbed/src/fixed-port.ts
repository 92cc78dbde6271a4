import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ranges from which systems choose ports for listeners and connections: from 32768 or 49152. */
let last = randomInt(15_000, 30_000)

/** Returns a free loopback port, never the same twice, for a server that starts there later or restarts. The system does not assign it. */
export async function fixedPort(): Promise<number> {
  for (;;) {
    last += 1
    const port = last
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === 'EADDRINUSE') continue
      throw err
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
