import { ExactNumber, parseJson } from '@onward/json'
import bodyParser from 'body-parser'
import type { Request, RequestHandler, Response } from 'express'
import { Refusal } from '../refusal.ts'
import { type CheckedJson, checkEscapes, checkJson, checkText, MAX_DEPTH, TOO_DEEP } from './body-bytes.ts'

/**
 * Parses JSON and form bodies of at most `limit` bytes after decompression. A missing body becomes `{}`, with any Content-Type. The bytes
 * are checked before they are parsed, so that an expensive body is refused cheaply. `beforeBody` is waited for before JSON of so many bytes.
 * Numbers in JSON keep their digits: `res.locals.json` says whether the body contains an `ExactNumber`.
 */
export function readBody(limit: number, beforeBody?: (res: Response, bytes: number) => Promise<void> | undefined): RequestHandler[] {
  // Only bodies that are compressed or of unknown length come here.
  const json = bodyParser.raw({ limit, type: 'application/json' })
  const form = bodyParser.urlencoded({
    limit,
    extended: true,
    parameterLimit: 1_000,
    type: 'urlencoded',
    verify(_req, _res, bytes, charset) {
      checkText(bytes, charset)
      refuseJson(bytes)
      checkEscapes(bytes)
    },
  })
  return [
    async (req, res, next) => {
      if (isPlainJson(req, limit)) {
        const bytes = await readBytes(req)
        await beforeBody?.(res, bytes.length)
        req.body = parse(bytes, 'utf-8', limit, res)
      } else req.body = (await hasBody(req)) ? undefined : {}
      next()
    },
    unlessRead(json),
    (req, res, next) => {
      if (Buffer.isBuffer(req.body)) req.body = parse(req.body, charsetOf(req), limit, res)
      next()
    },
    unlessRead(form),
    (req, res, next) => {
      if (req.body === undefined) {
        throw new Refusal('unsupported_media_type', 'send the body as application/json or application/x-www-form-urlencoded')
      }
      const problem = shapeProblem(req.body, (res.locals.json as CheckedJson | undefined)?.keys)
      if (problem !== undefined) throw problem
      next()
    },
  ]
}

function unlessRead(parser: RequestHandler): RequestHandler {
  return (req, res, next) => (req.body === undefined ? parser(req, res, next) : next())
}

const PLAIN_JSON = /^application\/json *(?:; *charset=utf-8)?$/i

/**
 * Returns whether a body is JSON of known length, not compressed and in UTF-8, as almost all are. Reading it here takes a fraction of the
 * time that body-parser takes.
 */
function isPlainJson({ headers }: Request, limit: number): boolean {
  const length = Number(headers['content-length'] ?? 0)
  const encoded = headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined
  return length > 0 && length <= limit && !encoded && PLAIN_JSON.test(headers['content-type'] ?? '')
}

function readBytes(req: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    const onClose = () => reject(cutOff())
    req.once('close', onClose)
    req.once('end', () => {
      req.off('close', onClose)
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
    })
  })
}

function parse(bytes: Buffer, charset: string, limit: number, res: Response): unknown {
  checkText(bytes, charset)
  const checked = checkJson(bytes, limit)
  res.locals.json = checked
  const text = bytes.toString('utf8')
  return checked.exact ? JSON.parse(text) : parseJson(text)
}

function charsetOf({ headers }: Request): string {
  return (/;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8').toLowerCase()
}

function cutOff(): Refusal {
  return new Refusal('invalid_body', 'the connection closed before the request ended')
}

/** `curl -d` sends JSON as a form unless it is given a Content-Type. The name of a field can't begin with a bracket. */
function refuseJson(form: Buffer): void {
  if (form[0] === 0x7b || form[0] === 0x5b) {
    const text = 'the body is JSON, but its Content-Type is application/x-www-form-urlencoded; send Content-Type: application/json'
    throw new Refusal('invalid_body', text)
  }
}

/** The beginning of the content type of every form. */
const FORM = /^\s*application\/x-www-form-urlencoded/i

/** Returns whether the body is a form. The expression comes first, because Express parses the content type and most requests are not forms. */
export function isForm(req: Request): boolean {
  return FORM.test(req.headers['content-type'] ?? '') && req.is('urlencoded') === 'urlencoded'
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
    req.once('close', () => reject(cutOff()))
  })
}

/**
 * Returns a Refusal for a value from JSON that is nested too deep or has a dangerous key. Given the number of keys in the text, also returns
 * one if an object of the text has a key twice: JSON.parse drops all but the last one. Returns undefined for any other value.
 */
export function shapeProblem(value: unknown, keysInText?: number): Refusal | undefined {
  const seen = { keys: 0 }
  const problem = findProblem(value, 0, seen)
  if (problem !== undefined) return new Refusal('invalid_body', problem)
  return keysInText === undefined || keysInText === seen.keys
    ? undefined
    : new Refusal('invalid_body', 'the body has an object with a key twice')
}

function findProblem(value: unknown, depth: number, seen: { keys: number }): string | undefined {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return undefined
  if (depth === MAX_DEPTH) return TOO_DEEP
  const keys = Object.keys(value)
  if (!Array.isArray(value)) seen.keys += keys.length
  for (const key of keys) {
    // Assigning this key to a plain object would replace its prototype.
    if (key === '__proto__') return 'the body must not hold a key named __proto__'
    const problem = findProblem((value as Record<string, unknown>)[key], depth + 1, seen)
    if (problem !== undefined) return problem
  }
  return undefined
}
