import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openChance } from '../numbers.ts'

/** The requests of one webhook: `answered` of them got a 2xx; `bodies` counts the different bodies. */
export type Receipt = {
  readonly id: string
  readonly firstAt: number
  readonly requests: number
  readonly answered: number
  readonly bodies: number
}

export type ThirdPartyOptions = { readonly ports: number; readonly failing: number; readonly seed: number }

type Behaviour = 'answer' | 'fail' | 'hang' | 'reset'

/**
 * Serves the third-party API (an address book) and receives webhooks, on several ports. Webhooks to `/hang/<n>` get no answer; of those to
 * `/flaky/<n>`, `failing` in 100 get a 500, no answer or a reset. The first message to the parent process holds the URLs. Each message from
 * the parent process is answered with all receipts.
 */
export async function serveThirdParty({ ports, failing, seed }: ThirdPartyOptions): Promise<void> {
  const chance = openChance(seed)
  const webhooks = new Map<string, { firstAt: number; requests: number; answered: number; hashes: Set<string> }>()

  function behaviourAt(url: string): Behaviour {
    if (url.startsWith('/hang/')) return 'hang'
    if (url.startsWith('/flaky/') && chance.between(0, 100) < failing) return chance.pick(['fail', 'hang', 'reset'])
    return 'answer'
  }

  function record(id: string, body: Buffer, at: number, answered: boolean): void {
    const webhook = webhooks.get(id) ?? { firstAt: at, requests: 0, answered: 0, hashes: new Set() }
    webhooks.set(id, webhook)
    webhook.requests++
    if (answered) webhook.answered++
    webhook.hashes.add(createHash('sha256').update(body).digest('base64'))
  }

  async function listen(): Promise<string> {
    const server = createServer(async (request, response) => {
      const at = performance.timeOrigin + performance.now()
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const id = request.headers['webhook-id']
      if (id === undefined) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1,"name":"Ada"}')
        return
      }
      const behaviour = behaviourAt(request.url ?? '')
      record(String(id), Buffer.concat(chunks), at, behaviour === 'answer')
      behave(behaviour, response)
    })
    server.keepAliveTimeout = 60_000
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const urls = await Promise.all(Array.from({ length: ports }, listen))
  process.on('message', () => {
    process.send?.([...webhooks].map(([id, { hashes, ...rest }]): Receipt => ({ id, ...rest, bodies: hashes.size })))
  })
  process.send?.(urls)
}

function behave(behaviour: Behaviour, response: ServerResponse): void {
  switch (behaviour) {
    case 'answer':
      response.writeHead(204).end()
      return
    case 'fail':
      response.writeHead(500).end()
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'hang':
  }
}
