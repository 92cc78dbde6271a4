import { createHmac } from 'node:crypto'
import { DOT_SEGMENTS } from '@onward/contract'

/**
 * Where requests are sent, and with which credentials. `credentials` is a function, so that a log of a target does not contain them, and so
 * that they can be renewed.
 */
export type Target = {
  /** Without a final slash. */
  readonly url: string
  /** The deadline of a whole exchange. */
  readonly timeoutMs: number
  credentials(): Headers | Promise<Headers>
}

type Headers = Readonly<Record<string, string>>

type Options = { readonly url: string; readonly timeoutMs?: number }

/** Twice the default time limit of an onward call. */
const TIMEOUT_MS = 60_000

/** Returns the target for area A on behalf of one user. Use it only on servers, because it holds the application secret. */
export function functionsClient({
  appKey,
  appSecret,
  userId,
  ...options
}: Options & { appKey: string; appSecret: string; userId: string }): Target {
  const hash = createHmac('sha256', appSecret).update(userId).digest('hex')
  return makeTarget(options, { 'App-Key': appKey, 'User-ID': headerBytes('userId', userId), Hash: hash })
}

/** Returns the target for area B with a partner API key. */
export function insightsClient({ apiKey, ...options }: Options & { apiKey: string }): Target {
  return makeTarget(options, { 'api-key': apiKey })
}

/** Returns the target for the internal admin API of a service. */
export function adminClient({ token, ...options }: Options & { token: string }): Target {
  return makeTarget(options, { Authorization: `Bearer ${token}` })
}

function makeTarget({ url, timeoutMs = TIMEOUT_MS }: Options, credentials: Readonly<Record<string, string>>): Target {
  const parsed = readUrl(url)
  // A user name in the URL would replace the credentials, and a path cannot be appended to a query.
  if (parsed.username || parsed.password || parsed.search || parsed.hash)
    throw new TypeError('url must not contain a user name, query or fragment')
  return Object.freeze({ url: parsed.href.replace(/\/+$/, ''), timeoutMs, credentials: () => credentials })
}

/** Converts text so that a header contains it as UTF-8: Node writes each character of a header as one Latin-1 byte. */
function headerBytes(name: string, text: string): string {
  // Servers remove the other characters or reject them, and the hash of a shortened id would be wrong.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
  if (text === '' || /[\u0000-\u001f\u007f]|^ | $/.test(text)) {
    throw new TypeError(`${name} must not be empty, contain control characters, or begin or end with a space`)
  }
  if (DOT_SEGMENTS.includes(text)) throw new TypeError(`${name} must not be . or ..`)
  return Buffer.from(text, 'utf8').toString('latin1')
}

function readUrl(url: string): URL {
  try {
    const parsed = new URL(url)
    if (/^https?:$/.test(parsed.protocol)) return parsed
  } catch {
    // The error below reports it.
  }
  throw new TypeError('url must be an http or https URL')
}
