import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openChance } from '../faults/chance.ts'
import { openLedger } from './ledger.ts'

/**
 * Receivers of webhooks on `ports` ports, in a process of their own. `/ok/<n>` answers 204, `/hang/<n>` never, `/flaky/<n>` fails in
 * `failing` of 100 requests: a third each with 500, by hanging and by a reset. Tells what it took when it is asked.
 */
const { ports, failing, seed } = JSON.parse(process.argv[2] ?? '') as { ports: number; failing: number; seed: number }

const ledger = openLedger()
const chance = openChance(seed)

const urls = await Promise.all(Array.from({ length: ports }, listen))
process.on('disconnect', () => process.exit(0))
process.on('message', (kind) => process.send?.(kind === 'totals' ? ledger.totals() : ledger.arrivals()))
process.send?.(urls)

async function listen(): Promise<string> {
  const server = createServer(async (request, response) => {
    const at = performance.timeOrigin + performance.now()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const mode = behaviour(request.url ?? '')
    ledger.note(String(request.headers['webhook-id']), Buffer.concat(chunks), at, mode === 'answer')
    behave(mode, response)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function behaviour(url: string): 'answer' | 'refuse' | 'hang' | 'reset' {
  if (url.startsWith('/hang/')) return 'hang'
  if (url.startsWith('/flaky/') && chance.between(0, 100) < failing) return chance.pick(['refuse', 'hang', 'reset'])
  return 'answer'
}

function behave(mode: 'answer' | 'refuse' | 'hang' | 'reset', response: ServerResponse): void {
  switch (mode) {
    case 'answer':
      response.writeHead(204).end()
      return
    case 'refuse':
      response.writeHead(500).end()
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'hang':
  }
}
