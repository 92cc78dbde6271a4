import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openReceipts } from './receipts.ts'

/** A process of its own: answers as an address book, takes webhooks, and tells what it took. Ends with the process that started it. */
const receipts = openReceipts()

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.url === '/hooks') {
    receipts.add(String(request.headers['webhook-id']), String(request.headers['event-name']), Buffer.concat(chunks))
    response.writeHead(204).end()
    return
  }
  const body = request.url === '/receipts' ? receipts.all() : { id: 1, name: 'Ada' }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit(0))
