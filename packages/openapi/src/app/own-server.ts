import type { JsonObject } from '../json.ts'
import { listAt } from '../json.ts'
import { Unusable } from '../unusable.ts'
import { readServer } from './read-server.ts'

/** The server of an operation that has its own; null when it is that of the app, or none is named. Throws Unusable when it can't be called. */
export function ownServer(operation: JsonObject, appUrl: string, root: string): { host: string; path: string } | null {
  const servers = listAt(operation, 'servers')
  if (servers.length === 0) return null
  const addresses = servers.map((server) => readServer(server, root))
  if (addresses.some((address) => address?.url === appUrl)) return null
  const fixed = addresses.find((address) => address !== null && Object.keys(address.settings).length === 0)
  if (!fixed) throw new Unusable('its own server is not a fixed https address')
  const { hostname, port, pathname } = new URL(fixed.url)
  if (port !== '') throw new Unusable('its own server has a port of its own')
  return { host: hostname, path: pathname.replace(/\/$/, '') }
}
