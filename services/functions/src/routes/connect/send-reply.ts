import { randomBytes } from 'node:crypto'
import type { Response } from 'express'
import { contentPolicy, type Reply, renderPage } from '../../connect/pages/page.ts'

/** Sends a page, or the browser on to another address, with the headers that keep both to themselves. */
export function sendReply(res: Response, reply: Reply): void {
  const nonce = randomBytes(16).toString('base64')
  res.set({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    // The window that opened us must hear how it ended; anything stricter would cut it off.
    'Cross-Origin-Opener-Policy': 'unsafe-none',
  })
  if ('location' in reply) {
    // Not `redirect`, which writes the address into a body too.
    res.status(303).set({ Location: reply.location, 'Content-Security-Policy': `default-src 'none'` }).end()
    return
  }
  res.status(reply.status).set('Content-Security-Policy', contentPolicy(reply, nonce)).type('html').send(renderPage(reply, nonce))
}
