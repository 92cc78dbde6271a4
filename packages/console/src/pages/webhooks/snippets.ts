import type { TEXT } from './words.ts'

export type VerifyLanguage = keyof typeof TEXT.verify.languages

/** The environment variable from which the snippets read the signing secret. */
const SECRET_VARIABLE = 'ONWARD_SIGNING_SECRET'

/** Programs that verify a webhook. They are the same as in services/insights/WEBHOOKS.md and the clients. */
export const VERIFY: Readonly<Record<VerifyLanguage, { readonly language: 'typescript' | 'python'; readonly text: string }>> = {
  client: {
    language: 'typescript',
    text: `import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { unwrap } from '@onward/client/webhooks'

const secret = process.env.${SECRET_VARIABLE} ?? ''
createServer(async (request, response) => {
  try {
    const event = await unwrap(await text(request), request.headers, secret)
    console.log(event.id, event.type, event.data.user_id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(3000)
`,
  },
  python: {
    language: 'python',
    text: `import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from onward_client.webhooks import WebhookVerificationError, unwrap


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = unwrap(body, self.headers, os.environ["${SECRET_VARIABLE}"])
            print(event.id, event.type, event.data["user_id"], flush=True)
            self.send_response(204)
        except WebhookVerificationError:
            self.send_response(400)
        self.end_headers()


HTTPServer(("127.0.0.1", 3000), Receiver).serve_forever()
`,
  },
  node: {
    language: 'typescript',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the bytes as received. headers: with lower-case names. secret: ${SECRET_VARIABLE}
export function verify(body, headers, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false // an old request that somebody sent again
  const hmac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
  const expected = Buffer.from(\`v1,\${hmac.update(\`\${id}.\${at}.\`).update(body).digest('base64')}\`)
  return signatures.split(' ').some((one) => one.length === expected.length && timingSafeEqual(Buffer.from(one, 'latin1'), expected))
}
`,
  },
}
