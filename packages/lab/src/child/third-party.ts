import { createHash, randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { openChance } from '../numbers.ts'
import { type Grant, openTokenProvider } from './token-provider.ts'

/** The requests of one webhook: `answered` of them got a 2xx; `bodies` counts the different bodies. */
type Receipt = {
  readonly id: string
  readonly firstAt: number
  readonly requests: number
  readonly answered: number
  readonly bodies: number
}

/** What the third party got. */
export type ThirdPartyLog = {
  readonly receipts: readonly Receipt[]
  /** How often each contact was created, by its name. */
  readonly contacts: readonly (readonly [name: string, times: number])[]
  readonly grants: readonly Grant[]
  /** How many calls of the diary had an access token that was not valid. */
  readonly expired: number
}

export type ThirdPartyOptions = { readonly ports: number; readonly failing: number; readonly seed: number }

type Behaviour = 'answer' | 'fail' | 'hang' | 'reset'

/** About a kilobyte of JSON. */
const COMMENT = {
  id: 'comment-1',
  author: 'ada@example.com',
  text: 'The release is out: thank you all!',
  created_at: '2026-11-22T08:00:00Z',
}
const NOTE = Buffer.from(JSON.stringify({ id: 'note-1', title: 'Release', tags: ['team', 'news'], comments: Array(8).fill(COMMENT) }))
const NOTE_HEADERS = { 'content-type': 'application/json', 'content-length': NOTE.length }

/**
 * Serves the third-party API (an address book, and a diary with OAuth) and receives webhooks, on several ports. Webhooks to `/hang/<n>`
 * get no response; of those to `/flaky/<n>`, `failing` in 100 get a 500, no response or a reset. `/notes` answers at the least cost, for measuring.
 * The first message to the parent process holds the URLs. Each message from the parent process is answered with the log.
 */
export async function serveThirdParty({ ports, failing, seed }: ThirdPartyOptions): Promise<void> {
  const chance = openChance(seed)
  const provider = openTokenProvider()
  let expired = 0
  const contacts = new Map<string, number>()
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

  function respondTo({ method, url = '', headers }: IncomingMessage, body: Buffer): { readonly status: number; readonly body: object } {
    if (url === '/token') return provider.respond(body.toString())
    if (url.startsWith('/diary/') && !provider.accepts(headers.authorization)) {
      expired++
      return { status: 401, body: { error: 'invalid_token' } }
    }
    if (method !== 'POST') return { status: 200, body: { id: 1, name: 'Ada' } }
    const { name } = JSON.parse(body.toString()) as { name: string }
    contacts.set(name, (contacts.get(name) ?? 0) + 1)
    return { status: 200, body: { id: randomInt(2 ** 40), name } }
  }

  async function listen(): Promise<string> {
    const server = createServer(async (request, response) => {
      if (request.url === '/notes') {
        request.resume()
        response.writeHead(200, NOTE_HEADERS).end(NOTE)
        return
      }
      const at = performance.timeOrigin + performance.now()
      const body = await buffer(request).catch(() => undefined)
      // The connection broke before the whole request had arrived.
      if (body === undefined) return
      const id = request.headers['webhook-id']
      if (id === undefined) {
        const { status, body: json } = respondTo(request, body)
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
        return
      }
      const behaviour = behaviourAt(request.url ?? '')
      record(String(id), body, at, behaviour === 'answer')
      behave(behaviour, response)
    })
    server.keepAliveTimeout = 60_000
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const urls = await Promise.all(Array.from({ length: ports }, listen))
  process.on('message', () => {
    const receipts = [...webhooks].map(([id, { hashes, ...rest }]) => ({ id, ...rest, bodies: hashes.size }))
    process.send?.({ receipts, contacts: [...contacts], grants: provider.grants(), expired } satisfies ThirdPartyLog)
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
