import { writeJson } from '@onward/json'
import type { Express, Response } from 'express'

/** Receives the size of a response in bytes before it is sent. It may throw a Refusal, which is sent instead. */
export type BeforeResponse = (res: Response, bytes: number) => void

/**
 * Calls `before` for each text and each JSON value that the app sends. Sends JSON without Express's `send`, which reads and writes the content
 * type several times. Use it only for statuses that have a body. It replaces the methods once for the app: replacing `send` of each response
 * takes longer, and keeps the response in memory for longer.
 */
export function sendResponses(app: Express, before: BeforeResponse = () => {}): void {
  const { send } = app.response
  app.response.send = function (this: Response, body: unknown) {
    if (typeof body === 'string') before(this, Buffer.byteLength(body))
    return send.call(this, body)
  }
  app.response.json = function (this: Response, value: unknown) {
    const json = writeJson(value)
    const bytes = Buffer.byteLength(json)
    before(this, bytes)
    if (!this.hasHeader('Content-Type')) this.setHeader('Content-Type', 'application/json; charset=utf-8')
    this.setHeader('Content-Length', bytes)
    return this.end(json)
  }
}
