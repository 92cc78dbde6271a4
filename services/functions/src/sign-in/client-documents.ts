import { failureOf, type OutgoingClient, type Reach, urlProblem } from '@onward/runtime'
import { LRUCache } from 'lru-cache'
import { plainText } from '../connect/pages/parts.ts'
import { isRedirectUri } from './redirects.ts'

/** A client, as far as the sign-in uses it. */
export type Client = {
  readonly id: string
  /** The only application with which it works; null for all. */
  readonly appKey: string | null
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly refreshes: boolean
}

/** Reads the metadata documents of clients, whose ids are their URLs (draft-ietf-oauth-client-id-metadata-document). */
export type ClientDocuments = {
  /** Returns the client that a document describes, or why the document cannot be used. */
  read(url: string): Promise<Read>
}

export const MAX_CLIENT_NAME = 60
const MAX_BYTES = 10_240
const TIMEOUT_MS = 5_000
const KEPT_MS = 600_000
/** A failure is kept too: otherwise anybody could let this server request a foreign host again and again. */
const FAILURE_KEPT_MS = 60_000
const KEPT_MAX = 500

/** Returns whether a client id is the URL of a document, and not the id of a registered client. */
export function isDocumentUrl(id: string): boolean {
  return /^https?:\/\//.test(id)
}

type Outgoing = { readonly client: Pick<OutgoingClient, 'http'>; readonly reach: Reach }
type Read = Client | { readonly problem: string }

/** Documents are read through the address guard, which connects only to public addresses, and are kept in memory for ten minutes. */
export function openClientDocuments({ client, reach }: Outgoing): ClientDocuments {
  const kept = new LRUCache<string, Promise<Read>>({ max: KEPT_MAX, ttl: KEPT_MS, ttlResolution: 0 })

  async function readFresh(url: string): Promise<Read> {
    try {
      const { status, data } = await client.http.request<Buffer>({ url, timeout: TIMEOUT_MS, maxContentLength: MAX_BYTES })
      if (status !== 200) throw new DocumentProblem(`the request for its metadata document got status ${status}`)
      return clientOf(url, data)
    } catch (err) {
      if (err instanceof DocumentProblem) return { problem: err.message }
      if (failureOf(err) !== undefined) return { problem: 'its metadata document could not be read' }
      throw err
    }
  }

  async function keep(url: string): Promise<Read> {
    const reading = readFresh(url)
    kept.set(url, reading)
    const read = await reading.catch((err: unknown) => {
      kept.delete(url)
      throw err
    })
    if ('problem' in read && kept.peek(url) === reading) kept.set(url, reading, { ttl: FAILURE_KEPT_MS })
    return read
  }

  return {
    async read(url) {
      const problem = urlProblem(url, reach) ?? pathProblem(url)
      return problem === undefined ? await (kept.get(url) ?? keep(url)) : { problem: `its client_id ${problem}` }
    },
  }
}

class DocumentProblem extends Error {}

function pathProblem(url: string): string | undefined {
  const { href, pathname } = new URL(url)
  return href === url && pathname !== '/' && !url.includes('#') ? undefined : 'must be a URL with a path and without a fragment'
}

function clientOf(url: string, data: Buffer): Client {
  const metadata = Object(parse(data))
  const { client_id, token_endpoint_auth_method: method } = metadata
  if (client_id !== url) throw new DocumentProblem('its metadata document has another client_id than its URL')
  // The document is public, so it cannot hold a secret. A client that could sign with a key is served as a public client.
  if (typeof method === 'string' && method.startsWith('client_secret')) {
    throw new DocumentProblem('its metadata document declares a client secret')
  }
  const { name, redirectUris, refreshes } = readClient(metadata)
  if (redirectUris.length === 0) throw new DocumentProblem('its metadata document has no redirect URI that can be used')
  return { id: url, appKey: null, name: name || new URL(url).host, redirectUris, refreshes }
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8'))
  } catch {
    throw new DocumentProblem('its metadata document is not JSON')
  }
}

/** Returns what the metadata of a client says, without the redirect URIs that cannot be used. Hosts that send no grant types expect refresh tokens. */
export function readClient({ redirect_uris, client_name, grant_types }: Readonly<Record<string, unknown>>) {
  const uris: unknown[] = Array.isArray(redirect_uris) ? redirect_uris : []
  return {
    name: typeof client_name === 'string' ? plainText(client_name, MAX_CLIENT_NAME) : '',
    redirectUris: uris.filter((uri) => typeof uri === 'string' && isRedirectUri(uri)) as string[],
    refreshes: !Array.isArray(grant_types) || grant_types.includes('refresh_token'),
  }
}
