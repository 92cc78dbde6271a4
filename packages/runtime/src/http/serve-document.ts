import type { RequestHandler } from 'express'

/** Answers a JSON document that never changes; it is made into text once. */
export function serveDocument(document: object): RequestHandler {
  const text = JSON.stringify(document)
  return (_req, res) => {
    res.type('json').send(text)
  }
}
