import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range that systems take ports from when they are asked for any, for listeners and for connections: 32768 up, or 49152. */
let last = randomInt(15_000, 30_000)

/** A loopback port that nobody listens on or is given by chance: for a server that comes to it later, and comes back to it. None twice. */
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
