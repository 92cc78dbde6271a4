import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Operating systems choose ports only from 32768 or 49152 on, so they never assign one of these to another program. */
let last = randomInt(15_000, 30_000)

/** Returns a free loopback port, never the same twice, for a server that starts there later or restarts. */
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
