import { lookup } from 'node:dns'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { BlockedAddressError, isPublicAddress, literalAddress } from './address.ts'
import { openTunnel } from './proxy.ts'
import { lookUpPublic } from './public-lookup.ts'
import type { Reach } from './url.ts'

type AgentOptions = {
  readonly reach: Reach
  /** Deadline for the lookup, the connection and TLS together. */
  readonly connectTimeoutMs: number
  /** Maximum number of connections to one origin. */
  readonly connections: number
  /** Our own public URL, without a slash at the end. Requests to it are blocked, because they could come back forever. */
  readonly ownUrl?: string | undefined
  /** The URL of an HTTP proxy, with its credentials, through which all connections are made. */
  readonly proxyUrl?: string | undefined
}

/**
 * The header of RFC 8586. Our public ports refuse requests that already carry our name. This ends loops through our other host names than the
 * one of `ownUrl`.
 */
const LOOP_HEADER = { 'cdn-loop': 'onward' } as const

/** Opens an undici agent with one pool per origin. With reach `public` it connects only by https, and only to public addresses. */
export function openAgent(options: AgentOptions): Dispatcher {
  const agent = openPools(options)
  const dispatch = agent.dispatch.bind(agent)
  const own = options.ownUrl === undefined ? undefined : `${options.ownUrl}/`
  agent.dispatch = (request, handler) => {
    if (own !== undefined && `${request.origin}${request.path}/`.replace(/\?.*/, '/').startsWith(own)) {
      throw new BlockedAddressError(`${own} is this service itself`)
    }
    return dispatch({ ...request, headers: Object.assign({}, request.headers, LOOP_HEADER) }, handler)
  }
  return agent
}

function openPools({ reach, connectTimeoutMs, connections, proxyUrl }: AgentOptions): Agent {
  const options = { connections, pipelining: 1, keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 }
  const connectOptions = { timeout: connectTimeoutMs, allowH2: false, keepAliveInitialDelay: 5_000 }
  const tunnelled = proxyUrl === undefined ? undefined : openProxied(proxyUrl, reach, connectOptions)
  if (reach === 'local') return new Agent({ ...options, connect: tunnelled ?? connectOptions })
  // Node's 250 ms per address are too short for a distant host.
  const connect =
    tunnelled ?? buildConnector({ ...connectOptions, lookup: lookUpPublic, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 })
  return new Agent({
    ...options,
    connect(target, done) {
      if (target.protocol !== 'https:') {
        done(new BlockedAddressError(`${target.hostname} can be called by https only`), null)
        return
      }
      // Node does not look up literal addresses, so they are checked here.
      const literal = literalAddress(target.hostname)
      if (literal !== undefined && !isPublicAddress(literal)) {
        done(new BlockedAddressError(`${target.hostname} is not a public address`), null)
        return
      }
      connect(target, done)
    },
  })
}

/** Connects through a proxy, to the first address that the lookup returns. So the addresses are checked as without a proxy. */
function openProxied(
  proxyUrl: string,
  reach: Reach,
  options: { readonly timeout: number; readonly allowH2: boolean },
): buildConnector.connector {
  const overTunnel = buildConnector(options)
  return (target, done) => {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    resolveTarget(target.hostname, reach)
      .then((address) => openTunnel(proxyUrl, address, port, options.timeout))
      .then(
        (socket) => (target.protocol === 'https:' ? overTunnel({ ...target, httpSocket: socket }, done) : done(null, socket)),
        (err) => done(err, null),
      )
  }
}

function resolveTarget(hostname: string, reach: Reach): Promise<string> {
  const literal = literalAddress(hostname)
  if (literal !== undefined) return Promise.resolve(literal)
  const find = reach === 'public' ? lookUpPublic : lookup
  return new Promise((resolve, reject) => {
    find(hostname, { all: false }, (err: Error | null, address) => (err === null ? resolve(String(address)) : reject(err)))
  })
}
