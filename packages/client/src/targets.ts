import { createHmac } from 'node:crypto'

/** An address with credentials. These are in a closure, so that a logged target does not show them. */
export type Target = {
  /** Without a final slash. */
  readonly url: string
  /** The deadline of a whole exchange. */
  readonly timeoutMs: number
  credentials(): Readonly<Record<string, string>>
}

type Place = { readonly url: string; readonly timeoutMs?: number }

/** Twice the default time limit of an onward call. */
const TIMEOUT_MS = 60_000

/** Returns the target for area A on behalf of one user. Use it only on servers, because it holds the application secret. */
export function functionsClient({
  appKey,
  appSecret,
  userId,
  ...place
}: Place & { appKey: string; appSecret: string; userId: string }): Target {
  const hash = createHmac('sha256', appSecret).update(userId).digest('hex')
  return makeTarget(place, { 'App-Key': appKey, 'User-ID': headerBytes('userId', userId), Hash: hash })
}

/** Returns the target for area B with a partner API key. */
export function insightsClient({ apiKey, ...place }: Place & { apiKey: string }): Target {
  return makeTarget(place, { 'api-key': apiKey })
}

/** Returns the target for the internal admin API of a service. */
export function adminClient({ token, ...place }: Place & { token: string }): Target {
  return makeTarget(place, { Authorization: `Bearer ${token}` })
}

function makeTarget({ url, timeoutMs = TIMEOUT_MS }: Place, credentials: Readonly<Record<string, string>>): Target {
  const parsed = readUrl(url)
  // A user name in the URL would replace the credentials, and a path cannot be appended to a query.
  if (parsed.username || parsed.password || parsed.search || parsed.hash)
    throw new TypeError('url must hold no user name, query or fragment')
  return Object.freeze({ url: parsed.href.replace(/\/+$/, ''), timeoutMs, credentials: () => credentials })
}

/** Returns text as UTF-8 for a header: Node writes each character of a header as one Latin-1 byte. */
function headerBytes(name: string, text: string): string {
  // Servers remove other characters, and the hash would not match the rest.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
  if (text === '' || /[\u0000-\u001f\u007f]|^ | $/.test(text)) {
    throw new TypeError(`${name} must not be empty, hold control characters, or begin or end with a space`)
  }
  return Buffer.from(text, 'utf8').toString('latin1')
}

function readUrl(url: string): URL {
  try {
    const parsed = new URL(url)
    if (/^https?:$/.test(parsed.protocol)) return parsed
  } catch {
    // Reported below.
  }
  throw new TypeError('url must be an http or https URL')
}
