import { createHmac } from 'node:crypto'

/** Where requests go and as whom. The credentials are in a closure, so that a target that is logged shows none. */
export type Target = {
  /** Without a slash at the end. */
  readonly url: string
  /** The deadline of a whole exchange. */
  readonly timeoutMs: number
  credentials(): Readonly<Record<string, string>>
}

type Place = { readonly url: string; readonly timeoutMs?: number }

/** Twice what area A gives an onward call unless it is configured otherwise. */
const TIMEOUT_MS = 60_000

/** Area A, on behalf of one user. For servers only: it holds the application secret. */
export function functionsClient({
  appKey,
  appSecret,
  userId,
  ...place
}: Place & { appKey: string; appSecret: string; userId: string }): Target {
  const hash = createHmac('sha256', appSecret).update(userId).digest('hex')
  return makeTarget(place, { 'App-Key': appKey, 'User-ID': headerBytes('userId', userId), Hash: hash })
}

/** Area B, as a partner. */
export function insightsClient({ apiKey, ...place }: Place & { apiKey: string }): Target {
  return makeTarget(place, { 'api-key': apiKey })
}

/** The internal admin API of either service. */
export function adminClient({ token, ...place }: Place & { token: string }): Target {
  return makeTarget(place, { Authorization: `Bearer ${token}` })
}

function makeTarget({ url, timeoutMs = TIMEOUT_MS }: Place, credentials: Readonly<Record<string, string>>): Target {
  const parsed = readUrl(url)
  // A user name in the URL would be sent in place of the credentials; a query would swallow the path.
  if (parsed.username || parsed.password || parsed.search || parsed.hash)
    throw new TypeError('url must hold no user name, query or fragment')
  return Object.freeze({ url: parsed.href.replace(/\/+$/, ''), timeoutMs, credentials: () => credentials })
}

/** Text as UTF-8 in a header: Node writes each character of a header as one Latin-1 byte. */
function headerBytes(name: string, text: string): string {
  // Anything else is dropped on the way, and the hash would then not be the hash of what arrives.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
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
    // The same to the caller.
  }
  throw new TypeError('url must be an http or https URL')
}
