import { Agent, buildConnector, type Dispatcher } from 'undici'
import { BlockedAddressError, isPublicAddress, literalAddress } from './address.ts'
import { openPublicLookup } from './public-lookup.ts'
import type { Reach } from './url.ts'

type AgentOptions = {
  readonly reach: Reach
  /** For the lookup, the connection and TLS together. */
  readonly connectTimeoutMs: number
  /** Connections to one origin: 256 unless given. */
  readonly connections?: number
  readonly nameServers?: readonly string[]
}

type GuardedAgent = { readonly dispatcher: Dispatcher; close(): Promise<void> }

/** An undici agent, one pool per origin. With reach `public` it connects by https and to public unicast addresses only. */
export function openAgent({ reach, connectTimeoutMs, connections = 256, nameServers }: AgentOptions): GuardedAgent {
  const options = { timeout: connectTimeoutMs, allowH2: false }
  const agentOptions = { connections, pipelining: 1, keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 }
  if (reach === 'local') {
    const dispatcher = new Agent({ ...agentOptions, connect: options })
    return { dispatcher, close: () => dispatcher.destroy() }
  }
  const names = openPublicLookup(connectTimeoutMs, nameServers)
  const connect = buildConnector({ ...options, lookup: names.lookup })
  const dispatcher = new Agent({
    ...agentOptions,
    connect(target, done) {
      if (target.protocol !== 'https:') {
        done(new BlockedAddressError(`${target.hostname} would be called without https`), null)
        return
      }
      // A literal address never reaches the lookup.
      const literal = literalAddress(target.hostname)
      if (literal !== undefined && !isPublicAddress(literal)) {
        done(new BlockedAddressError(`${target.hostname} is not a public address`), null)
        return
      }
      connect(target, done)
    },
  })
  return {
    dispatcher,
    close() {
      names.close()
      return dispatcher.destroy()
    },
  }
}
