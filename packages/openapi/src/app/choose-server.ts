import { CatalogError } from '@onward/catalog'
import { textAt } from '../json.ts'
import type { Spec } from '../spec/spec.ts'
import { readServer, type ServerAddress } from './read-server.ts'

/** Where an account says its own server's address, because the document does not. */
const selfHosted: ServerAddress = {
  url: '{account.url}',
  settings: {
    url: { title: 'Server', description: 'The URL of the server that has this API, with the path that all its addresses begin with.' },
  },
}

/** The server of an app: the one asked for, or the document's first that can be called. `notes` tells what is odd about it. */
export function chooseServer(spec: Spec, asked: string | undefined, notes: string[]): ServerAddress {
  if (asked !== undefined) {
    const address = readServer({ url: asked }, asked)
    if (address === null) throw new CatalogError([`--base-url ${asked}: must be https:// with a host and perhaps a path`])
    return address
  }
  const { root } = spec.documents
  const servers = spec.servers.length > 0 ? spec.servers : [{ url: '/' }]
  const addresses = servers.map((server) => readServer(server, root))
  const found = addresses.find((address) => address !== null)
  if (found) {
    if (spec.servers.length === 0) notes.push(`the document names no server: requests go to ${found.url}, where it came from`)
    return found
  }
  const told = spec.servers.map((server) => textAt(server, 'url')).filter((url) => url !== undefined)
  const what = told.length > 0 ? `no https server (${told.slice(0, 3).join(', ')})` : 'no server'
  notes.push(`the document names ${what}: each account says the URL of its own, unless --base-url gives one`)
  return selfHosted
}
