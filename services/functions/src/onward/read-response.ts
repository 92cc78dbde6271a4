import { isUtf8 } from 'node:buffer'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { type JsonScan, parseJson, RawJson, scanJsonInSteps } from '@onward/json'
import { decodeText } from '@onward/runtime'
import type { Redactor } from './redact.ts'

/** How bytes that are not text are returned to the caller. */
type BinaryResponse = { readonly content_type: string; readonly base64: string }

/** Far below the depth at which recursion fails, so that any JSON we accept can also be parsed. */
const MAX_DEPTH = 500
/** Maximum number of values that are parsed. The size of a text does not limit the cost: 10 MB can contain five million objects. */
const MAX_VALUES = 300_000
/** How many bytes are checked in one iteration of the event loop. */
const STEP = 65_536

/** The body of a response without the account's secrets, as JSON text with the numbers that the app sent. */
export class ResponseBody extends RawJson {
  readonly #scan: { readonly exact: boolean; readonly values: number }
  #parsed: { readonly value: unknown } | undefined

  constructor(text: string, scan: { readonly exact: boolean; readonly values: number }) {
    super(text)
    this.#scan = scan
  }

  /** The parsed body, with an `ExactNumber` for each number that JavaScript would change. A body with too many values stays text. */
  get value(): unknown {
    const { exact, values } = this.#scan
    this.#parsed ??= { value: values > MAX_VALUES ? this.text : exact ? JSON.parse(this.text) : parseJson(this.text) }
    return this.#parsed.value
  }
}

/**
 * Reads the body of a response. Valid JSON is returned as it came, other text as a string, bytes as base64 with their content type, and a body
 * that is empty or blank as null. JSON that is nested too deeply is returned as text. A body that is not valid in its character set is bytes,
 * whatever its content type. There is one exception: bytes that contain a secret of the account are read as text, so that the secret can be
 * redacted.
 */
export async function readResponseBody(data: Buffer, contentType: string | undefined, redact: Redactor): Promise<ResponseBody> {
  if (data.length === 0) return bodyOf(null)
  const isDeclaredText = isText(contentType)
  const text = isDeclaredText ? decodeText(data, contentType) : startsLikeJson(data) && isUtf8(data) ? data.toString('utf8') : undefined
  if (text !== undefined && !/\S/.test(text)) return bodyOf(null)
  const scan = text === undefined ? undefined : await scanText(text, data)
  if (text !== undefined && scan?.kind === 'json') return new ResponseBody(redact.json(text, scan.exact), scan)
  if (text !== undefined && (isDeclaredText || scan?.kind === 'exceeds')) return bodyOf(redact.text(text))
  const readable = () => decodeText(data, contentType, { fatal: false })
  // In UTF-16, a secret has other bytes.
  if (redact.findsIn(data) || (isDeclaredText && redact.findsIn(Buffer.from(readable())))) return bodyOf(redact.text(readable()))
  return bodyOf({ content_type: contentType || 'application/octet-stream', base64: data.toString('base64') } satisfies BinaryResponse)
}

function bodyOf(value: string | BinaryResponse | null): ResponseBody {
  return new ResponseBody(JSON.stringify(value), { exact: true, values: 1 })
}

/** A response without a media type is text: old APIs send it this way. Only text has a character set. */
function isText(contentType: string | undefined): boolean {
  if (contentType === undefined || !/^\s*[\w.+-]+\/[\w.+-]+/.test(contentType)) return true
  return /^\s*(text\/|application\/(json|xml|yaml|x-yaml|javascript|graphql|x-ndjson|x-www-form-urlencoded)\b|[^;]*\+(json|xml|yaml)\b|[^;]*;\s*charset=)/i.test(
    contentType,
  )
}

/** Many APIs send JSON with a wrong content type. */
function startsLikeJson(data: Buffer): boolean {
  return data[0] === 0x7b || data[0] === 0x5b
}

/** Checks whether a text is JSON. Lets other work run while it checks a large one. */
async function scanText(text: string, data: Buffer): Promise<JsonScan> {
  // Most bodies are UTF-8 without a byte order mark, so the text has the same bytes.
  const bytes = data.length === text.length || Buffer.byteLength(text) === data.length ? data : Buffer.from(text)
  const steps = scanJsonInSteps(bytes, { depth: MAX_DEPTH }, STEP)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await nextIteration()
  }
}
