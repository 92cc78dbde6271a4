import cluster from 'node:cluster'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runService } from '../src/lifecycle.ts'
import { openLog } from '../src/log.ts'

// A service with two processes, for `cluster.test.ts`. It answers with the number of the process; `/exit` ends the process. With Node's
// option `--title=fails`, it cannot start.
await runService([], {
  migrate: async () => {},
  processes: () => ({ count: 2, openLog: () => openLog('test', 'silent') }),
  async start() {
    if (process.title === 'fails') throw new Error('cannot start')
    const server = createServer((req, res) => {
      if (req.url === '/exit') process.exit(7)
      res.setHeader('connection', 'close').end(String(cluster.worker?.id))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
    return { log: openLog('test', 'silent'), close: async () => void server.close() }
  },
})
