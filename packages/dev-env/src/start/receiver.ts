import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { HOST } from './settings.ts'

type Received = {
  readonly event: string
  readonly subscriptionId: string
  readonly verified: boolean
  readonly body: Record<string, unknown>
}

/** A webhook receiver such as a customer would write. It checks the signature, responds 204 and stores what it received. */
export type Receiver = {
  readonly url: string
  readonly received: readonly Received[]
  /** Sets the signing secret of the subscription. */
  trust(signingSecret: string): void
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let webhook: Webhook | undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks).toString()
    received.push({
      event: String(request.headers['event-name']),
      subscriptionId: String(request.headers['subscription-id']),
      verified: verifies(webhook, raw, request.headers as Record<string, string>),
      body: JSON.parse(raw),
    })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/limits`,
    received,
    trust(signingSecret) {
      webhook = new Webhook(signingSecret)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function verifies(webhook: Webhook | undefined, raw: string, headers: Record<string, string>): boolean {
  try {
    webhook?.verify(raw, headers)
    return webhook !== undefined
  } catch {
    return false
  }
}
