import bodyParser from 'body-parser'
import type { Request, RequestHandler } from 'express'
import { Refusal } from '../refusal.ts'

/** Maximum nesting of a body. Recursion over a body that is nested much deeper could exhaust the stack. */
const MAX_DEPTH = 64

/** Parses JSON and form bodies of at most `limit` bytes after decompression. A missing body becomes `{}`, with any Content-Type. */
export function readBody(limit: number): RequestHandler[] {
  return [
    async (req, _res, next) => {
      req.body = (await hasBody(req)) ? undefined : {}
      next()
    },
    bodyParser.json({ limit, strict: false, type: (req) => isUnread(req as Request, 'application/json') }),
    bodyParser.urlencoded({ limit, extended: true, parameterLimit: 1_000, type: (req) => isUnread(req as Request, 'urlencoded') }),
    (req, _res, next) => {
      if (req.body === undefined) {
        throw new Refusal('unsupported_media_type', 'send the body as application/json or application/x-www-form-urlencoded')
      }
      const problem = shapeProblem(req.body)
      if (problem !== undefined) throw new Refusal('invalid_body', problem)
      next()
    },
  ]
}

export function isForm(req: Request): boolean {
  return req.is('urlencoded') === 'urlencoded'
}

function isUnread(req: Request, type: string): boolean {
  return req.body === undefined && Boolean(req.is(type))
}

/** Returns whether the request has a body. Only the first chunk of a chunked body shows that, so it is read and put back. */
async function hasBody(req: Request): Promise<boolean> {
  if (req.headers['transfer-encoding'] === undefined) return Number(req.headers['content-length'] ?? 0) > 0
  return await new Promise((resolve, reject) => {
    req.once('readable', () => {
      const chunk: Buffer | null = req.read()
      if (chunk !== null) req.unshift(chunk)
      resolve(chunk !== null)
    })
    // A request whose connection broke must not count as one without a body.
    req.once('close', () => reject(new Refusal('invalid_body', 'the connection closed before the request ended')))
  })
}

/** Returns why a value from JSON must be refused: it is nested too deep, or has a dangerous key. Undefined if it is fine. */
export function shapeProblem(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === MAX_DEPTH) return `the body is nested deeper than ${MAX_DEPTH} levels`
  for (const key of Object.keys(value)) {
    // Assigning this key to a plain object would replace its prototype.
    if (key === '__proto__') return 'the body must not hold a key named __proto__'
    const problem = shapeProblem((value as Record<string, unknown>)[key], depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}
