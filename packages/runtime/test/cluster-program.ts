import cluster from 'node:cluster'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readMetrics } from '../src/cluster.ts'
import { runService } from '../src/lifecycle.ts'
import { openLog } from '../src/log.ts'
import { openMetrics } from '../src/metrics.ts'

// A service with two processes, for `cluster.test.ts`. It answers with the number of the process; `/exit` ends the process, and `/metrics`
// has the metrics of all. With Node's option `--title=fails`, it cannot start. With `--title=slow`, its third process never starts.
await runService([], {
  migrate: async () => {},
  processes: () => ({ count: 2, openLog: () => openLog('test', 'silent') }),
  async start() {
    if (process.title === 'fails') throw new Error('cannot start')
    const registry = openMetrics('test')
    if (process.title === 'slow' && cluster.worker?.id === 3) await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1))
    const server = createServer(async (req, res) => {
      if (req.url === '/exit') process.exit(7)
      const text = req.url === '/metrics' ? await readMetrics(registry) : String(cluster.worker?.id)
      res.setHeader('connection', 'close').end(text)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
    return { log: openLog('test', 'silent'), close: async () => void server.close() }
  },
})
